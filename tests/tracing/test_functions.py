"""Traces of functions on tsc's tensors: the graphs and the code that PyTorch's tracer gives, and equal results."""

from __future__ import annotations

import io

import pytest

import tsc
from tests.oracle.answers import normalize_code, normalize_graph
from tests.tracing.functions import CASES
from tests.tracing.record import recorded
from tests.tracing.samples import same, samples

ANSWERS = recorded()

OTHER_GRAPHS = {
    "slices": "the stride of a new dimension of one element",
    "size_arithmetic": "a name that PyTorch's Python between // and the operator hides",
}
"""Functions whose graphs are not PyTorch's, and why."""


def traced(name: str) -> tsc.ScriptFunction:
    case = CASES[name]
    return tsc.trace(case.function, samples(case.inputs, tsc.tensor), strict=case.strict)


def test_all_functions_are_recorded() -> None:
    assert ANSWERS.keys() == CASES.keys()
    assert len(CASES) >= 40


@pytest.mark.parametrize("name", CASES)
def test_graph_and_code_are_pytorchs(name: str) -> None:
    function = traced(name)
    same_graph = normalize_graph(str(function.graph)).splitlines() == ANSWERS[name]["graph"]
    same_code = normalize_code(function.code).splitlines() == ANSWERS[name]["code"]
    assert (same_graph and same_code) == (name not in OTHER_GRAPHS), function.graph


@pytest.mark.parametrize("name", CASES)
def test_results_are_the_functions_for_other_inputs(name: str) -> None:
    case, function = CASES[name], traced(name)
    for number, inputs in enumerate([case.inputs, *_chosen(case.others, case.inputs)]):
        given, again = (samples(inputs, tsc.tensor, number + 5) for _ in range(2))
        assert same(case.function(*given), function(*again)), inputs


@pytest.mark.parametrize("name", CASES)
def test_graph_can_be_read_and_saved(name: str) -> None:
    case, function = CASES[name], traced(name)
    assert str(tsc.parse_ir(str(function.graph))) == str(function.graph)
    file = io.BytesIO()
    function.save(file)
    loaded = tsc.load(file.getvalue())
    assert same(
        function(*samples(case.inputs, tsc.tensor)), loaded(*samples(case.inputs, tsc.tensor))
    )


def _chosen(others: tuple[object, ...], inputs: tuple[object, ...]) -> list[tuple[object, ...]]:
    """The other sizes: as many as there are inputs make a call."""
    count = len(inputs)
    return [tuple(others[i : i + count]) for i in range(0, len(others), count)]
