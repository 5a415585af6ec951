def refused(x):
    return torch.unique_consecutive(x).sum()  # TX202


def instead(x):
    first = torch.cat([torch.ones(1, dtype=torch.bool), x[1:] != x[:-1]])
    return (x * first).sum()


# arguments: torch.tensor([1, 1, 2])
