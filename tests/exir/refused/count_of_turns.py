def refused(n, x):
    for _ in range(int(n)):  # TX201
        x = x * 2
    return x


def instead(n, x):
    for turn in range(4):
        x = torch.where(n > turn, x * 2, x)
    return x


# arguments: torch.tensor(2), torch.ones(2)
