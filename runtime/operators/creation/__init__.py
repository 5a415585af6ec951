"""Operators that make tensors: of sizes, numbers, memory and random numbers."""
