def refused(x):
    with torch.no_grad():  # TX401
        y = x.exp()
    return y


def instead(x):
    return x.exp()


# arguments: torch.tensor([3.0, -1.0, 2.0])
