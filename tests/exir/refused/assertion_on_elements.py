def refused(x):
    assert bool((x < 10).all()), "too large"  # TX201
    return x + 1


def instead(x):
    return x + 1


# arguments: torch.tensor([3.0, -1.0, 2.0])
