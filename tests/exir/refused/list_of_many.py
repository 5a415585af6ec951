def refused(x):
    return x + len([0] * int(x[0]))  # TX201


def instead(x):
    return x + int(x[0])


# arguments: torch.tensor([3.0, -1.0, 2.0])
