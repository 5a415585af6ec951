def refused(x):
    scales = {1: 0.5, 3: 2.0}
    return x * scales[int(x[0])]  # TX201


def instead(x):
    return x * torch.where(x[0] == 3, 2.0, 0.5)


# arguments: torch.tensor([3.0, -1.0, 2.0])
