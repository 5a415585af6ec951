def refused(x):
    numbers = [int(x[0]), int(x[1]), 2]
    return sorted(numbers)[1]  # TX201


def instead(x):
    numbers = torch.tensor([int(x[0]), int(x[1]), 2])
    return int(numbers.sort()[0][1])


# arguments: torch.tensor([3.0, -1.0, 2.0])
