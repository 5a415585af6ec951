def refused(x):
    rows = [x, x + 1, x + 2]
    return torch.stack(rows[: int(x[2])]).sum(0)  # TX201


def instead(x):
    rows = torch.stack([x, x + 1, x + 2])
    return rows[: int(x[2])].sum(0)


# arguments: torch.tensor([3.0, -1.0, 2.0])
