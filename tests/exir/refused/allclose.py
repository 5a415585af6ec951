def refused(x, y):
    if torch.allclose(x, y):  # TX201
        return x
    return y


def instead(x, y):
    return torch.where(torch.isclose(x, y).all(), x, y)


# arguments: torch.ones(2), torch.ones(2)
