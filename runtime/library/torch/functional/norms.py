# Norms. The overloads differ in the type of p (a name or a number) and of dim (several or one).
def _norm_by_number(
    input: Tensor,
    p: Optional[number],
    dim: Optional[List[int]],
    keepdim: bool,
    out: Optional[Tensor],
    dtype: Optional[int],
) -> Tensor:
    order = 2.0 if p is None else float(p)
    result = torch.linalg.vector_norm(input, order, dim, keepdim, dtype=dtype)
    return torch.functional._norm_into(result, out)


def _norm_by_name(
    input: Tensor,
    p: str,
    dim: Optional[List[int]],
    keepdim: bool,
    out: Optional[Tensor],
    dtype: Optional[int],
) -> Tensor:
    if p == "fro" and (dim is None or len(dim) <= 2):
        return torch.functional._norm_by_number(input, 2, dim, keepdim, out, dtype)
    dims = [axis for axis in range(input.dim())] if dim is None else dim
    result = torch.linalg.matrix_norm(input, p, dims, keepdim, dtype=dtype)
    return torch.functional._norm_into(result, out)


def _norm_into(result: Tensor, out: Optional[Tensor]) -> Tensor:
    return result if out is None else torch.functional._written(result, out)


def norm(
    input: Tensor,
    p: str = "fro",
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor:
    return torch.functional._norm_by_name(input, p, dim, keepdim, out, dtype)


def norm(
    input: Tensor,
    p: Optional[number],
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor:
    return torch.functional._norm_by_number(input, p, dim, keepdim, out, dtype)


def norm(
    input: Tensor,
    p: Optional[number],
    dim: Optional[int] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor:
    dims = None if dim is None else [dim]
    return torch.functional._norm_by_number(input, p, dims, keepdim, out, dtype)


def norm(
    input: Tensor,
    p: str = "fro",
    dim: Optional[int] = None,
    keepdim: bool = False,
    out: Optional[Tensor] = None,
    dtype: Optional[int] = None,
) -> Tensor:
    dims = None if dim is None else [dim]
    return torch.functional._norm_by_name(input, p, dims, keepdim, out, dtype)
