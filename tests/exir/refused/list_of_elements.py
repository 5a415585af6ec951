def refused(x) -> List[float]:
    values: List[float] = x.tolist()  # TX201
    return values


def instead(x):
    return x.unbind(0)


# arguments: torch.tensor([3.0, -1.0, 2.0])
