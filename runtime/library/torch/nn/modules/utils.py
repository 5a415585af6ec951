# Sizes given once for all dimensions, or one by one.
def _ntuple(n, name="parse"):
    def parse(x):
        return tuple(x) if isinstance(x, (tuple, list)) else (x,) * n

    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    return tuple([x for x in reversed(t) for _ in range(n)])


def _list_with_default(out_size, defaults):
    if isinstance(out_size, int):
        return out_size
    missing = len(defaults) - len(out_size)
    if missing <= 0:
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [d if v is None else v for v, d in zip(out_size, defaults[missing:])]
