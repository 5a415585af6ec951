def work(x):
    return x.sin()


def refused(x) -> torch.jit.Future[Tensor]:
    return torch.jit.fork(work, x)  # TX102


def instead(x):
    return work(x)


# arguments: torch.tensor([3.0, -1.0, 2.0])
