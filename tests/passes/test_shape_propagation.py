"""What shape propagation says of tensors holds when the programs of the corpus run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import tsc
from tests import work
from tests.oracle.answers import Answer
from tests.oracle.ours import answer
from tests.oracle.programs import Program, all_programs
from tsc.compiler.ir import Graph, Node, Value
from tsc.compiler.passes.propagate_input_shapes import propagate_input_shapes
from tsc.compiler.pipelines import Pass
from tsc.compiler.schema import Effects, Operator
from tsc.compiler.types import TENSOR, TensorType
from tsc.runtime.execution import registered_passes
from tsc.runtime.execution.shape_inference import infer
from tsc.runtime.values.tensor_type import tensor_type

EVERY = 10
PROGRAMS = all_programs()

seen: list[tuple[str, str, str]] = []
"""What was said and is not so: the node, the type, and the type of a value."""
held: set[TensorType] = set()


def check_of(node: Node) -> Any:
    """The kernel that looks at a value: the node carries the type that it should have."""
    type, text = node.attribute("wanted"), node.string_attribute("made_by")
    assert isinstance(type, TensorType)

    def check(value: Any) -> None:
        if isinstance(value, tsc.Tensor):
            found = tensor_type(value)
            if not found.is_subtype_of(without_idle_strides(type)):
                seen.append((text, str(type), str(found)))
            held.add(type)

    return check


CHECK = Operator(
    "tests::check(t value) -> ()", check_of, node_kernel=True, effects=Effects.SIDE_EFFECT
)


def without_idle_strides(type: TensorType) -> TensorType:
    """The type without the strides of dimensions of one element, which lead nowhere."""
    if type.strides is None or type.sizes is None:
        return type
    kept = (None if size in (0, 1) else step for size, step in zip(type.sizes, type.strides))
    return replace(type, strides=tuple(kept))


def check_types(graph: Graph) -> None:
    propagate_input_shapes(graph, infer=infer)
    for node in list(graph.all_nodes()):
        for value in node.outputs:
            if isinstance(value.type, TensorType) and value.type != TENSOR and node.operator:
                insert_check(value)


def insert_check(value: Value) -> None:
    node = value.node
    check = value.graph.create(CHECK.name, [value], 0)
    check.operator = CHECK
    check.set_attribute("wanted", value.type).set_attribute("made_by", str(node))
    check.insert_after(node)


def answers(programs: list[Program]) -> Iterator[Answer]:
    for program in programs:
        tsc.manual_seed(0)
        yield answer(program)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("start", range(EVERY if work.whole_size else 1))
def test_types_hold(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = PROGRAMS[start::EVERY]
    plain = list(answers(programs))
    seen.clear()
    held.clear()
    monkeypatch.setattr(registered_passes, "_passes", [Pass("check_types", check_types)])
    checked = list(answers(programs))
    assert not seen
    assert len(held) > 10
    assert checked == plain


CALLS = """
def stretch(x: Tensor) -> None:
    if x.dim() == 1:
        x.unsqueeze_(0)
    for i in range(3):
        x.unsqueeze_(0)

def f(x: Tensor) -> Tensor:
    stretch(x)
    return x + 1
"""


def test_a_call_may_change_the_sizes_of_what_it_is_given() -> None:
    function = tsc.CompilationUnit(CALLS).f
    graph = function.graph.copy()
    x = tsc.ones(3)
    graph.inputs[0].set_type(tensor_type(x))
    propagate_input_shapes(graph, infer=infer)
    assert tensor_type(function(x)).is_subtype_of(graph.outputs[0].type)
