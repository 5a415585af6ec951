"""Shapes and dtypes through graphs against PyTorch's, live: they agree, and ours tell at least as much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

import tsc
from tests import work
from tsc.compiler.ir import Graph
from tsc.compiler.passes.complete_shape_analysis import complete_shape_analysis
from tsc.compiler.passes.propagate_dtype import propagate_dtype
from tsc.compiler.types import TensorType, Type
from tsc.compiler.types.type_parser import parse_type
from tsc.runtime.execution.shape_inference import infer

from .apart import apart
from .graph_values import ours, theirs, values_of
from .pass_records import normalized
from .programs import Program, topics

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

EVERY = 4
AS_MUCH_WANTED = 0.97
"""The share of tensors of which ours tell all that PyTorch's tell."""

Call = tuple[str, tuple[Any, ...]]


def calls_of(program: Program, module: Any) -> list[Call]:
    """The calls that the program makes of its own functions, with their arguments."""
    made: list[Call] = []

    def listening(name: str) -> Any:
        function = getattr(module, name)

        def call(*values: Any, **named: Any) -> Any:
            if not named:
                made.append((name, values))
            return function(*values, **named)

        return call

    scripted = {name: getattr(module, name) for name in program.functions}
    for name in scripted:
        setattr(module, name, listening(name))
    for index in range(len(program.calls)):
        with suppress(Exception):
            getattr(module, f"call_{index}")()
    for name, function in scripted.items():
        setattr(module, name, function)
    return made


def type_of(value: Any, declared: Type) -> Type:
    if not isinstance(value, torch.Tensor) or not isinstance(declared, TensorType):
        return declared
    return parse_type(str(torch._C.TensorType.create_from_tensor(value)))


def graphs(program: Program) -> Iterator[tuple[Any, Graph, tuple[Any, ...]]]:
    """Graphs that are the same in both, with arguments."""
    from .pytorch import imported

    try:
        unit = tsc.CompilationUnit(program.source, filename=f"{program.key}.py")
    except tsc.Error:
        return
    with imported(program, whole=False) as module:
        for name, values in calls_of(program, module):
            try:
                graph = torch.jit.script(getattr(module, name)).inlined_graph.copy()
            except Exception:  # noqa: BLE001  an extension of ours
                continue
            mine = getattr(unit, name).inlined_graph.copy()
            if normalized(graph) == normalized(mine) and len(values) == len(mine.inputs):
                yield graph, mine, values


def completed(graph: Any, mine: Graph, values: tuple[Any, ...]) -> None:
    torch._C._jit_pass_complete_shape_analysis(graph, values, False)
    types = [type_of(value, each.type) for value, each in zip(values, mine.inputs)]
    complete_shape_analysis(mine, infer=infer, types=types, with_grad=False)


def with_dtypes(graph: Any, mine: Graph, values: tuple[Any, ...]) -> None:
    for one, other, value in zip(graph.inputs(), mine.inputs, values):
        other.set_type(type_of(value, other.type))
        if isinstance(other.type, TensorType):
            one.inferTypeFrom(value)
    torch._C._jit_pass_propagate_dtype(graph)
    propagate_dtype(mine, infer=infer)


PASSES: dict[str, Callable[[Any, Graph, tuple[Any, ...]], None]] = {
    "complete_shape_analysis": completed,
    "propagate_dtype": with_dtypes,
}


def compared(run: Callable[[Any, Graph, tuple[Any, ...]], None], program: Program) -> Counter[str]:
    found: Counter[str] = Counter()
    for graph, mine, values in graphs(program):
        try:
            run(graph, mine, values)
        except RuntimeError:  # PyTorch's fails
            continue
        for one, other in zip(values_of(theirs, graph, []), values_of(ours, mine, [])):
            if one.type().kind() == "TensorType" and isinstance(other.type, TensorType):
                found[verdict(parse_type(str(one.type())), other.type)] += 1
    return found


def verdict(theirs: Any, ours: TensorType) -> str:
    wanted = replace(theirs, requires_grad=None, undefined=None)
    if ours == wanted:
        return "equal"
    if ours.is_subtype_of(wanted):
        return "more"
    return "less" if wanted.is_subtype_of(ours) else "other"


def of_topic(name: str, topic: str) -> Counter[str]:
    programs = topics()[topic][:: 1 if work.whole_size else EVERY]
    return sum((compared(PASSES[name], each) for each in programs), Counter())


@pytest.mark.parametrize("name", PASSES)
def test_the_corpus(name: str) -> None:
    found: Counter[str] = sum((apart(of_topic, name, topic) for topic in topics()), Counter())
    as_much = found["equal"] + found["more"]
    assert found["more"] > found["less"]
    assert as_much >= AS_MUCH_WANTED * found.total(), found
