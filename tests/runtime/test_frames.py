"""Calls are frames: deep ones work, endless ones end in an error, and each leaves its mark in the stack."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from tests.runtime.plans import each_plan, optimized, script
from tests.work import calls_made, sized
from tsc.compiler.budget import Limits, under
from tsc.compiler.ir import Function, Graph, insert_function_constant
from tsc.compiler.ir.symbols import prim
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.types import INT
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load


def calling(name: str, callee: Function | None) -> Function:
    """``def name(x: int) -> int: return callee(x) + 1``; without a callee it calls itself."""
    function = Function(name)
    graph = Graph()
    x = graph.add_input("x", INT)
    constant = insert_function_constant(graph, callee or function)
    call = graph.insert_node(graph.create(prim.CallFunction, [constant, x]))
    call.output.set_type(INT)
    graph.register_output(incremented(graph, call.output))
    function.graph = graph
    argument = Argument.of("x", INT)
    function.schema = FunctionSchema(name, "", (argument,), (Argument.of("", INT),))
    return function


def incremented(graph: Graph, value: Any) -> Any:
    one = graph.insert_constant(1)
    node = graph.insert_node(graph.create("aten::add", [value, one]))
    node.operator = load().find("aten::add", "int")
    return node.output.set_type(INT)


PLAIN = "def f(x: int) -> int:\n    return x\n"


def chain(length: int, innermost: str = PLAIN) -> Function:
    function = script(innermost)
    for number in range(length):
        function = calling(f"f{number}", function)
    return function


@pytest.mark.slow
@each_plan
def test_ten_thousand_calls_deep(run: Any) -> None:
    depth = sized(10_000)
    assert run(chain(depth), [5]) == depth + 5


ASKING = """
def f(x: int) -> int:
    y: Any = [x]
    assert isinstance(y, List[int])
    return x
"""


@pytest.mark.slow
@pytest.mark.parametrize("innermost", [PLAIN, ASKING], ids=["plain", "asks for a list's type"])
def test_getting_ready_to_run_grows_with_the_number_of_calls(innermost: str) -> None:
    shorter, longer = (
        calls_made(partial(run_chain, n, innermost)) for n in (sized(150), sized(300))
    )
    assert longer < 2.2 * shorter


def run_chain(length: int, innermost: str) -> None:
    assert optimized(chain(length, innermost), [5]) == 5 + length


@each_plan
def test_endless_recursion(run: Any) -> None:
    with under(Limits(max_frames=500)), pytest.raises(ScriptError) as caught:
        run(calling("endless", None), [1])
    assert "maximum recursion depth exceeded: 500 calls are open" in caught.value.message
    assert len(caught.value.stack) == 500
    assert {entry.function for entry in caught.value.stack} == {"endless"}
    assert re.search(r"\.\.\. 4\d\d more calls \.\.\.", str(caught.value))


SOURCE = """
def inner(x: int, y: int) -> int:
    return x // y

def middle(x: int) -> int:
    total = 0
    for i in range(2):
        total += inner(x, i - 1)
    return total

def f(x: int) -> int:
    if x > 1:
        return middle(x) + 1
    return 0
"""

EXPECTED = """\
The following operation failed in the TorchScript interpreter.
Traceback of TorchScript (most recent call last):
  File "<string>", line 13, in f
def f(x: int) -> int:
    if x > 1:
        return middle(x) + 1
               ~~~~~~ <--- HERE
    return 0
  File "<string>", line 8, in middle
    total = 0
    for i in range(2):
        total += inner(x, i - 1)
                 ~~~~~ <--- HERE
    return total
  File "<string>", line 3, in inner
def inner(x: int, y: int) -> int:
    return x // y
           ~~~~~~ <--- HERE
RuntimeError: division by 0
"""


@each_plan
def test_stack_of_an_error(run: Any) -> None:
    with pytest.raises(ScriptError) as caught:
        run(script(SOURCE), [3])
    assert str(caught.value) == EXPECTED
    assert [entry.function for entry in caught.value.stack] == ["f", "middle", "inner"]
    assert [entry.range.line for entry in caught.value.stack] == [13, 8, 3]


@each_plan
def test_exceptions_keep_their_class(run: Any) -> None:
    source = 'def f(x: int) -> int:\n    raise ValueError("no " + str(x))\n    return x\n'
    with pytest.raises(ScriptError) as caught:
        run(script(source), [3])
    assert (caught.value.kind, caught.value.message) == ("ValueError", "no 3")
    assert str(caught.value).endswith("builtins.ValueError: no 3\n")


def test_results_of_calls_in_all_numbers() -> None:
    source = """
def none(x: int) -> None:
    print(x)

def pair(x: int) -> Tuple[int, int]:
    return x, x + 1

def f(x: int) -> int:
    none(x)
    a, b = pair(x)
    pair(b)
    c, d = pair(b)
    return a * 1000 + b * 100 + c * 10 + d
"""
    function = script(source)
    inputs: Sequence[int] = [1]
    from tests.runtime.plans import PLANS

    assert {name: run(function, inputs) for name, run in PLANS.items()} == dict.fromkeys(
        PLANS, 1223
    )
