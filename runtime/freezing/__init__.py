"""Freezing: a module becomes one that computes the same with its attributes as constants, ready for inference.

Imports ``python_api`` and below.
"""
