# Dimensions merged into one, and one split into several.
from torch import Tensor
from torch.nn import Module


class Flatten(Module):
    __constants__ = ["start_dim", "end_dim"]
    start_dim: int
    end_dim: int

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    __constants__ = ["dim", "unflattened_size"]
    dim: int

    def __init__(self, dim: int, unflattened_size) -> None:
        super().__init__()
        self._require_tuple_int(unflattened_size)
        self.dim = dim
        self.unflattened_size = unflattened_size

    def _require_tuple_int(self, input) -> None:
        wanted = "unflattened_size must be tuple of ints"
        if not isinstance(input, (tuple, list)):
            raise TypeError(f"{wanted}, but found type {type(input).__name__}")
        for place, size in enumerate(input):
            if not isinstance(size, int):
                found = f"found element of type {type(size).__name__} at pos {place}"
                raise TypeError(f"{wanted}, but {found}")

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
