"""Modules of source files: constructed, scripted and run here, compared with what PyTorch does."""
