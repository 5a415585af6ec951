"""What a running program holds: tensors, containers, objects, futures; their types, their order."""
