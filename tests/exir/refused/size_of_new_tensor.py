def refused(lengths):
    longest = int(lengths.max())
    return torch.arange(longest) < lengths.unsqueeze(1)  # TX202


def instead(lengths, longest: int = 3):
    return torch.arange(longest) < lengths.unsqueeze(1)


# arguments: torch.tensor([1, 3])
