def refused(x):
    return torch.dropout(x, float(x[1]), False)  # TX202


def instead(x):
    return torch.dropout(x, 0.5, False)


# arguments: torch.tensor([3.0, 0.5, 2.0])
