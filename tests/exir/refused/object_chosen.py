class Scale:
    def __init__(self, factor: float):
        self.factor = factor


def refused(x):
    scales = [Scale(0.5), Scale(2.0), Scale(4.0)]
    return x * scales[int(x.argmax())].factor  # TX201


def instead(x):
    scales = [Scale(0.5), Scale(2.0), Scale(4.0)]
    return x * [each.factor for each in scales][int(x.argmax())]


# arguments: torch.tensor([3.0, -1.0, 2.0])
