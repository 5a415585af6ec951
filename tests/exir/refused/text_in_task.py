def described(x):
    return f"{x.sum()}"  # TX203


def refused(x):
    task = torch.jit.fork(described, x)
    if torch.jit.wait(task) == "none":
        return x + 1
    return x


def instead(x):
    task = torch.jit.fork(torch.isnan, x.sum())
    if bool(torch.jit.wait(task)):
        return x + 1
    return x


# arguments: torch.tensor([3.0, -1.0, 2.0])
