def refused(x):
    return torch.masked_select(x, x > 0).mean()  # TX202


def instead(x):
    keep = x > 0
    return (x * keep).sum() / keep.sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
