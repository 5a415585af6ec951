"""Convolutions and pooling of large tensors: tables of where windows lie, and tiles of results."""
