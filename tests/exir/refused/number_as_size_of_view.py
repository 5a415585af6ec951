def refused(x, n):
    return x.view(int(n), -1).sum()  # TX202


def instead(x, n):
    return x.sum()


# arguments: torch.ones(6), torch.tensor(2)
