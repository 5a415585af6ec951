"""Exported programs with their tensors: `.pt2` files read, and programs run.

What a program is stands in `compiler/exir`; this room may import everything up to `archives`.
"""
