"""``tsc.trace``: a function or a module is run, and the operators that it runs on tensors become a graph.

A `Recorder` holds the graph and knows which value each tensor is. What it records it hears from the doors
through which operators run from Python: `runtime.python_api.eager` for tsc's own tensors, and PyTorch's function
modes (`torch_functions`) for PyTorch's. May import everything in ``runtime`` and ``compiler``; what is
not being traced knows of it only through `trace_state`.
"""
