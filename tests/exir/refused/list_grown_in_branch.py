def refused(x):
    found: List[Tensor] = []
    for row in x.unbind(0):
        if bool(row > 0):
            found.append(row)  # TX205
    return torch.stack(found)


def instead(x):
    return x[x > 0]


# arguments: torch.tensor([3.0, -1.0, 2.0])
