def refused(x):
    return torch.tensor(ord(chr(int(x[0]))))  # TX201


def instead(x):
    return torch.tensor(int(x[0]))


# arguments: torch.tensor([65.0, -1.0, 2.0])
