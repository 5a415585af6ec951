"""Texts of programs use what Python knows where they are compiled; modules get methods from texts."""

from __future__ import annotations

import functools
import inspect
import io
from typing import Any

import pytest

import tsc

FACTOR = 3


def tripled(x: int) -> int:
    """Three times as much."""
    return x * FACTOR


class Pair:
    def __init__(self, first: int):
        self.first = first


def test_names_mean_what_they_do_for_the_caller() -> None:
    plus = 4

    def inner(x: int) -> int:
        return x + plus

    unit = tsc.CompilationUnit(
        "def f(x: int) -> int:\n    return tripled(inner(x)) + plus\n"
        "def g(pair: Pair) -> int:\n    return Pair(pair.first + 1).first\n"
    )
    assert unit.f(1) == 19
    assert unit.g(Pair(2)) == 3
    unit.define("def h(x: int) -> int:\n    return f(x) + inner(0)\n")
    assert unit.h(1) == 23


def test_names_of_the_text_come_first() -> None:
    torch = tripled  # noqa: F841  not what the text means by it
    unit = tsc.CompilationUnit(
        "def tripled(x: int) -> int:\n    return x\n"
        "def f(x: int) -> int:\n    return tripled(x) + torch.ones(2).numel()\n"
    )
    assert unit.f(5) == 7


@pytest.mark.parametrize(
    "names", [{"anything": tripled}, lambda name: tripled if name == "anything" else None]
)
def test_names_are_given(names: Any) -> None:
    unit = tsc.CompilationUnit("def f(x: int) -> int:\n    return anything(x)\n", names=names)
    assert unit.f(2) == 6
    with pytest.raises(tsc.CompileError, match="undefined value tripled"):
        tsc.CompilationUnit("def f(x: int) -> int:\n    return tripled(x)\n", names=names)


def test_unknown_names_stay_unknown() -> None:
    with pytest.raises(tsc.CompileError, match="undefined value nowhere_to_be_found"):
        tsc.CompilationUnit("def f():\n    return nowhere_to_be_found\n")


def test_a_file_knows_nothing_of_who_compiles_it(tmp_path: Any) -> None:
    path = tmp_path / "program.py"
    path.write_text("def f(x: int) -> int:\n    return tripled(x)\n", encoding="utf-8")
    with pytest.raises(tsc.CompileError, match="undefined value tripled"):
        _ = tsc.compile_file(path).f


# -- Methods of modules ----------------------------------------------------------------------

MODULE = """
import torch.nn as nn

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.k = 3

    def forward(self, x: int) -> int:
        return x + self.k
"""


def test_a_module_gets_methods_from_a_text() -> None:
    module, twin = (tsc.CompilationUnit(MODULE).M() for _ in range(2))
    module.define("def extra(self, x: int) -> int:\n    return self.forward(x) + tripled(x)\n")
    assert module.extra(1) == 7
    assert not hasattr(twin, "extra"), "another unit, another class"
    module.define(
        "def first(self, x: int) -> int:\n    return self.second(x) + 1\n"
        "def second(self, x: int) -> int:\n    self.k = x\n    return self.extra(x)\n"
    )
    assert module.first(5) == 26
    assert module.k == 5
    module.define("def linear_sum(self, x):\n    return self.linear(x).sum()\n")
    assert module.linear_sum(tsc.ones(1, 2)).shape == ()
    assert module.methods == ["forward", "extra", "first", "second", "linear_sum"]


def test_all_methods_are_added_or_none() -> None:
    module = tsc.CompilationUnit(MODULE).M()
    for text, said in (
        ("def a(self):\n    return 1\ndef b(self):\n    return self.gone\n", "gone"),
        ("def forward(self, x: int):\n    return x\n", "Can't redefine method: forward"),
        ("def c():\n    return 1\n", "takes no 'self'"),
        ("def d(self:\n", "never closed"),
    ):
        with pytest.raises(tsc.CompileError, match=said):
            module.define(text)
        assert module.methods == ["forward"]
    with pytest.raises(tsc.Error, match="methods are defined by a text"):
        module.define(3)


def test_saved_and_loaded_modules_have_them() -> None:
    module = tsc.CompilationUnit(MODULE).M()
    module.define("def extra(self, x: int) -> int:\n    return self.forward(x) * 2\n")
    file = io.BytesIO()
    module.save(file)
    file.seek(0)
    loaded = tsc.load(file)
    assert loaded.extra(1) == 8
    loaded.define("def more(self, x: int) -> int:\n    return self.extra(x) + 1\n")
    assert loaded.more(1) == 9


# -- What is forwarded -----------------------------------------------------------------------


def test_a_compiled_function_is_described_as_its_original() -> None:
    compiled = tsc.script(tripled)
    for name in ("__doc__", "__name__", "__qualname__", "__module__"):
        assert getattr(compiled, name) == getattr(tripled, name)
    assert str(inspect.signature(compiled)) == "(x: 'int') -> 'int'"
    assert tsc.CompilationUnit(MODULE).M().forward.__name__ == "forward"


# -- Operators of users ----------------------------------------------------------------------


def test_type_variables_are_those_of_the_call() -> None:
    tsc.register_operator("outside::first(t[] xs) -> t", lambda xs: xs[0])
    tsc.register_operator("outside::twice(t x) -> t[]", lambda x: [x, x])
    tsc.register_operator("outside::wrong(t x) -> t", lambda x: "wrong")
    unit = tsc.CompilationUnit(
        "def ints(x: List[int]) -> int:\n    return torch.ops.outside.first(x)\n"
        "def texts(x: List[str]) -> str:\n    return torch.ops.outside.first(x)\n"
        "def tensors(x: Tensor):\n    return torch.ops.outside.first(torch.ops.outside.twice(x))\n"
        "def wrong(x: int) -> int:\n    return torch.ops.outside.wrong(x)\n"
    )
    assert unit.ints([3, 4]) == 3
    assert unit.texts(["a"]) == "a"
    assert unit.tensors(tsc.tensor(2)).item() == 2
    with pytest.raises(tsc.ScriptError, match=r"outside::wrong returned: .*str"):
        unit.wrong(1)


def test_a_kernel_is_made_for_each_node() -> None:
    """The operator of the example of operator registration: its factor is an attribute."""

    def magic(node: Any) -> Any:
        multiplier = node.f("multiplier")
        return lambda a, b, c: (a * multiplier, b + c)

    schema = "my_namespace::magic(Tensor a, Tensor b, int c) -> (Tensor, Tensor)"
    tsc.register_operator(schema, magic, node_kernel=True)
    graph = tsc.new_graph()
    a, b = graph.add_input("a"), graph.add_input("b")
    for factor in (2.5, 4.0):
        three = graph.insert_constant(3)
        node = graph.insert_node(graph.create("my_namespace::magic", [a, b, three], 2))
        a, b = node.f_("multiplier", factor).outputs
    graph.register_output(a)
    graph.register_output(b)
    assert "my_namespace::magic[multiplier=2.5](%a, %b, %2)" in str(graph)
    found = tsc.script(graph)(tsc.tensor(2.0), tsc.tensor(3.0))
    assert [each.item() for each in found] == [20.0, 9.0]
    unit = tsc.CompilationUnit("def f(x):\n    return torch.ops.my_namespace.magic(x, x, 3)\n")
    with pytest.raises(tsc.ScriptError, match="has no attribute 'multiplier'"):
        unit.f(tsc.tensor(1.0))
    with pytest.raises(tsc.Error, match="does not fit the schema"):
        tsc.register_operator("my_namespace::none(int x) -> int", lambda: 1, node_kernel=True)


# -- functools.partial -----------------------------------------------------------------------


def scaled(x: tsc.Tensor, factor: int, shift: int = 0) -> tsc.Tensor:
    return x * factor + shift


by_four = functools.partial(scaled, factor=4)
rowwise = functools.partial(tsc.sum, dim=1)


@tsc.script
def with_partials(x: tsc.Tensor) -> tuple[tsc.Tensor, tsc.Tensor, tsc.Tensor]:
    return by_four(x), by_four(x, factor=5, shift=1), rowwise(x)


def test_partial_objects_are_called_with_what_they_hold() -> None:
    first, second, third = with_partials(tsc.tensor([[1, 2]]))
    assert (first.tolist(), second.tolist(), third.tolist()) == ([[4, 8]], [[6, 11]], [3])
    holds = functools.partial(scaled, object())
    with pytest.raises(tsc.CompileError, match="cannot be used as a value"):
        tsc.CompilationUnit("def f(x: int):\n    return holds(x)\n", names={"holds": holds})
