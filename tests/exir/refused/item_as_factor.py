def refused(x):
    return x * x.max().item()  # TX201


def instead(x):
    return x * x.max()


# arguments: torch.tensor([3.0, -1.0, 2.0])
