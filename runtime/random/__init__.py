"""Random numbers with PyTorch's bits: the generator, its distributions, the C functions they rest on."""
