class Refused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = [0]

    def forward(self, x):
        self.seen.append(1)  # TX302
        return x * len(self.seen)


class Instead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.ones(1))

    def forward(self, x):
        self.seen += 1
        return x * self.seen


# arguments: torch.tensor([3.0, -1.0, 2.0])
