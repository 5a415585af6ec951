# Softmax and its relatives. Without a dimension, the one is taken that old programs expect.
def _implicit_dim(rank: int) -> int:
    return 0 if rank == 0 or rank == 1 or rank == 3 else 1


def softmax(
    input: Tensor,
    dim: Optional[int] = None,
    _stacklevel: int = 3,
    dtype: Optional[int] = None,
) -> Tensor:
    if dim is None:
        dim = torch.nn.functional._implicit_dim(input.dim())
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(
    input: Tensor,
    dim: Optional[int] = None,
    _stacklevel: int = 3,
    dtype: Optional[int] = None,
) -> Tensor:
    return torch.nn.functional.softmax(-input, dim, _stacklevel, dtype)


def log_softmax(
    input: Tensor,
    dim: Optional[int] = None,
    _stacklevel: int = 3,
    dtype: Optional[int] = None,
) -> Tensor:
    if dim is None:
        dim = torch.nn.functional._implicit_dim(input.dim())
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor,
    tau: float = 1.0,
    hard: bool = False,
    eps: float = 1e-10,
    dim: int = -1,
) -> Tensor:
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.")
    noise = -torch.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    chosen = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return chosen - soft.detach() + soft
