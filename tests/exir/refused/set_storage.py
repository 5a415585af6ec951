def refused(x):
    y = torch.zeros(1)
    y.set_(x + 1)  # TX405
    return y


def instead(x):
    return x + 1


# arguments: torch.tensor([3.0, -1.0, 2.0])
