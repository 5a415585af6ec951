def refused(x):
    return x + 1 if str(x) == "" else x  # TX203


def instead(x):
    return x


# arguments: torch.tensor([3.0, -1.0, 2.0])
