def refused(x):
    return x * (int(x[0]) & 1)  # TX201


def instead(x):
    return x * (int(x[0]) % 2)


# arguments: torch.tensor([3.0, -1.0, 2.0])
