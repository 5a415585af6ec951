# LU factorization, with or without the places of zero pivots.
def _check_list_size(out_len: int, get_infos: bool, out: List[Tensor]) -> None:
    of_infos = 1 if get_infos else 0
    if out_len - of_infos != 2:
        raise TypeError(
            "expected a tuple of {} tensors as out, and not of {}".format(
                2 + int(get_infos), out_len
            )
        )


def _lu_impl(
    A: Tensor,
    pivot: bool = True,
    get_infos: bool = False,
    out: Any = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    return torch._lu_with_info(A, pivot=pivot, check_errors=(not get_infos))


def _lu_with_infos(
    A: Tensor,
    pivot: bool = True,
    get_infos: bool = False,
    out: Optional[Tuple[Tensor, Tensor, Tensor]] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    found = torch.functional._lu_impl(A, pivot, get_infos, out)
    if out is not None:
        torch.functional._check_list_size(len(out), get_infos, out)
        for i in range(len(out)):
            out[i].resize_as_(found[i]).copy_(found[i])
        return out
    else:
        return found


def _lu_no_infos(
    A: Tensor,
    pivot: bool = True,
    get_infos: bool = False,
    out: Optional[Tuple[Tensor, Tensor]] = None,
) -> Tuple[Tensor, Tensor]:
    found = torch.functional._lu_impl(A, pivot, get_infos, out)
    if out is not None:
        torch.functional._check_list_size(len(out), get_infos, out)
        for i in range(len(out)):
            out[i].resize_as_(found[i]).copy_(found[i])
        return out
    else:
        return found[0], found[1]
