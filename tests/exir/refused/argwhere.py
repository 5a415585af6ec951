def refused(x):
    return torch.argwhere(x > 0).sum()  # TX202


def instead(x):
    return (torch.arange(3) * (x > 0)).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
