"""Modules that PyTorch saves and tsc loads, and the other way round."""
