# Sizes given once for all dimensions, or one by one.
def _ntuple(n, name="spread"):
    def spread(size):
        return tuple(size) if isinstance(size, (tuple, list)) else (size,) * n

    return spread


_single = _ntuple(1)
_pair = _ntuple(2)
_triple = _ntuple(3)
_quadruple = _ntuple(4)


def _reverse_repeat_tuple(t, n):
    return tuple([size for size in t[::-1] for _ in range(n)])


def _list_with_default(out_size, defaults):
    if isinstance(out_size, int):
        return out_size
    missing = len(defaults) - len(out_size)
    if missing <= 0:
        raise ValueError(f"{len(out_size)} sizes need an input of more dimensions")
    return [d if v is None else v for v, d in zip(out_size, defaults[missing:])]
