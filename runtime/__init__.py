"""The runtime: tensors over NumPy, operators, bytecode and its interpreter. May import ``compiler``."""
