def refused(x):
    return x[x > 0].sum()  # TX202


def instead(x):
    return torch.where(x > 0, x, torch.zeros_like(x)).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
