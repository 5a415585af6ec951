"""Groups of operators on tensors as kernels that run in turn."""
