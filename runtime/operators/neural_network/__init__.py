"""Operators of neural networks: layers, losses, attention, resampling."""
