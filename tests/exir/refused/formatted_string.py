def refused(x):
    return f"{x.sum()}"  # TX102 TX203


def instead(x):
    return x.sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
