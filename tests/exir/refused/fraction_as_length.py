def refused(x):
    return torch.arange(float(x.max())).sum()  # TX202


def instead(x):
    return torch.arange(int(x.max())).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
