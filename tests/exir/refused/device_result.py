def refused(x):
    return x.device  # TX102


def instead(x):
    return x


# arguments: torch.tensor([3.0, -1.0, 2.0])
