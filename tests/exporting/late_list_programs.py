"""Functions in which data decides what is in a list, which element of one is taken, and what a text says."""

from __future__ import annotations

PROGRAMS = {
    "elements as numbers": """
def f(x: Tensor):
    a: List[float] = x.tolist()
    return sum(a), max(a), min(a), a[0] + 1
""",
    "one of some numbers": """
def f(x: Tensor):
    n = int(x[0])
    if n in [1, 2]:
        return x + 1
    return x
""",
    "a number out of a table": """
def f(x: Tensor):
    scales = [0.5, 2.0, 4.0]
    return x * scales[int(x.argmax())], scales[int(x.argmax()) - 3]
""",
    "a tuple out of a list": """
class Part(NamedTuple):
    values: Tensor
    count: int
    places: List[int]

def f(x: Tensor):
    parts = [Part(x, 1, [1, int(x[0])]), Part(x + 1, 2, [3, 4]), Part(x * 2, 3, [7, 8])]
    part = parts[int(x[0]) - 1]
    return part.values, part.count, part.places + [3]
""",
    "functions of numbers": """
def f(x: Tensor):
    v = float(x[0])
    if math.isnan(v):
        v = 1.0
    some = math.sqrt(v) + math.exp(v) + math.log(v) + math.sin(v) + math.pow(v, 2.0) + 2 ** int(v)
    return some, math.floor(v * 1.5), math.ceil(v * 1.5), round(v * 1.5), math.atan2(v, 2.0)
""",
    "tasks": """
def doubled(x: Tensor):
    return x * 2

def f(x: Tensor):
    tasks = [torch.jit.fork(doubled, x + i) for i in range(3)]
    last = torch.jit.fork(doubled, x)
    found = [torch.jit.wait(each) for each in tasks]
    return torch.stack(found).sum(0) + torch.jit.wait(last)
""",
    "a search along several paths": """
def f(x: Tensor):
    paths = [([0], 0.0)]
    for _ in range(3):
        longer: List[Tuple[List[int], float]] = []
        for path, score in paths:
            values, places = (x * (score + 1 + path[-1])).topk(2)
            for k in range(2):
                longer.append((path + [int(places[k])], score + float(values[k])))
        order: List[int] = torch.tensor([each[1] for each in longer]).argsort(descending=True).tolist()
        paths = [longer[i] for i in order[:2]]
    return paths[0][0], paths[0][1]
""",
    "exceptions with texts of numbers": """
def f(x: Tensor):
    n = int(x[0])
    text = f"{n} is too many"
    if n > 5:
        raise ValueError("no: " + text)
    if n < 0:
        raise ValueError(f"{x.size(0)} elements, and {n}")
    return x * n
""",
}
"""Of a float tensor of three elements."""
