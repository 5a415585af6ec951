def refused(x):
    parts: Dict[str, Tensor] = {"a": x, "b": x + 1}
    names = ["b", "a", "a"]
    return parts[names[int(x.argmax())]]  # TX201


def instead(x):
    parts = [x + 1, x, x]
    return parts[int(x.argmax())]


# arguments: torch.tensor([3.0, -1.0, 2.0])
