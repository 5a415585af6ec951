# Products of tensors. The overloads of tensordot name the dimensions that are summed over
# by their number (the last of a with the first of b), or as two lists.
def _tensordot(a: Tensor, b: Tensor, dims: List[List[int]], out: Optional[Tensor]) -> Tensor:
    if out is None:
        return torch._VF.tensordot(a, b, dims[0], dims[1])
    return torch._VF.tensordot(a, b, dims[0], dims[1], out=out)


def _adjoining_dims(count: int) -> List[List[int]]:
    return [[axis for axis in range(-count, 0)], [axis for axis in range(count)]]


def tensordot(a: Tensor, b: Tensor, dims: int = 2, out: Optional[Tensor] = None) -> Tensor:
    if dims < 0:
        raise RuntimeError("tensordot expects dims >= 0, but got dims={}".format(dims))
    if dims > min(a.dim(), b.dim()):
        raise RuntimeError(
            "tensordot expects dims < ndim_a or ndim_b, but got dims={}".format(dims)
        )
    return torch.functional._tensordot(a, b, torch.functional._adjoining_dims(dims), out)


def tensordot(
    a: Tensor,
    b: Tensor,
    dims: Tuple[List[int], List[int]],
    out: Optional[Tensor] = None,
) -> Tensor:
    return torch.functional._tensordot(a, b, [dims[0], dims[1]], out)


def tensordot(
    a: Tensor,
    b: Tensor,
    dims: List[List[int]],
    out: Optional[Tensor] = None,
) -> Tensor:
    return torch.functional._tensordot(a, b, dims, out)


def tensordot(a: Tensor, b: Tensor, dims: Tensor, out: Optional[Tensor] = None) -> Tensor:
    if dims.numel() > 1:
        pairs = torch.jit.annotate(List[List[int]], dims.tolist())
        return torch.functional._tensordot(a, b, pairs, out)
    count = int(dims.item())
    if count < 0:
        raise RuntimeError("tensordot expects dims >= 0, but got dims={}".format(count))
    return torch.functional._tensordot(a, b, torch.functional._adjoining_dims(count), out)
