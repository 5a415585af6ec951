"""Exported graphs as graphs of TorchScript, which the executor runs: ``cond`` is a ``prim::If``, ``while_loop`` a
``prim::Loop``.
"""
