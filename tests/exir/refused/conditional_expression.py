def refused(x):
    return x.sin() if x[0].item() > 0 else x.cos()  # TX201


def instead(x):
    return torch.where(x[0] > 0, x.sin(), x.cos())


# arguments: torch.tensor([3.0, -1.0, 2.0])
