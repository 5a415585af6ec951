def refused(x):
    found: List[Tensor] = []
    while bool(x.sum() < 20):
        found.append(x.sum())  # TX205
        x = x * 2
    return torch.stack(found)


def instead(x):
    found = torch.zeros(16)
    turn = 0
    while bool(x.sum() < 20):
        found[turn] = x.sum()
        turn += 1
        x = x * 2
    return found[:turn]


# arguments: torch.tensor([3.0, -1.0, 2.0])
