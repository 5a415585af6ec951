def refused(x):
    return x.device  # TX102


def instead(x):
    return str(x.device)


# arguments: torch.tensor([3.0, -1.0, 2.0])
