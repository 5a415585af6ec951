"""Array numerics behind larger operator families, on NumPy arrays alone: they know neither tensors nor schemas."""
