def refused(x):
    return str(x)  # TX102 TX203


def instead(x):
    return x


# arguments: torch.tensor([3.0, -1.0, 2.0])
