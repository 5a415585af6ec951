def refused(x):
    torch.manual_seed(int(x[0]))  # TX201
    return x + 0 * torch.rand(3)


def instead(x):
    return x + 0 * torch.rand(3)


# arguments: torch.tensor([3.0, -1.0, 2.0])
