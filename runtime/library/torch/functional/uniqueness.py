# Distinct elements or slices. Flags, known when compiling, say what is returned besides them.
def _unique_impl(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    if dim is not None:
        output, inverse, counts = torch._VF.unique_dim(
            input, dim, sorted, return_inverse, return_counts
        )
    else:
        output, inverse, counts = torch._VF._unique2(input, sorted, return_inverse, return_counts)
    return output, inverse, counts


def _return_output(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tensor:
    output, _, _ = torch.functional._unique_impl(input, sorted, return_inverse, return_counts, dim)
    return output


def _return_inverse(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    output, inverse, _ = torch.functional._unique_impl(
        input, sorted, return_inverse, return_counts, dim
    )
    return output, inverse


def _return_counts(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    output, _, counts = torch.functional._unique_impl(
        input, sorted, return_inverse, return_counts, dim
    )
    return output, counts


def _return_inverse_and_counts(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    return torch.functional._unique_impl(input, sorted, return_inverse, return_counts, dim)


def _unique_consecutive_impl(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    output, inverse, counts = torch._VF.unique_consecutive(
        input, return_inverse, return_counts, dim
    )
    return output, inverse, counts


def _consecutive_return_output(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tensor:
    output, _, _ = torch.functional._unique_consecutive_impl(
        input, return_inverse, return_counts, dim
    )
    return output


def _consecutive_return_inverse(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    output, inverse, _ = torch.functional._unique_consecutive_impl(
        input, return_inverse, return_counts, dim
    )
    return output, inverse


def _consecutive_return_counts(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor]:
    output, _, counts = torch.functional._unique_consecutive_impl(
        input, return_inverse, return_counts, dim
    )
    return output, counts


def _consecutive_return_inverse_and_counts(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Optional[int] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    return torch.functional._unique_consecutive_impl(input, return_inverse, return_counts, dim)
