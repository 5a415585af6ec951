def refused(x):
    while bool(x.abs().sum() > 1):  # TX201
        x = x / 2
    return x


def instead(x):
    for _ in range(16):
        x = torch.where(x.abs().sum() > 1, x / 2, x)
    return x


# arguments: torch.tensor([3.0, -1.0, 2.0])
