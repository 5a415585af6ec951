def refused(x, places):
    return x[x[:, 0] > 0, places].sum()  # TX202


def instead(x, places):
    return x[x[:, 0] > 0][[0, 1], places].sum()


# arguments: torch.tensor([[3.0, -1.0], [2.0, 1.0]]), torch.tensor([0, 1])
