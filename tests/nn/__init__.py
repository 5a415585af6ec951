"""The layers of `torch.nn` in runtime/library: their sources, parameters, graphs and outputs against PyTorch's."""
