class Refused(torch.nn.Module):
    before: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.before = None

    def forward(self, x):
        before = self.before
        self.before = x  # TX301
        if before is None:
            return x
        return x - before


class Instead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.before = torch.zeros(3)
        self.has_before = False

    def forward(self, x):
        found = x - self.before if self.has_before else x
        self.before = x
        self.has_before = True
        return found


# arguments: torch.tensor([3.0, -1.0, 2.0])
