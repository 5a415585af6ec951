"""Modules like those of products, scripted and traced by PyTorch, which are exported from their archives."""
