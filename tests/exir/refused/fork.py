def work(x):
    return x.sin()


def refused(x):
    task = torch.jit.fork(work, x)  # TX403
    return torch.jit.wait(task) + 1


def instead(x):
    return work(x) + 1


# arguments: torch.tensor([3.0, -1.0, 2.0])
