"""Conditions on arguments that programs hold in Python: read, written, and checked when programs run."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tsc.compiler.exir.guards import guard_text, parse_guard, source_of
from tsc.compiler.exir.symbolic_expressions import SymbolicError

pytest.importorskip("sympy")

READ = {
    "(L['x'].size()[0] % 2) == 0": ("x.size()[0] % 2 == 0", {"x.size()[0]": 6}, {"x.size()[0]": 7}),
    "(1 + (((-1) + L['x'].size()[3]) // 2)) != 1": (
        "1 + (-1 + x.size()[3]) // 2 != 1", {"x.size()[3]": 3}, {"x.size()[3]": 2},
    ),
    "L['d']['k'][0].stride()[1] < 4 < L['n']": (
        "d['k'][0].stride()[1] < 4 < n", {"d['k'][0].stride()[1]": 1, "n": 5}, {"d['k'][0].stride()[1]": 1, "n": 4},
    ),
    "max(L['x'].size()[0], 3) - 2 >= 2 or not L['x'].size()[0] == 1": (
        "max(x.size()[0], 3) - 2 >= 2 or not x.size()[0] == 1", {"x.size()[0]": 2}, {"x.size()[0]": 1},
    ),
    "math.trunc(L['x'].size()[0] / 2) == 3": (
        "math.trunc(x.size()[0] / 2) == 3", {"x.size()[0]": 7}, {"x.size()[0]": 8},
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_a_guard_is_read_and_holds_for_some_sizes(text: str) -> None:
    shown, fits, breaks = READ[text]
    guard = parse_guard(text)
    assert guard.text == shown
    assert guard.condition.value(fits) is True
    assert guard.condition.value(breaks) is False
    assert set(guard.places) == set(fits)
    sources = {place: source_of(place.partition(".")[0]) for place in guard.places}
    for place in guard.places:
        _, dot, rest = place.partition(".")
        sources[place] += dot + rest
    assert parse_guard(guard_text(guard.condition, sources)).condition.value(fits) is True


@pytest.mark.parametrize(
    "text",
    [
        "x.size()[0] == 2", "L['x'].item() == 2", "__import__('os')", "L['x'].size()[0] ==", "[].append(1)",
        "L['x'].size()[0] ** (2, 3) == 1", "(" * 300 + ")" * 300, "-" * 5000 + "1", "lambda: 1", "L[0]",
    ],
)  # fmt: skip
def test_what_is_no_condition_on_sizes_is_refused(text: str) -> None:
    with pytest.raises(SymbolicError):
        parse_guard(text)


def halved() -> Any:
    unit = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x.view(-1, 2).sum(1)\n")
    return tsc.export(unit.f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})


def test_guards_stay_in_files_and_in_dialects() -> None:
    program, content = halved(), io.BytesIO()
    assert program.guards == ["((L['x'].size()[0] % 2) == 0)"]
    tsc.save_exported(program, content)
    again = tsc.load_exported(io.BytesIO(content.getvalue()))
    for each in (program, again, program.run_decompositions(), tsc.to_edge(program)):
        assert each.module()(tsc.ones(8)).shape == (4,)
        with pytest.raises(
            tsc.ScriptError, match=r"Guard failed: x.size\(\)\[0\] % 2 == 0 \(x.siz.* is 7\)"
        ):
            each.module()(tsc.ones(7))


def test_guards_are_in_archives() -> None:
    module = tsc.to_torchscript(halved())
    assert module(tsc.ones(8)).shape == (4,)
    with pytest.raises(tsc.ScriptError, match="Guard failed"):
        module(tsc.ones(7))


def test_an_unknown_guard_is_refused_when_the_program_is_run() -> None:
    program = halved()
    program.guards = ["L['x'].item() == 2"]
    with pytest.raises(tsc.Error, match="no condition on sizes that tsc knows"):
        program.module()


def test_operators_that_are_made_by_a_size_are_kept_if_it_may_change() -> None:
    unit = tsc.CompilationUnit(
        "def f(x: Tensor, h: Tensor, a: Tensor, b: Tensor) -> Tensor:\n"
        "    return torch.gru(x, h, [a, b], False, 1, 0.0, False, False, False)[0]\n"
    )
    given = (tsc.rand(5, 2, 4), tsc.rand(1, 2, 3), tsc.rand(9, 4), tsc.rand(9, 3))
    program = tsc.export(unit.f, given, dynamic_shapes={"x": {0: tsc.Dim("steps")}})
    core = program.run_decompositions()
    assert "aten.gru.input" in str(core.graph)
    for steps in (2, 5, 9):
        others = (tsc.rand(steps, 2, 4), *given[1:])
        assert bool(tsc.allclose(core.module()(*others), unit.f(*others)))
