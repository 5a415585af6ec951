def refused(labels):
    return torch.nn.functional.one_hot(labels)  # TX202


def instead(labels):
    return torch.nn.functional.one_hot(labels, 3)


# arguments: torch.tensor([0, 2, 1])
