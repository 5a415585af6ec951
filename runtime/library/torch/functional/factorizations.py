# LU factorization, with or without the places of zero pivots.
def _lu_with_infos(
    A: Tensor,
    pivot: bool = True,
    get_infos: bool = False,
    out: Optional[Tuple[Tensor, Tensor, Tensor]] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    factors, pivots, infos = torch._lu_with_info(A, pivot=pivot, check_errors=False)
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
    factors, pivots, infos = torch._lu_with_info(A, pivot=pivot, check_errors=True)
    if out is None:
        return factors, pivots
    torch.functional._written(factors, out[0])
    torch.functional._written(pivots, out[1])
    return out


def _written(result: Tensor, out: Tensor) -> Tensor:
    return out.resize_(result.size()).copy_(result)
