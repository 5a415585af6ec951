def refused(x, repeats):
    return torch.repeat_interleave(x, repeats).sum()  # TX202


def instead(x, repeats):
    return (x * repeats).sum()


# arguments: torch.ones(2), torch.tensor([1, 2])
