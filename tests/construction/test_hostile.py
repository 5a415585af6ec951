"""Programs that would run for ever, take all memory, or reach for the host's Python."""

from __future__ import annotations

import pytest

from tests.work import sized
from tsc.compiler.source import CompileError, Source
from tsc.runtime.construction.construct import Construction
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.limits import limits


def evaluated(expression: str, source: str = "") -> object:
    return Construction.from_source(Source(source, "case.py")).evaluate_expression(expression)


ENDLESS = """
import torch.nn as nn
import itertools

class Loop(nn.Module):
    def __init__(self):
        super().__init__()
        while True:
            pass"""
LARGE = """
import itertools
import math

def doubled(value):
    while True:
        value += value
"""


@pytest.mark.parametrize(
    "expression",
    [
        "Loop()",
        "[i for i in itertools.count()]",
        "sum(itertools.repeat(1))",
        "list(range(10**15))",
        "any(x < 0 for x in itertools.count())",
        "dict(zip(itertools.count(), itertools.count()))",
    ],
)
def test_a_limit_of_steps_ends_what_is_endless(expression: str) -> None:
    with limits(max_steps=20_000), pytest.raises(ScriptError, match="stopped after"):
        evaluated(expression, ENDLESS)


def test_a_limit_of_seconds_ends_a_loop() -> None:
    with limits(max_seconds=0.05), pytest.raises(ScriptError, match="stopped after"):
        evaluated("Loop()", ENDLESS)


DEEP = """
import copy
from torch import nn

def nested(wrap, n=SIZE):
    value = wrap(0)
    for _ in range(n):
        value = wrap(value)
    return value

def generators(n):
    values = [1]
    for _ in range(n):
        values = (value for value in values)
    return list(values)

def maps(n):
    values = [1]
    for _ in range(n):
        values = map(lambda value: value, values)
    return list(values)

def recurse(n):
    return recurse(n + 1)

def mutual(n):
    return max([n], key=lambda v: mutual(n + 1))

class Box:
    def __init__(self, inner):
        self.inner = inner

    def __eq__(self, other):
        return [self.inner] == [other.inner]

    def __hash__(self):
        return hash((self.inner,))

    def __iter__(self):
        return iter(self.inner)

    def __repr__(self):
        return f"{self.inner}"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "expression",
    [
        "recurse(0)",
        "mutual(0)",
        "generators(100_000)",
        "maps(100_000)",
        "str(nested(lambda x: [x]))",
        "nested(lambda x: [x], 50_000) == nested(lambda x: [x], 50_000)",
        "copy.deepcopy(nested(lambda x: [x]))",
        "isinstance(1, nested(lambda x: (x,)))",
        "nested(Box) == nested(Box)",
        "hash(nested(Box))",
        "str(nested(Box))",
        "list(nested(Box))",
        "str(nested(lambda x: nn.Sequential() if x == 0 else nn.Sequential(x), 10_000))",
        "nested(lambda x: nn.Sequential() if x == 0 else nn.Sequential(x), 10_000)(1)",
    ],
)
def test_recursion_ends_with_an_error(expression: str) -> None:
    with pytest.raises(ScriptError, match="maximum recursion depth exceeded"):
        evaluated(expression, DEEP.replace("SIZE", str(sized(50_000))))


@pytest.mark.parametrize(
    "expression",
    [
        "[0] * 10**12",
        "'a' * 10**12",
        "10**12 * (1, 2)",
        "10 ** 10 ** 10",
        "1 << 10 ** 9",
        "'{:>999999999}'.format(1)",
        "f'{1:>999999999}'",
        "'%0999999999d' % 1",
        "'a'.ljust(10**12)",
        "int('9' * 100000)",
        "math.factorial(10**9)",
        "math.comb(10**9, 5 * 10**8)",
        "math.prod(range(1, 10**6))",
        "round(5, -10**9)",
        "pow(3**5000, 3**5000, 7**5000)",
        "'%*d' % (10**9, 1)",
        "('a' * 10**6).replace('a', 'b' * 10**6)",
        "('a' * 10**6).join(['b'] * 10**6)",
        "doubled('a')",
        "doubled([0])",
        "doubled((0,))",
        "list(itertools.product([1], repeat=10**10))",
        "list(itertools.combinations([1], 10**10))",
    ],
)
def test_what_is_too_large_is_refused(expression: str) -> None:
    with pytest.raises((ScriptError, CompileError), match=r"large|wide|digits|too many|steps|MB"):
        evaluated(expression, LARGE)


@pytest.mark.parametrize(
    "expression",
    [
        "eval('1')",
        "exec('1')",
        "open('x')",
        "__import__('os')",
        "__builtins__",
        "globals()",
        "compile('1', '', 'eval')",
        "input()",
        "(1).__class__.__base__.__subclasses__()",
        "''.__class__.__mro__[-1].__subclasses__()",
        "[].__reduce__()",
        "(lambda: 0).__globals__",
        "(lambda: 0).__code__",
        "len.__self__",
        "'{0.__class__}'.format(1)",
        "'{0[0]}'.format([1])",
        "getattr('', 'format_map')",
        "getattr(1, '__add__')",
        "type('X', (object,), {})",
        "torch.zeros(1).__array__()",
        "torch.zeros(1).array",
        "torch.zeros(1).numpy()",
        "torch.load('x')",
        "torch.nn.Module().cls",
        "torch.nn.Module().__class__.mro",
        "str.__subclasses__()",
        "math.__loader__",
        "type(torch).path",
    ],
)
def test_nothing_of_the_hosts_python_is_reached(expression: str) -> None:
    with pytest.raises((ScriptError, CompileError)):
        evaluated(expression, "import torch\nimport math\n")


def test_a_sum_of_many_terms_costs_its_length() -> None:
    assert evaluated("+".join(["1"] * 5000)) == 5000


def test_a_long_chain_of_elif_is_no_recursion() -> None:
    branches = "".join(f"    elif n == {i}:\n        return {i}\n" for i in range(2000))
    source = f"def f(n):\n    if n < 0:\n        return -1\n{branches}"
    assert evaluated("f(1999)", source) == 1999
