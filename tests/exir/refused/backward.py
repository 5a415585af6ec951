def refused(x):
    loss = x.pow(2).sum()
    loss.backward()  # TX402
    return loss


def instead(x):
    return x.pow(2).sum()


# arguments: torch.tensor([3.0, -1.0, 2.0])
