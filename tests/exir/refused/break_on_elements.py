def refused(x):
    total = torch.zeros(1)
    for row in x.unbind(0):
        if bool(row < 0):  # TX201
            break
        total = total + row
    return total


def instead(x):
    goes_on = (x >= 0).long().cumprod(0)
    return (x * goes_on).sum(0, True)


# arguments: torch.tensor([3.0, -1.0, 2.0])
