class Refused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {"last": torch.zeros(3)}

    def forward(self, x):
        self.kept["last"] = x  # TX302
        return x + 1


class Instead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3))

    def forward(self, x):
        self.last.copy_(x)
        return x + 1


# arguments: torch.tensor([3.0, -1.0, 2.0])
