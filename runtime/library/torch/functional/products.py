# Products of tensors. The overloads of tensordot name the dimensions that are summed over
# by their number (the last of a with the first of b), or as two lists; they share a body.
def tensordot(a: Tensor, b: Tensor, dims: int = 2, out: Optional[Tensor] = None) -> Tensor: ...


def tensordot(
    a: Tensor,
    b: Tensor,
    dims: Tuple[List[int], List[int]],
    out: Optional[Tensor] = None,
) -> Tensor: ...


def tensordot(
    a: Tensor,
    b: Tensor,
    dims: List[List[int]],
    out: Optional[Tensor] = None,
) -> Tensor: ...


def tensordot(a: Tensor, b: Tensor, dims: Tensor, out: Optional[Tensor] = None) -> Tensor: ...


def tensordot(a, b, dims=2, out=None):
    if not isinstance(dims, (tuple, list, torch.Tensor, int)):
        raise RuntimeError("tensordot expects dims to be a number, two lists, or a Tensor")
    of_a: List[int] = []
    of_b: List[int] = []
    if isinstance(dims, (tuple, list)):
        of_a, of_b = dims
    if isinstance(dims, torch.Tensor):
        count = dims.numel()
        if count > 1:
            if dims.size()[0] != 2:
                raise AssertionError(
                    "dims tensor must have size 2 in dim 0, where it is {}".format(dims.size()[0])
                )
            of_a = torch.jit.annotate(List[int], dims[0].tolist())
            of_b = torch.jit.annotate(List[int], dims[1].tolist())
        else:
            number = int(dims.item())
            if number < 0:
                raise RuntimeError("tensordot expects dims >= 0, but got dims={}".format(dims))
            of_a = list(range(-number, 0))
            of_b = list(range(number))
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError("tensordot expects dims >= 0, but got dims={}".format(dims))
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(
                "tensordot expects dims < ndim_a or ndim_b, but got dims={}".format(dims)
            )
        of_a = list(range(-dims, 0))
        of_b = list(range(dims))
    if out is None:
        return torch._VF.tensordot(a, b, of_a, of_b)
    else:
        return torch._VF.tensordot(a, b, of_a, of_b, out=out)
