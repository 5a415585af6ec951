"""Capture: a function or a method runs on example arguments, and what it does to them becomes an exported program.

Works on graphs of TorchScript and on exported programs; writes graphs of `compiler.exir`. It may import what stands
below it in the runtime, and nothing of the rooms that read source files and classes.
"""
