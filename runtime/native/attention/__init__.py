"""Attention of many queries as one native call; the hook `native_attention` is the door."""
