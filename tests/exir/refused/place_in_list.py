def refused(x):
    kinds = [4, 3, 7]
    return kinds.index(int(x[0]))  # TX201


def instead(x):
    kinds = torch.tensor([4, 3, 7])
    return int((kinds == int(x[0])).long().argmax())


# arguments: torch.tensor([3.0, -1.0, 2.0])
