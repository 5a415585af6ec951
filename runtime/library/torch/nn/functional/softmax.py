# Softmax and its relatives. Without a dimension, the one is taken that old programs expect.
def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        "{} without a dimension is deprecated: say which by dim=...".format(name),
        stacklevel=stacklevel,
    )
    if ndim == 0 or ndim == 1 or ndim == 3:
        chosen = 0
    else:
        chosen = 1
    return chosen


def softmax(
    input: Tensor,
    dim: Optional[int] = None,
    _stacklevel: int = 3,
    dtype: Optional[int] = None,
) -> Tensor:
    if dim is None:
        dim = torch.nn.functional._get_softmax_dim("softmax", input.dim(), _stacklevel)
    if dtype is None:
        shares = input.softmax(dim)
    else:
        shares = input.softmax(dim, dtype=dtype)
    return shares


def softmin(
    input: Tensor,
    dim: Optional[int] = None,
    _stacklevel: int = 3,
    dtype: Optional[int] = None,
) -> Tensor:
    if dim is None:
        dim = torch.nn.functional._get_softmax_dim("softmin", input.dim(), _stacklevel)
    if dtype is None:
        shares = (-input).softmax(dim)
    else:
        shares = (-input).softmax(dim, dtype=dtype)
    return shares


def log_softmax(
    input: Tensor,
    dim: Optional[int] = None,
    _stacklevel: int = 3,
    dtype: Optional[int] = None,
) -> Tensor:
    if dim is None:
        dim = torch.nn.functional._get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    if dtype is None:
        shares = input.log_softmax(dim)
    else:
        shares = input.log_softmax(dim, dtype=dtype)
    return shares


def gumbel_softmax(
    logits: Tensor,
    tau: float = 1.0,
    hard: bool = False,
    eps: float = 1e-10,
    dim: int = -1,
) -> Tensor:
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated: gumbel_softmax does not look at it", stacklevel=2)
    noise = -torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    noisy = (logits + noise) / tau
    soft = noisy.softmax(dim)
    if hard:
        index = soft.max(dim, keepdim=True)[1]
        chosen = torch.zeros_like(logits, memory_format=torch.contiguous_format).scatter_(
            dim, index, 1.0
        )
        shares = chosen - soft.detach() + soft
    else:
        shares = soft
    return shares
