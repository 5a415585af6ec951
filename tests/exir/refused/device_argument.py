def refused(x, device: torch.device):  # TX101
    return x.to(device)


def instead(x, device: str):
    return x.to(device)


# arguments: torch.ones(2), 'cpu'
# of the refused: torch.ones(2), torch.device('cpu')
