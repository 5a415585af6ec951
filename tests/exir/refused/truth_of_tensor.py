def refused(x):
    if x.sum():  # TX201
        return x * 2
    return x


def instead(x):
    return torch.where(x.sum() != 0, x * 2, x)


# arguments: torch.tensor([3.0, -1.0, 2.0])
