def refused(x):
    return x * round(float(x.mean()))  # TX201


def instead(x):
    return x * x.mean().round()


# arguments: torch.tensor([3.0, -1.0, 2.0])
