def refused(x):
    return x * 2 if torch.is_nonzero(x) else x  # TX201


def instead(x):
    return torch.where(x != 0, x * 2, x)


# arguments: torch.tensor(1.0)
