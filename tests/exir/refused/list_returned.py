def refused(x) -> List[Tensor]:
    found: List[Tensor] = []
    for row in x.unbind(0):
        if bool(row > 0):
            found.append(row)  # TX102
    return found


def instead(x):
    found: List[Tensor] = []
    for row in x.unbind(0):
        if bool(row > 0):
            found.append(row)
    return torch.stack(found)


# arguments: torch.tensor([3.0, -1.0, 2.0])
