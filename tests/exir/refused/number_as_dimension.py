def refused(x, dim):
    return x.sum(int(dim))  # TX202


def instead(x, dim):
    return torch.where(dim == 0, x.sum(0), x.sum(1))


# arguments: torch.tensor([[3.0, -1.0], [2.0, 1.0]]), torch.tensor(1)
