"""From a function's graph to its results: the toolchain, kernels of nodes, the executor and its plans."""
