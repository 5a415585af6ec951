"""Lists and tensors of which data tells how long they get: programs do the same exported, here and when read back."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tsc.compiler.exir import growing_lists
from tsc.compiler.exir.node import Op
from tsc.compiler.exir.targets import WHILE_LOOP
from tsc.runtime.exporting.control_flow import tensor_arrays

from .growing_programs import ARGUMENTS, PROGRAMS, REFUSED
from .test_branches import numbers

pytest.importorskip("sympy")
HEAD = "from typing import *\nimport torch\n"


def exported(body: str, **options: Any) -> tuple[Any, Any]:
    f = tsc.CompilationUnit(HEAD + body).f
    return f, tsc.export(f, (tsc.tensor(ARGUMENTS[0]),), **options)


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_programs(name: str) -> None:
    f, program = exported(PROGRAMS[name])
    tsc.verify_exported(program, "training")
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for module in (program.module(), tsc.load_exported(file.getvalue()).module()):
        for each in ARGUMENTS:
            assert numbers(module(tsc.tensor(each))) == numbers(f(tsc.tensor(each)))


@pytest.mark.parametrize("name", ["places that are kept", "two lists side by side"])
def test_a_list_may_be_empty_on_the_example(name: str) -> None:
    f = tsc.CompilationUnit(HEAD + PROGRAMS[name]).f
    program = tsc.export(
        f,
        (
            tsc.tensor([0.5, 0.5, 0.25])
            if name == "places that are kept"
            else tsc.tensor([90.0, 0.5, 0.25]),
        ),
    )
    for each in ARGUMENTS:
        assert numbers(program.module()(tsc.tensor(each))) == numbers(f(tsc.tensor(each)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_found_in_them(name: str) -> None:
    explained = tsc.explain_export(tsc.CompilationUnit(HEAD + PROGRAMS[name]))
    (explanation,) = [each for each in explained if each.name == "f"]
    assert not explanation.findings


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(tsc.ExportError, match=message) as refused:
        exported(body)
    assert refused.value.hint and "<--- HERE" in str(refused.value)


def test_explanations_know_no_change_that_is_not_answered() -> None:
    assert tensor_arrays.ANSWERS.keys() >= growing_lists.CHANGES


def test_loops_are_kept_and_not_written_out() -> None:
    _, program = exported(PROGRAMS["turns side by side"])
    (loop,) = program.graph.find_nodes(Op.CALL_FUNCTION, WHILE_LOOP)
    assert str(loop.meta["val"][-1].size[0]).startswith("u")
    assert not program.graph.find_nodes(Op.CALL_FUNCTION, loop.args[0])


def test_elements_have_sizes_that_change() -> None:
    body = (
        "def f(x: Tensor) -> Tensor:\n    out: List[Tensor] = []\n    while bool(x.sum() < 60):\n"
        "        x = x * 2 + 1\n        out.append(x)\n    return torch.stack(out)\n"
    )
    f, program = exported(body, dynamic_shapes={"x": {0: tsc.Dim("n")}})
    for each in ([1.0, 2.0, 3.0], [1.0, 2.0], [0.5, 1.0, 2.0, 3.0, 4.0]):
        assert numbers(program.module()(tsc.tensor(each))) == numbers(f(tsc.tensor(each)))


def test_a_loop_of_few_turns_that_cannot_be_kept_is_written_out() -> None:
    """The list holds again what it held, once the loop turns out to have no form in which it grows."""
    body = (
        "def f(x: Tensor) -> Tensor:\n    out = [x]\n    for i in range(3):\n        out.append(x * i)\n"
        "        if bool(x.sum() > 100):\n            break\n        x = x.unsqueeze(0)\n        x = x[0] + 1\n"
        "    return torch.stack(out)\n"
    )
    f, program = exported(body)
    for each in ARGUMENTS:
        assert numbers(program.module()(tsc.tensor(each))) == numbers(f(tsc.tensor(each)))
