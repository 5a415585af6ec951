def refused(x, count):
    return x.chunk(int(count))[0].sum()  # TX202


def instead(x, count):
    n = int(count)
    return x[: (4 + n - 1) // n].sum()


# arguments: torch.tensor([3.0, -1.0, 2.0, 5.0]), torch.tensor(2)
