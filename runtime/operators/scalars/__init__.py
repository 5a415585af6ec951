"""Operators on what is no tensor: numbers, strings, containers, devices, and control."""
