# Norms. The overloads differ in the type of p (a name or a number) and of dim (several or one); they
# share the last definition's body, of which each takes the branches that its types allow.
def norm(
    input: Tensor,
    p: str = "fro",
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor: ...


def norm(
    input: Tensor,
    p: Optional[number],
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor: ...


def norm(
    input: Tensor,
    p: Optional[number],
    dim: Optional[int] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor: ...


def norm(
    input: Tensor,
    p: str = "fro",
    dim: Optional[int] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor: ...


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if input.layout == torch.strided and input.device.type in [
        "cpu",
        "cuda",
        "xpu",
        "meta",
        "privateuseone",
    ]:
        if dim is not None:
            if isinstance(dim, int):
                dims = [dim]
            else:
                dims = dim
        else:
            dims = None
        if isinstance(p, str):
            if p == "fro" and (dim is None or isinstance(dim, int) or len(dim) <= 2):
                if out is None:
                    return torch.linalg.vector_norm(input, 2, dims, keepdim, dtype=dtype)
                else:
                    return torch.linalg.vector_norm(input, 2, dims, keepdim, dtype=dtype, out=out)
            if dims is None:
                dims = list(range(input.dim()))
            if out is None:
                return torch.linalg.matrix_norm(input, p, dims, keepdim, dtype=dtype)
            else:
                return torch.linalg.matrix_norm(input, p, dims, keepdim, dtype=dtype, out=out)
        else:
            order = 2.0 if p is None else p
            if out is None:
                return torch.linalg.vector_norm(input, order, dims, keepdim, dtype=dtype)
            else:
                return torch.linalg.vector_norm(input, order, dims, keepdim, dtype=dtype, out=out)
    rank = input.dim()
    if dim is None and out is None and dtype is None and p is not None:
        if isinstance(p, str):
            if p == "fro":
                return torch._VF.frobenius_norm(input, dim=[], keepdim=keepdim)
        if not isinstance(p, str):
            dims = list(range(rank))
            return torch._VF.norm(input, p, dim=dims, keepdim=keepdim)
    if dim is not None:
        if isinstance(dim, int):
            dims = [dim]
        else:
            dims = dim
    else:
        dims = None
    if isinstance(p, str):
        if p == "fro":
            if dtype is not None:
                raise ValueError("dtype argument is not supported where p is fro: convert the input")
            if dims is None:
                dims = list(range(rank))
            if out is None:
                return torch._VF.frobenius_norm(input, dims, keepdim=keepdim)
            else:
                return torch._VF.frobenius_norm(input, dims, keepdim=keepdim, out=out)
        elif p == "nuc":
            if dtype is not None:
                raise ValueError("dtype argument is not supported where p is nuc: convert the input")
            if dims is None:
                if out is None:
                    return torch._VF.nuclear_norm(input, keepdim=keepdim)
                else:
                    return torch._VF.nuclear_norm(input, keepdim=keepdim, out=out)
            else:
                if out is None:
                    return torch._VF.nuclear_norm(input, dims, keepdim=keepdim)
                else:
                    return torch._VF.nuclear_norm(input, dims, keepdim=keepdim, out=out)
        raise RuntimeError("only valid string values are 'fro' and 'nuc', found {}".format(p))
    else:
        if dims is None:
            dims = list(range(rank))
        if out is None:
            if dtype is None:
                return torch._VF.norm(input, p, dims, keepdim=keepdim)
            else:
                return torch._VF.norm(input, p, dims, keepdim=keepdim, dtype=dtype)
        else:
            if dtype is None:
                return torch._VF.norm(input, p, dims, keepdim=keepdim, out=out)
            else:
                return torch._VF.norm(input, p, dims, keepdim=keepdim, dtype=dtype, out=out)
