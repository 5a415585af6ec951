"""Exported programs as modules of TorchScript: results, checks, attributes, and what cannot go."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tsc
from tests.oracle.answers import plain, same_value
from tests.oracle.ours import tensor
from tsc.cli import main
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.translation.scope import TranslationError

from .recorded import recorded_answers, recorded_path

ANSWERS = recorded_answers()


def module_of(name: str) -> Any:
    """A program as a module, saved and loaded again."""
    module = tsc.to_torchscript(tsc.load_exported(recorded_path(name)))
    content = io.BytesIO()
    tsc.save(module, content)
    return tsc.load(content.getvalue())


@pytest.mark.parametrize("name", ANSWERS)
def test_results_are_those_of_pytorch(name: str) -> None:
    args, kwargs = tsc.load_exported(recorded_path(name)).example_inputs
    result = plain(module_of(name)(*args, **kwargs), tensor)
    assert same_value(result, ANSWERS[name]["result"])


def test_parameters_and_buffers_are_at_their_paths() -> None:
    module = module_of("Perceptron")
    names = [name for name, _ in module.named_parameters()]
    assert names == ["layers.0.weight", "layers.0.bias", "layers.2.weight", "layers.2.bias"]
    assert [name for name, _ in module_of("Counter").named_buffers()] == ["hidden", "count"]


def test_tensors_are_those_of_the_program() -> None:
    program = tsc.load_exported(recorded_path("CounterDecomposed"))
    module = tsc.to_torchscript(program)
    module(tsc.tensor([[1.0, 2.0]] * 3))
    assert program.state_dict["count"].tolist() == [3.0]


@pytest.mark.parametrize(
    ("name", "arguments", "guard"),
    [
        ("Perceptron", ((65, 4),), r"x\.size\(\)\[0\] <= 64"),
        ("Perceptron", ((2, 5),), r"x\.size\(\)\[1\] == 4"),
        ("Perceptron", ((2, 4, 1),), r"x\.dim\(\) == 2"),
        ("DerivedSize", ((5, 2),), r"x\.size\(\)\[0\] == 2\*"),
        ("DerivedSize", ((18, 2),), r"<= (8|16)"),
        ("RelatedSizes", ((3, 3), (3, 3)), r"== s\d+ \+ 1|y\.size\(\)\[0\] == "),
        ("TwoShapes", ((2, 3), (4, 5)), r"size\(\)\[[01]\] == s\d+"),
    ],
)
def test_ranges_are_kept(name: str, arguments: tuple[tuple[int, ...], ...], guard: str) -> None:
    module = module_of(name)
    with pytest.raises(tsc.ScriptError, match=f"Guard failed: .*{guard}"):
        module(*[tsc.zeros(*each) for each in arguments])


def test_constants_are_checked() -> None:
    module = module_of("Constants")
    x = tsc.zeros(2)
    module(x, 3, "hey", 2.5, True, None)
    right = (3, "hey", 2.5, True)
    for place, other in enumerate((4, "you", 1.5, False)):
        changed = [*right[:place], other, *right[place + 1 :]]
        with pytest.raises(tsc.ScriptError, match="Guard failed"):
            module(x, *changed, None)


def test_lists_have_to_have_as_many_elements() -> None:
    module = module_of("list_argument")
    with pytest.raises(tsc.ScriptError, match="args_0 is to have 3 elements"):
        module([tsc.zeros(2)])


def test_containers_of_several_types_are_refused_by_their_place() -> None:
    program = tsc.load_exported(recorded_path("Ordered"))
    _, mixed = tree_flatten((({"z": tsc.zeros(2), "a": (tsc.zeros(2),)},), {}))
    program.call_spec = type(program.call_spec)(mixed, program.call_spec.out_spec, ("d",))
    with pytest.raises(TranslationError, match=r"d has elements of several types \(\(Tensor\), T"):
        tsc.to_torchscript(program)


def test_the_command_writes_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    source = str(recorded_path("Perceptron"))
    assert CliRunner().invoke(main, ["export", source, "-o", str(path)]).exit_code == 0
    assert tsc.load(path)(tsc.zeros(2, 4)).shape == (2, 3)
