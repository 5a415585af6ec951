"""Modules that keep numbers, tensors and containers from call to call, which an exported program keeps in buffers."""

from __future__ import annotations

PROGRAMS = {
    "numbers": """
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.total = 0.5
        self.is_even = True

    def forward(self, x) -> Tuple[Tensor, int, float]:
        before = self.calls
        self.calls += 1
        self.is_even = not self.is_even
        if self.is_even:
            x = x * 2
        self.total = self.total + float(x.sum())
        return x * self.calls, before, self.total
""",
    "changed in branches": """
    def __init__(self):
        super().__init__()
        self.count = 0
        self.state = (torch.zeros(2), torch.ones(2), 3)
        self.last = [torch.zeros(2), torch.zeros(2)]
        self.kinds = {"small": 1, "large": 2}

    def forward(self, x):
        if x.sum() > 3:
            self.count += 1
            self.state = (x, self.state[0], self.state[2] + 1)
            self.last[0] = x
        else:
            self.kinds["small"] += 1
        self.last[1] = self.last[0] + 1
        return x + self.state[1] + self.last[1] + self.kinds["small"] + self.count, self.state[2]
""",
    "changed in loops": """
    def __init__(self):
        super().__init__()
        self.turns = 1
        self.level = torch.zeros(2)

    def forward(self, x):
        while bool(self.level.sum() < x.sum()):
            self.turns += 1
            self.level = self.level + 1
        parts = [x, x]
        while bool(parts[0].sum() < 20):
            parts[0] = parts[0] + 1
        return self.level * self.turns + parts[0]
""",
    "a ring of places": """
    def __init__(self):
        super().__init__()
        self.ring = torch.zeros(4)
        self.place = 0

    def forward(self, x):
        self.ring[self.place % 4] = x.sum()
        self.place += 1
        return self.ring * 2
""",
    "exchanged buffers": """
    def __init__(self):
        super().__init__()
        self.register_buffer("a", torch.zeros(2))
        self.register_buffer("b", torch.ones(2))

    def forward(self, x):
        a = self.a
        self.a = self.b + x
        self.b = a
        return a
""",
    "a queue": """
    def __init__(self):
        super().__init__()
        self.last = [torch.zeros(2), torch.ones(2)]

    def forward(self, x):
        self.last.append(x)
        return x + self.last.pop(0)
""",
    "counted in a dict of lists": """
    def __init__(self):
        super().__init__()
        self.seen = {"a": [0, 0], "b": [1, 1]}

    def forward(self, x):
        self.seen["a"][1] += int(x[0])
        self.seen["b"] = [self.seen["a"][1], self.seen["b"][0]]
        return x * self.seen["b"][1]
""",
}
"""The body of each class, whose method takes two elements."""
REFUSED = {
    "an assigned size": (
        """
    def __init__(self):
        super().__init__()
        self.heard = torch.zeros(2)

    def forward(self, x):
        self.heard = torch.cat([self.heard, x])
        return self.heard
""",
        r"the tensor heard of the module is assigned a torch.float32 of \[4\]",
    ),
    "a list that grows": (
        """
    def __init__(self):
        super().__init__()
        self.seen = [0]

    def forward(self, x):
        self.seen.append(1)
        return x
""",
        "the list seen of the module has other elements",
    ),
    "one of two names": (
        """
    def __init__(self):
        super().__init__()
        both = torch.zeros(2)
        self.first = both
        self.second = both

    def forward(self, x):
        self.first = self.first + x
        return self.first + self.second
""",
        "the tensor first of the module has several names",
    ),
    "a text": (
        """
    def __init__(self):
        super().__init__()
        self.mode = "a"

    def forward(self, x):
        self.mode = "b"
        return x
""",
        "the attribute mode of the module is 'a' before and 'b' afterwards",
    ),
    "nothing at first": (
        """
    last: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        self.last = x
        return x
""",
        "the attribute last of the module is None before and a tensor afterwards",
    ),
}
"""What no buffer can hold, and what is said of it."""
