def refused(x):
    return torch.tensor([0.5] * int(x[0]))  # TX201


def instead(x):
    return torch.full([int(x[0])], 0.5)


# arguments: torch.tensor([3.0, -1.0, 2.0])
