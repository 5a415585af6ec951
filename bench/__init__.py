"""Benchmarks: every figure is a ratio against PyTorch, or against ourselves on smaller input, in one run."""
