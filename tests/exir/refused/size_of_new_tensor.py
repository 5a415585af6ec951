def refused(lengths):
    longest = int(lengths.max())  # TX201
    return torch.arange(longest) < lengths.unsqueeze(1)


def instead(lengths, longest: int = 3):
    return torch.arange(longest) < lengths.unsqueeze(1)


# arguments: torch.tensor([1, 3])
