def refused(x):
    return torch.linspace(0.0, 1.0, int(x.max())).sum()  # TX202


def instead(x):
    n = int(x.max())
    return (torch.arange(n) / (n - 1)).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
