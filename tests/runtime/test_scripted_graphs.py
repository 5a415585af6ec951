"""Graphs that were built by hand or read, as functions."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

import tsc
from tests.oracle.ours import plain, result, tensor
from tests.oracle.programs import Program, all_programs
from tsc.compiler.ir import GraphError, InvalidGraph

EVERY = 25
"""One of so many programs is read back from its text."""


def scripted(text: str) -> tsc.ScriptFunction:
    return tsc.script(tsc.parse_ir(text))


def test_a_graph_built_by_hand_runs_saves_and_has_gradients() -> None:
    graph = tsc.new_graph()
    x = graph.add_input("x")
    graph.register_output(graph.insert("aten::mul", [x, tsc.tensor([2.0])]))
    double = tsc.script(graph)
    graph.insert("aten::relu", [x])
    assert double.graph.find_node("aten::relu") is None, "the function keeps what the graph was"
    assert double(tsc.tensor([3.0])).tolist() == [6.0]
    assert double.code == "def graph(x: Tensor) -> Tensor:\n  return torch.mul(x, CONSTANTS.c0)\n"
    given = tsc.tensor([3.0], requires_grad=True)
    double(given).backward()
    assert given.grad is not None and given.grad.tolist() == [2.0]
    file = io.BytesIO()
    double.save(file)
    file.seek(0)
    assert tsc.load(file)(tsc.tensor([4.0])).tolist() == [8.0]


def test_scripted_functions_and_traces_call_it() -> None:
    relu = scripted("graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)\n")

    def after(x: tsc.Tensor) -> tsc.Tensor:
        return relu(x) + 1

    given = tsc.tensor([-1.0, 2.0])
    assert tsc.script(after)(given).tolist() == [1.0, 3.0]
    assert tsc.trace(after, given)(given).tolist() == [1.0, 3.0]


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("graph(%x.1 : int, %1 : int):\n  return (%1)\n", "(int x, int argument_1) -> int", 4),
        (
            "graph(%x : int, %y : int):\n  return (%y, %x)\n",
            "(int x, int y) -> ((int, int))",
            (4, 3),
        ),
        ("graph(%x : int, %y : int):\n  return ()\n", "(int x, int y) -> NoneType", None),
    ],
)
def test_what_a_graph_takes_and_returns(text: str, schema: str, value: Any) -> None:
    function = scripted(text)
    assert str(function.schema) == f"graph{schema}"
    assert function(3, 4) == value


def test_shapes_of_examples_are_no_part_of_the_schema() -> None:
    function = scripted("graph(%x : Float(2, strides=[1])):\n  return (%x)\n")
    assert str(function.schema) == "graph(Tensor x) -> Tensor"


@pytest.mark.parametrize(
    ("body", "error", "said"),
    [
        ("%y : Tensor = mine::gone(%x)", InvalidGraph, "no schema fits mine::gone"),
        ("%y : Tensor = prim::Constant[value=<Tensor>]()", GraphError, "does not tell what %y is"),
        ('%y : Tensor = prim::Load[name="a"]()', tsc.CompileError, "cannot execute prim::Load"),
        (
            '%f : Function = prim::Constant[name="g"]()\n  %y : Tensor = prim::CallFunction(%f, %x)',
            GraphError,
            "'g' has no definition",
        ),
    ],
)
def test_what_cannot_run_says_why(body: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        scripted(f"graph(%x : Tensor):\n  {body}\n  return (%y)\n")(tsc.tensor(1.0))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("program", all_programs()[::EVERY], ids=lambda each: each.key)
def test_programs_run_from_their_texts(program: Program) -> None:
    """Each call, with all that it calls in its place."""
    try:
        unit = tsc.CompilationUnit(program.source)
    except tsc.CompileError:
        return
    for number, call in enumerate(program.calls):
        tsc.manual_seed(0)
        known = result(unit, number, call)
        text = str(getattr(unit, f"call_{number}").inlined_graph)
        if any(unspelled in text for unspelled in ("__torch__", "prim::Call", "=<", "NamedTuple")):
            continue  # classes, constants and calls of what the text only names
        tsc.manual_seed(0)
        assert read_back(text) == known, call


def read_back(text: str) -> dict[str, Any]:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            value = scripted(text)()
    except tsc.ScriptError as error:
        return {"raised": error.kind, "message": error.message}
    found = {"value": plain(value, tensor)}
    return found | ({"printed": printed.getvalue()} if printed.getvalue() else {})


GRADIENTS = """graph(%g : Tensor, %x : Tensor):
  %z : Tensor = prim::AutogradZero()
  %a : Tensor = prim::GradOf[name="aten::mul"](%z, GIVEN)
    block0():
      %c : Tensor = aten::mul(%g, %x)
      -> (%c)
  %y : bool = prim::AutogradAnyNonZero(%a)
  return (%y)
"""


@pytest.mark.parametrize("given", ["%g", "%z"])
def test_a_lowered_gradient_runs_where_one_is_defined(given: str) -> None:
    graph = tsc.parse_ir(GRADIENTS.replace("GIVEN", given))
    assert tsc.run_pass("lower_grad_of", graph)
    x = tsc.tensor([2.0])
    assert tsc.script(graph)(x, x) is (given == "%g")
