# How a loss is reduced: names, their codes, and the old flags size_average and reduce that names replaced.
def get_enum(reduction: str) -> int:
    if reduction == "none":
        code = 0
    elif reduction == "mean":
        code = 1
    elif reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is an old name: write reduction='mean'")
        code = 1
    elif reduction == "sum":
        code = 2
    else:
        raise ValueError("{} is not a valid value for reduction".format(reduction))
    return code


def legacy_get_string(
    size_average: Optional[bool],
    reduce: Optional[bool],
    emit_warning: bool = True,
) -> str:
    advice = "size_average and reduce are deprecated: write reduction='{}' in their place"
    if size_average is None:
        size_average = True
    if reduce is None:
        reduce = True
    if size_average and reduce:
        reduction = "mean"
    elif reduce:
        reduction = "sum"
    else:
        reduction = "none"
    if emit_warning:
        warnings.warn(advice.format(reduction), stacklevel=2)
    return reduction


def legacy_get_enum(
    size_average: Optional[bool],
    reduce: Optional[bool],
    emit_warning: bool = True,
) -> int:
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
