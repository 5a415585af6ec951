@torch.jit.script
class Pair:
    def __init__(self, first: Tensor, second: Tensor):
        self.first = first
        self.second = second


def refused(x) -> Pair:
    return Pair(x, x + 1)  # TX102


def instead(x):
    pair = Pair(x, x + 1)
    return pair.first, pair.second


# arguments: torch.tensor([3.0, -1.0, 2.0])
