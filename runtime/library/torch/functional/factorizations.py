# LU factorization, with or without the places of zero pivots.
def _zero_pivots(factors: Tensor) -> Tensor:
    is_zero = factors.diagonal(dim1=-2, dim2=-1) == 0
    first = is_zero.to(torch.int32).argmax(dim=-1) + 1
    return torch.where(is_zero.any(dim=-1), first, torch.zeros_like(first)).to(torch.int32)


def _lu_with_infos(
    A: Tensor,
    pivot: bool = True,
    get_infos: bool = False,
    out: Optional[Tuple[Tensor, Tensor, Tensor]] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    factors, pivots = torch.linalg.lu_factor(A, pivot=pivot)
    infos = torch.functional._zero_pivots(factors)
    if out is None:
        return factors, pivots, infos
    torch.functional._written(factors, out[0])
    torch.functional._written(pivots, out[1])
    torch.functional._written(infos, out[2])
    return out


def _lu_no_infos(
    A: Tensor,
    pivot: bool = True,
    get_infos: bool = False,
    out: Optional[Tuple[Tensor, Tensor]] = None,
) -> Tuple[Tensor, Tensor]:
    factors, pivots = torch.linalg.lu_factor(A, pivot=pivot)
    if out is None:
        return factors, pivots
    torch.functional._written(factors, out[0])
    torch.functional._written(pivots, out[1])
    return out


def _written(result: Tensor, out: Tensor) -> Tensor:
    return out.resize_(result.size()).copy_(result)
