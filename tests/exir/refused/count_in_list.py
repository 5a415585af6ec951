def refused(x):
    kinds = [4, 3, 7, 3]
    return kinds.count(int(x[0]))  # TX201


def instead(x):
    kinds = torch.tensor([4, 3, 7, 3])
    return int((kinds == int(x[0])).sum())


# arguments: torch.tensor([3.0, -1.0, 2.0])
