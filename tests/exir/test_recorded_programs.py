"""Files of PyTorch: they are read, printed as PyTorch prints them, and give its results."""

from __future__ import annotations

import pytest

import tsc
from tests.oracle.answers import plain, same_value
from tests.oracle.ours import tensor

from .recorded import recorded_answers, recorded_path

ANSWERS = recorded_answers()
each_program = pytest.mark.parametrize("name", ANSWERS)


@pytest.mark.parametrize("name", [name for name in ANSWERS if ANSWERS[name]["text"]])
def test_programs_are_printed_as_pytorch_prints_them(name: str) -> None:
    assert str(tsc.load_exported(recorded_path(name))) == ANSWERS[name]["text"]


@each_program
def test_results_are_those_of_pytorch(name: str) -> None:
    program = tsc.load_exported(recorded_path(name))
    args, kwargs = program.example_inputs
    result = plain(program.module()(*args, **kwargs), tensor)
    assert same_value(result, ANSWERS[name]["result"])


@each_program
def test_graphs_can_be_printed_and_read_again(name: str) -> None:
    graph = tsc.load_exported(recorded_path(name)).module().graph
    graph.lint()
    assert str(graph)


def test_buffers_of_a_program_are_written_by_its_modules() -> None:
    program = tsc.load_exported(recorded_path("CounterDecomposed"))
    for expected in ([3.0], [6.0]):
        program.module()(tsc.tensor([[1.0, 2.0]] * 3))
        assert program.state_dict["count"].tolist() == expected


def test_tensors_of_one_storage_share_its_memory() -> None:
    program = tsc.load_exported(recorded_path("TiedWeights"))
    first, second = program.state_dict.values()
    first.numpy(force=True)[0, 0] = 7.0
    assert second.numpy(force=True)[0, 0] == 7.0


def test_files_may_be_open_or_bytes() -> None:
    content = recorded_path("Add").read_bytes()
    assert tsc.load_exported(content).graph_signature.user_inputs == ("x", "y")
    with recorded_path("Add").open("rb") as opened:
        assert tsc.load_exported(opened).graph_signature.user_outputs == ("add",)
