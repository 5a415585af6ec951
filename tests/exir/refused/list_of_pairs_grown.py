def refused(x):
    found: List[Tuple[Tensor, int]] = []
    turn = 0
    while bool(x.sum() < 20):
        found.append((x.sum(), turn))  # TX205
        turn += 2
        x = x * 2
    total = torch.zeros([])
    for value, turn in found:
        total = total + value * turn
    return total


def instead(x):
    values: List[Tensor] = []
    turns: List[int] = []
    turn = 0
    while bool(x.sum() < 20):
        values.append(x.sum())
        turns.append(turn)
        turn += 2
        x = x * 2
    total = torch.zeros([])
    for i in range(len(values)):
        total = total + values[i] * turns[i]
    return total


# arguments: torch.tensor([3.0, -1.0, 2.0])
