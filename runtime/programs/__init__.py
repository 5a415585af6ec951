"""Programs as units: source files and archives with their functions, and PyTorch's names for Python."""
