"""EXIR: exported programs. Graphs of functional operators, what their inputs and outputs are, and what they promise.

The forms are those of ``torch.export`` (PyTorch 2.13): a list of nodes as in ``torch.fx``, a signature that says which
input is a parameter, and trees that say how arguments and results are nested. There are no tensors in this room: what
it knows of one is its size, dtype and layout.
"""
