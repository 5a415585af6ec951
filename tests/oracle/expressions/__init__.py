"""Tables of expressions over the builtin types: what PyTorch says of each, recorded and live."""
