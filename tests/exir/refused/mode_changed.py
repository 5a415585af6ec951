class Refused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = "first"

    def forward(self, x):
        mode = self.mode
        self.mode = "later"  # TX301
        return x if mode == "first" else x + 1


class Instead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.is_first = True

    def forward(self, x):
        is_first = self.is_first
        self.is_first = False
        return x if is_first else x + 1


# arguments: torch.tensor([3.0, -1.0, 2.0])
