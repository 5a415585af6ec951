def refused(x):
    made = torch.Generator()
    made.manual_seed(3)
    return x * torch.rand(3, generator=made)  # TX408


def instead(x, noise):
    return x * noise


# arguments: torch.tensor([3.0, -1.0, 2.0]), torch.rand(3)
# of the refused: torch.tensor([3.0, -1.0, 2.0])
