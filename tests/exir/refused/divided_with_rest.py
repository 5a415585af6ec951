def refused(x):
    a, b = divmod(int(x[0]), 2)  # TX201
    return x * a + b


def instead(x):
    n = int(x[0])
    return x * (n // 2) + n % 2


# arguments: torch.tensor([3.0, -1.0, 2.0])
