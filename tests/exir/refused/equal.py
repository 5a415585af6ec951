def refused(x, y):
    return x + int(torch.equal(x, y))  # TX201


def instead(x, y):
    return x + (x == y).all()


# arguments: torch.ones(2), torch.ones(2)
