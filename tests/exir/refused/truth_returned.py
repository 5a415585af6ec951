def refused(x) -> bool:
    return bool(x.sum() > 1)  # TX102


def instead(x):
    return x.sum() > 1


# arguments: torch.tensor([3.0, -1.0, 2.0])
