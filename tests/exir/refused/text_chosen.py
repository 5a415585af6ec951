def refused(x):
    names = ["low", "high"]
    if names[int(x.argmax())] == "high":  # TX201
        return x + 1
    return x


def instead(x):
    if int(x.argmax()) == 1:
        return x + 1
    return x


# arguments: torch.tensor([3.0, 4.0])
