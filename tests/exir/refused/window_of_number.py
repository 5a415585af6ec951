def refused(x):
    return x.unfold(0, int(x[1]), 1).sum()  # TX202


def instead(x):
    n = int(x[1])
    places = torch.arange(4 - n).unsqueeze(1) + torch.arange(n)
    return x[places].sum()


# arguments: torch.tensor([3.0, 2.0, 2.0])
