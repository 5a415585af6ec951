def refused(x):
    if bool(x.isnan().any()):
        raise ValueError(f"not a number in {x.sum().item()}")  # TX203
    return x.exp()


def instead(x):
    if bool(x.isnan().any()):
        raise ValueError("not a number")
    return x.exp()


# arguments: torch.tensor([3.0, -1.0, 2.0])
