def refused(labels):
    return torch.bincount(labels)  # TX202


def instead(labels):
    return (labels.unsqueeze(1) == torch.arange(3)).sum(0)


# arguments: torch.tensor([0, 2, 2])
