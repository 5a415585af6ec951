"""Operators on signals: Fourier transforms and windows."""
