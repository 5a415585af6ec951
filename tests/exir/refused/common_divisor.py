def refused(x):
    return math.gcd(int(x[0]), 6)  # TX201


def instead(x):
    return int(torch.gcd(x[0].long(), torch.tensor(6)))


# arguments: torch.tensor([4.0, -1.0, 2.0])
