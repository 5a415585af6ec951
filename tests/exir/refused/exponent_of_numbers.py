def refused(x):
    return x * 2.0 ** float(x[0])  # TX201


def instead(x):
    return x * 2.0 ** x[0]


# arguments: torch.tensor([3.0, -1.0, 2.0])
