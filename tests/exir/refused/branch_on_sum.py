def refused(x):
    if bool(x.sum() > 0):  # TX201
        return x + 1
    return x - 1


def instead(x):
    return torch.where(x.sum() > 0, x + 1, x - 1)


# arguments: torch.tensor([3.0, -1.0, 2.0])
