def refused(x) -> bool:
    flags = [bool(x[0] > 0), bool(x[1] > 0)]
    return flags[0] and flags[1]  # TX102


def instead(x):
    return torch.logical_and(x[0] > 0, x[1] > 0)


# arguments: torch.tensor([3.0, -1.0, 2.0])
