"""Loops and functions of numbers, lists and elements of tensors as machine code."""
