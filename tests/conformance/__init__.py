"""Conformance: tsc against `torch.jit.script` over the samples of PyTorch's operator database.

``python -m tests.conformance`` is a script for the environment with PyTorch; the tests in this
folder check its parts without PyTorch.
"""
