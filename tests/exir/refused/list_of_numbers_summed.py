def refused(x):
    return x * sum([float(x[0]), float(x[1])])  # TX201


def instead(x):
    return x * (float(x[0]) + float(x[1]))


# arguments: torch.tensor([3.0, -1.0, 2.0])
