def refused(x):
    weights = [0.5, 2.0, 4.0]
    return x * weights[int(x.argmax())]  # TX201


def instead(x):
    weights = torch.tensor([0.5, 2.0, 4.0])
    return x * weights[int(x.argmax())]


# arguments: torch.tensor([3.0, -1.0, 2.0])
