"""The ground tensors stand on: dtypes and their promotion, dimensions, strides, storage. No tensor is in it."""
