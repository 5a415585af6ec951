def refused(x):
    keep = (x > 0) & (x < 3)
    return x[keep].sum()  # TX202


def instead(x):
    keep = (x > 0) & (x < 3)
    return (x * keep).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
