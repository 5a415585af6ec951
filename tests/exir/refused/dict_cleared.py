class Refused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.totals = {"first": torch.zeros(3)}

    def forward(self, x):
        self.totals.clear()  # TX302
        return x + len(self.totals)


class Instead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.totals = {"first": torch.zeros(3)}
        self.count = 1

    def forward(self, x):
        self.count = 0
        return x + self.count


# arguments: torch.tensor([3.0, -1.0, 2.0])
