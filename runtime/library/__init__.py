"""TorchScript source of the library functions, compiled on demand by our own compiler."""
