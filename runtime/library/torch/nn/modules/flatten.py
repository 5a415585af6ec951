# Dimensions merged into one, and one split into several.
from torch import Tensor
from torch.nn.modules.layer import _Layer


class Flatten(_Layer):
    __constants__ = _shown = ["start_dim", "end_dim"]

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__(start_dim=start_dim, end_dim=end_dim)

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(_Layer):
    __constants__ = _shown = ["dim", "unflattened_size"]

    def __init__(self, dim: int, unflattened_size) -> None:
        sized = isinstance(unflattened_size, (tuple, list))
        if not sized or not all([isinstance(size, int) for size in unflattened_size]):
            raise TypeError(f"unflattened_size is a tuple of ints, not {unflattened_size!r}")
        super().__init__(dim=dim, unflattened_size=unflattened_size)

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)
