def refused(x):
    return x.nonzero().sum()  # TX202


def instead(x):
    return ((x != 0) * torch.arange(3)).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
