def refused(x):
    if bool(x.isnan().any()):  # TX201
        raise ValueError("not a number")
    return x.exp()


def instead(x):
    return x.exp()


# arguments: torch.tensor([3.0, -1.0, 2.0])
