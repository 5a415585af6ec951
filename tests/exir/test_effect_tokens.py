"""Tokens of effects are taken out: calls are in their order anyway."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.compiler.exir.effect_tokens import WITH_EFFECTS, without_tokens
from tsc.compiler.exir.node import Op
from tsc.compiler.exir.signature import InputKind, OutputKind
from tsc.compiler.exir.targets import Target

from .recorded import recorded_path


def program() -> Any:
    return tsc.load_exported(recorded_path("Printing"))


def targets(program: Any) -> list[str]:
    calls = program.graph.find_nodes(Op.CALL_FUNCTION)
    return [str(each.target).removeprefix("torch.ops.aten.") for each in calls]


def test_calls_stand_for_themselves_and_the_program_stays_as_it_is() -> None:
    found = program()
    before = str(found)
    made = without_tokens(found)
    assert targets(made) == ["_print.default", "mul.Tensor", "_print.default"]
    assert made.graph_signature.user_inputs == ("x",)
    assert made.graph_signature.user_outputs == ("mul",)
    assert str(found) == before
    assert found.graph_signature.input_specs[0].kind is InputKind.TOKEN
    assert found.graph_signature.output_specs[0].kind is OutputKind.TOKEN


def test_effects_come_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    for made in (program(), program().run_decompositions(()), tsc.to_backend(program(), "native")):
        capsys.readouterr()
        result = made.module()(tsc.tensor([1.0, 2.0, 3.0]))
        assert result.tolist() == [2.0, 4.0, 6.0]
        assert capsys.readouterr().out == "before\nafter\n"


def test_results_of_effects_are_those_of_the_call() -> None:
    found = program()
    (first, second) = found.graph.find_nodes(Op.CALL_FUNCTION, WITH_EFFECTS)
    for node, operator in ((first, "relu.default"), (second, "frexp.Tensor")):
        x = found.graph.placeholders[-1]
        node.args = (node.args[0], Target(f"torch.ops.aten.{operator}"), x)
        known = x.meta["val"]
        parts = 1 if node is first else 2
        node.meta["val"] = (node.meta["val"][0], *([known] * parts))
    with found.graph.inserting_before(found.graph.output_node):
        parts = [
            found.graph.call_function(Target("operator.getitem"), (node, place))
            for node, place in ((first, 1), (second, 1), (second, 2))
        ]
    found.graph.output_node.args = ((found.graph.output_node.args[0][0], *parts[:1]),)
    made = without_tokens(found)
    assert targets(made)[0] == "relu.default"
    assert [str(each.target) for each in made.graph.find_nodes(Op.CALL_FUNCTION)].count(
        "operator.getitem"
    ) == 2
    assert made.module()(tsc.tensor([-1.0, 2.0, 3.0])).tolist() == [0.0, 2.0, 3.0]


def test_what_is_no_operator_is_refused_by_its_node() -> None:
    found = program()
    node = found.graph.find_nodes(Op.CALL_FUNCTION, WITH_EFFECTS)[0]
    node.args = (node.args[0], Target("os.system"), "echo")
    with pytest.raises(tsc.Error, match=r"with_effects calls os\.system, which tsc has not"):
        found.module()
