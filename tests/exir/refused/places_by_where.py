def refused(x):
    places = torch.where(x > 0)[0]  # TX202
    return places.sum()


def instead(x):
    return (torch.arange(3) * (x > 0)).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
