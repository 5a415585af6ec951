"""Random well-typed programs, compared with CPython (scalars, lists, strings) and with PyTorch (tensors)."""
