def refused(x, ends):
    return torch.tensor_split(x, ends)[0].sum()  # TX202


def instead(x, ends):
    return x[: int(ends[0])].sum()


# arguments: torch.tensor([3.0, -1.0, 2.0]), torch.tensor([2])
