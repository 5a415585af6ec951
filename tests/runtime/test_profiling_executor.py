"""The profiling executor: what its plans are for, what it counts, and what it does when an assumption fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tsc
from tsc.compiler.ir import prim
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.execution.plan_cache import MOST_PLANS
from tsc.runtime.execution.profiling import random_failures
from tsc.runtime.execution.profiling_executor import MOST_BAILOUTS

pytestmark = pytest.mark.parametrize("plan", ["python", "bytecode"])


@pytest.fixture(autouse=True)
def profiling(plan: str) -> Iterator[None]:
    tsc.set_executor("profiling")
    tsc.counters(reset=True)
    with chosen_plan(plan):
        yield
    tsc.set_executor("simple")


def function(source: str) -> Any:
    return tsc.CompilationUnit(source).f


def guards(graph: Any) -> int:
    return sum(node.kind == prim.BailOut for node in graph.all_nodes())


DOUBLED = "def f(x):\n    return x + x\n"


def test_the_first_run_looks_and_the_others_rely_on_it() -> None:
    f = function(DOUBLED)
    x = tsc.tensor([1.0, 2.0])
    assert [f(x).tolist() for _ in range(3)] == [[2.0, 4.0]] * 3
    assert guards(f.graph_for(x)) == 1
    found = tsc.counters()
    assert (found.invocations, found.cache_hits, found.cache_misses, found.bailouts) == (4, 3, 1, 0)


def test_other_dtypes_and_ranks_have_plans_of_their_own() -> None:
    f = function(DOUBLED)
    for x in (tsc.tensor([1.0]), tsc.tensor([1]), tsc.tensor([[1.0]]), tsc.tensor([2.0])):
        f(x)
    assert tsc.counters().cache_misses == 3


def test_plans_are_bounded() -> None:
    f = function("def f(xs: Tuple[Tensor, Tensor]):\n    return xs[0].dim() + xs[1].dim()\n")
    made = function("def f(n: int):\n    return torch.zeros([1] * n)\n")
    for first in range(5):
        for other in range(5):
            assert f((made(first), made(other))) == first + other
    assert f((made(4), made(4))) == 8
    assert tsc.counters().cache_misses > MOST_PLANS


def test_other_sizes_bail_out_until_that_is_too_often() -> None:
    f = function(DOUBLED)
    f(tsc.tensor([1.0, 2.0]))
    for _ in range(MOST_BAILOUTS + 5):
        assert f(tsc.tensor([1.0])).tolist() == [2.0]
    assert tsc.counters().bailouts == MOST_BAILOUTS
    assert guards(f.graph_for(tsc.tensor([1.0]))) == 0


RESHAPED = {
    "a copy": ("y = x.clone()\n    y.unsqueeze_(0)\n    return y.dim(), x + x", True),
    "a view of it": (
        "y = x.clone()\n    z = y[0:2]\n    y.t_()\n    return z.dim(), z * 2, x + x",
        True,
    ),
    "an argument": ("x.unsqueeze_(0)\n    return x.dim(), x.numel()", False),
    "what is written into": (
        "y = torch.empty(0)\n    torch.mul(x, x, out=y)\n    return y.dim(), x + 1",
        True,
    ),
    "one of two": (
        "y = x * 1\n    z = y.t().t()\n    z.unsqueeze_(0)\n    return y.dim(), z.dim()",
        True,
    ),
    "in a loop": (
        "y = x + 0\n    for i in range(3):\n        y = y + 1\n        y.unsqueeze_(0)\n    return y",
        True,
    ),
    "by a task": (
        "y = x + 1\n    task = torch.jit.fork(g, y)\n    x = torch.jit.wait(task)\n    return y.dim(), x",
        False,
    ),
    "by what is called": ("y = torch.ones(2)\n    return deep(x, 3).dim(), y * y", True),
}
CALLED = """
def g(x):
    return x.unsqueeze_(0)

def deep(x, n: int) -> Tensor:
    if n > 0:
        return deep(x.unsqueeze_(0), n - 1)
    return x

def f(x):
    """


@pytest.mark.parametrize("what", RESHAPED)
def test_what_is_reshaped_in_place_is_not_guarded(what: str) -> None:
    body, guarded = RESHAPED[what]
    source = CALLED + body + "\n"

    def made() -> list[Any]:
        return [tsc.tensor([1.0, 2.0]), tsc.tensor([3.0, 4.0]), tsc.tensor([5.0])]

    tsc.set_executor("simple")
    expected = [repr(function(source)(x)) for x in made()]
    tsc.set_executor("profiling")
    f = function(source)
    with tsc.no_grad():
        assert [[repr(f(x)) for x in made()] for _ in range(3)] == [expected] * 3
        assert (guards(f.graph_for(tsc.tensor([1.0, 2.0]))) > 0) is guarded


LOOP = """
def f(x, n: int):
    xs: List[int] = []
    for i in range(n):
        if i % 3 == 1:
            x = torch.cat([x, x])
        else:
            x = x + i
        if int(x.sum()) > 10000:
            break
        j = 0
        while j < i:
            x = x * 2
            j += 1
        xs.append(x.numel())
        print(i, x.size(0))
    return x.sum(), xs
"""


@pytest.mark.parametrize("seed", range(12))
def test_bailing_out_of_loops_goes_on_there(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    tsc.set_executor("simple")
    x = tsc.tensor([1.0, 2.0])
    expected = repr(function(LOOP)(x, 6)), capsys.readouterr().out
    tsc.set_executor("profiling")
    f = function(LOOP)
    with random_failures(seed, 0.1):
        found = [(repr(f(x, 6)), capsys.readouterr().out) for _ in range(6)]
    assert found == [expected] * 6
    assert tsc.counters().bailouts > 0


def test_an_open_with_statement_is_left_once() -> None:
    f = function(
        """
def f(x):
    with torch.no_grad():
        y = x * 2
        z = y + x
    return z, torch.is_grad_enabled()
"""
    )
    x = tsc.tensor([1.0])
    for seed in range(4):
        with random_failures(seed, 0.5):
            for _ in range(4):
                assert repr(f(x)) == "(tensor([3.]), True)"
        tsc.set_executor("profiling")


def test_an_error_after_a_bailout_is_told_where_it_is() -> None:
    source = "def f(x, y):\n    z = x + 1\n    return z.mm(y)\n"
    x, y = tsc.tensor([[1.0, 2.0]]), tsc.tensor([[1.0]])
    tsc.set_executor("simple")
    with pytest.raises(tsc.ScriptError) as simple:
        function(source)(x, y)
    tsc.set_executor("profiling")
    f = function(source)
    with random_failures(0, 1.0):
        for _ in range(2):
            with pytest.raises(tsc.ScriptError) as profiled:
                f(x, y)
            assert str(profiled.value) == str(simple.value)
            assert [entry.function for entry in profiled.value.stack] == ["f"]
    assert tsc.counters().bailouts > 0


def test_gradients_are_recorded_by_plans_for_inputs_too() -> None:
    f = function("def f(x, w):\n    return (x * w).relu().sum()\n")
    for size in (2, 2, 2, 3, 2):
        w = tsc.tensor([2.0] * size, requires_grad=True)
        f(tsc.tensor([1.0] * size), w).backward()
        assert w.grad.tolist() == [1.0] * size


def test_an_error_in_a_group_of_operators_is_told_where_it_is() -> None:
    unit = tsc.CompilationUnit(
        "def f(x, y):\n    z = (x * y).tanh()\n    return (z * y + y).exp()\n"
    )
    weights = tsc.ones(2, requires_grad=True)
    for _ in range(3):
        unit.f(weights, tsc.ones(2))
        with pytest.raises(tsc.ScriptError) as caught:
            unit.f(weights, tsc.ones(3))
        assert [(entry.function, entry.range.line) for entry in caught.value.stack] == [("f", 2)]


def test_tensors_that_may_be_none() -> None:
    f = function(
        "def f(x: Optional[Tensor]):\n    if x is None:\n        return 0\n    return x.dim()\n"
    )
    assert [f(each) for each in (None, tsc.tensor([1.0]), None, tsc.tensor([1.0]))] == [0, 1, 0, 1]


def test_without_optimization_the_graph_runs_as_it_was_compiled() -> None:
    f = function(DOUBLED)
    x = tsc.tensor([1.0])
    with tsc.optimized_execution(False):
        assert f(x).tolist() == [2.0]
        assert tsc.last_executed_optimized_graph() is f.graph
    assert f(x).tolist() == [2.0]
    assert tsc.last_executed_optimized_graph() is not f.graph


def test_an_executor_that_does_not_exist() -> None:
    with pytest.raises(tsc.Error, match="there are simple and profiling"):
        tsc.set_executor("legacy")


def test_what_is_nested_deeply_runs_all_the_same() -> None:
    branches = "".join(f"    elif n == {n}:\n        t = {n} * n\n" for n in range(1, 1100))
    f = function(
        f"def f(n: int):\n    if n == 0:\n        t = 5\n{branches}    else:\n        t = 0\n    return t\n"
    )
    assert [f(n) for n in (0, 3, 1099, 1100)] == [5, 9, 1099 * 1099, 0]


def test_lists_that_are_equal_stay_two_where_gradients_are_recorded() -> None:
    unit = tsc.CompilationUnit("""
def f(x):
    y = x * 2
    return [1] is [1], x * 2 is y, (x * 2 + y).sum()
""")
    x = tsc.ones(2).requires_grad_()
    assert [unit.f(x)[:2] for _ in range(3)] == [(False, False)] * 3


SUMMED = """
def f(x, w):
    total = x.mm(w)
    for i in range(5):
        total = total + x.mm(w * i)
    return total
"""


def test_products_are_batched_from_the_first_call_on() -> None:
    f = function(SUMMED)
    x = tsc.tensor([[0.1, 0.7, 1.3], [0.2, -0.4, 3.1]])
    w = tsc.tensor([[0.3, 1.1], [0.6, -2.3], [1.7, 0.9]])
    found = [f(x, w).tolist() for _ in range(3)]
    assert found[0] == found[1] == found[2]
    assert f.graph_for(x, w).find_node(prim.MMTreeReduce) is not None
    assert f(x[:1], w).tolist() == [pytest.approx(found[0][0])]


RECORDED = {
    "a copy": "y = x.clone()\n    y.unsqueeze_(0)\n    return (x + x) * y * w",
    "a view of it": "y = x.clone()\n    z = y[0:2]\n    y.unsqueeze_(0)\n    return z * 2 * y + w",
    "matrices": "y = torch.stack([x, x * w])\n    z = y[0:2]\n    y.t_()\n    return y.mm(z) * w[0]",
    "one of two": "y = x * w\n    z = y.t().t()\n    z.unsqueeze_(0)\n    return (y * z).exp() * z",
    "in a loop": "y = x * w\n    for i in range(2):\n        y = y * x + w\n        y.unsqueeze_(0)\n    return y * y",
    "in a branch": "y = x * w\n    if y.numel() > 1:\n        y.unsqueeze_(0)\n    return torch.sigmoid(y * x) * y",
    "what is resized": "y = torch.zeros(2)\n    y.resize_(3, 1)\n    y.zero_()\n    return (x * w).sum() * y + x",
    "without its history": "y = (x * w).detach()\n    y.unsqueeze_(0)\n    z = y * w * x\n    return z.exp() * z",
}


def slopes(f: Any) -> list[Any]:
    """Results and gradients of a function for a few inputs."""
    found: list[Any] = []
    for values in ([0.5, 2.0], [3.0, 1.0], [2.0]):
        x, w = (tsc.tensor(values, requires_grad=True) for _ in range(2))
        result = f(x, w)
        first = tsc.autograd.grad((result * result).sum(), [x, w], create_graph=True)
        found.append([result.shape, *(each.tolist() for each in (result, *first))])
    return found


@pytest.mark.parametrize("what", RECORDED)
def test_gradients_go_through_what_is_reshaped_and_guarded(what: str) -> None:
    source = f"def f(x, w):\n    {RECORDED[what]}\n"
    tsc.set_executor("simple")
    expected = slopes(function(source))
    tsc.set_executor("profiling")
    for seed, failing in enumerate((0.0, 0.3, 1.0)):
        f = function(source)
        with random_failures(seed, failing):
            for _ in range(3):
                for mine, right in zip(slopes(f), expected, strict=True):
                    assert mine[0] == right[0]
                    assert all(map(close, mine[1:], right[1:])), (mine, right)
        x, w = (tsc.tensor([0.5, 2.0], requires_grad=True) for _ in range(2))
        assert guards(f.graph_for(x, w)) > 0


def close(mine: Any, right: Any) -> bool:
    return bool(tsc.allclose(tsc.tensor(mine), tsc.tensor(right), rtol=1e-4))
