class Kind(Enum):
    SMALL = 0
    LARGE = 1


def refused(x) -> Kind:
    return Kind.SMALL if x.dim() == 1 else Kind.LARGE  # TX102


def instead(x) -> int:
    kind = Kind.SMALL if x.dim() == 1 else Kind.LARGE
    return kind.value


# arguments: torch.tensor([3.0, -1.0, 2.0])
