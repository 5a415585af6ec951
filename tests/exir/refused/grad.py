def refused(x):
    return torch.autograd.grad([x.pow(2).sum()], [x])  # TX402


def instead(x):
    return [2 * x]


# arguments: torch.tensor([3.0, -1.0, 2.0])
