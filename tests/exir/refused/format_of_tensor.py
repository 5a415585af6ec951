def refused(x):
    return "largest: {}".format(x.max())  # TX102 TX203


def instead(x):
    return x.max()


# arguments: torch.tensor([3.0, -1.0, 2.0])
