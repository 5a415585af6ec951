def refused(x):
    best = int(x.argmax())  # TX201
    return x[best]


def instead(x):
    return x.index_select(0, x.argmax().reshape(1)).squeeze(0)


# arguments: torch.tensor([3.0, -1.0, 2.0])
