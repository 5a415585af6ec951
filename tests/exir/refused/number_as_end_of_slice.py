def refused(x, n):
    return x[: int(n)].sum()  # TX202


def instead(x, n):
    return torch.where(torch.arange(x.size(0)) < n, x, torch.zeros_like(x)).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0]), torch.tensor(2)
