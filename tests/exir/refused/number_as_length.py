def refused(n):
    return torch.arange(int(n))  # TX202


def instead(n):
    places = torch.arange(8)
    return torch.where(places < n, places, torch.zeros_like(places))[:5]


# arguments: torch.tensor(5)
