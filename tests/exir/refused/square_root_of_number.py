def refused(x):
    return x / math.sqrt(float(x.sum()))  # TX201


def instead(x):
    return x / x.sum().sqrt()


# arguments: torch.tensor([3.0, 1.0, 5.0])
