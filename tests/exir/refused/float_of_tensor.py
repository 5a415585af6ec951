def refused(x):
    scale = float(x.abs().max())  # TX201
    return x / scale


def instead(x):
    return x / x.abs().max()


# arguments: torch.tensor([3.0, -1.0, 2.0])
