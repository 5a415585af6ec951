"""Sizes that may change: exported once, run at five sizes, and refused outside of what holds."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tsc
from tsc.cli import main
from tsc.compiler.exir.node import Op
from tsc.compiler.source import UsageError

from .dynamic_programs import PROGRAMS

pytest.importorskip("sympy")


def arguments(name: str, size: int) -> tuple[Any, ...]:
    tsc.manual_seed(size)
    return tuple(tsc.rand(*each) for each in PROGRAMS[name].shapes(size))


def exported(name: str) -> tuple[Any, Any]:
    case = PROGRAMS[name]
    f = tsc.CompilationUnit(case.text).f
    return f, tsc.export(f, arguments(name, case.example), dynamic_shapes=case.declared(tsc.Dim))


def same(found: Any, expected: Any) -> bool:
    if isinstance(found, tuple):
        return all(map(same, found, expected))
    if isinstance(found, tsc.Tensor):
        return found.shape == expected.shape and bool(
            tsc.allclose(found.double(), expected.double())
        )
    return bool(found == expected)


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_program_is_for_five_sizes(name: str) -> None:
    f, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for module in (program.module(), tsc.load_exported(file.getvalue()).module()):
        for size in PROGRAMS[name].sizes:
            given = arguments(name, size)
            assert same(module(*given), f(*given)), size


def test_what_is_out_of_range_names_the_constraint() -> None:
    _, program = exported("pointwise")
    with pytest.raises(tsc.ScriptError, match=r"x.size\(\)\[0\] <= 64, and it is 65 \(range"):
        program.module()(tsc.ones(65, 3))
    with pytest.raises(tsc.ScriptError, match=r"x.size\(\)\[1\] == 3"):
        program.module()(tsc.ones(4, 4))


def test_equal_sizes_have_one_symbol() -> None:
    _, program = exported("equal sizes")
    assert len(program.range_constraints) == 1
    with pytest.raises(tsc.ScriptError):
        program.module()(tsc.ones(4, 3), tsc.ones(5, 3))


def test_conditions_that_are_no_ranges_are_asserted() -> None:
    f = tsc.CompilationUnit(
        "def f(x: Tensor) -> Tensor:\n    assert x.size(0) % 2 == 0\n    return x + 1\n"
    ).f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    assert program.module()(tsc.ones(8)).shape == (8,)
    with pytest.raises(tsc.ScriptError, match=r"Guard failed: x.size\(\)\[0\] % 2 == 0"):
        program.module()(tsc.ones(7))


def test_what_the_program_does_not_allow_is_refused_with_the_line() -> None:
    f = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x + torch.ones(6)\n").f
    with pytest.raises(tsc.ConstraintViolationError, match=r"for 6 only .*<string>:2") as caught:
        tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim("n")}})
    assert "Dim.AUTO" in str(caught.value)


def test_names_of_no_argument_are_refused() -> None:
    f = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x\n").f
    with pytest.raises(UsageError, match="no argument is named y"):
        tsc.export(f, (tsc.ones(6),), dynamic_shapes={"y": {0: tsc.Dim("n")}})


def test_strict_capture_refuses_lost_effects() -> None:
    f = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    print(x)\n    return x + 1\n").f
    with pytest.raises(tsc.ExportError, match="printed"):
        tsc.export(f, (tsc.ones(2),), strict=True)


def test_the_command_line_declares_sizes(tmp_path: Path) -> None:
    source, out = tmp_path / "program.py", tmp_path / "out.pt2"
    source.write_text("def f(x):\n    return x.view(-1) * x.size(0)\n")
    asked = ["export", str(source), "--args", "torch.ones(4, 3)", "-o", str(out)]
    told = CliRunner().invoke(main, [*asked, "--dynamic", "x: {0: batch=2..9}"])
    assert told.exit_code == 0, told.output
    module = tsc.load_exported(str(out)).module()
    assert module(tsc.ones(9, 3)).shape == (27,)
    with pytest.raises(tsc.ScriptError, match="<= 9, and it is 10"):
        module(tsc.ones(10, 3))
    wrong = CliRunner().invoke(main, [*asked, "--dynamic", "x: {0 batch}"])
    assert wrong.exit_code == 2 and "expected ':'" in wrong.output


def test_truth_values_of_sizes_are_not_returned() -> None:
    f = tsc.CompilationUnit("def f(x: Tensor) -> bool:\n    return x.size(0) > 5\n").f
    with pytest.raises(tsc.ExportError, match="a truth value that sizes decide is returned"):
        tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})


def test_a_size_that_is_overwritten_in_its_tensor_is_read_as_data() -> None:
    f = tsc.CompilationUnit(
        "def f(x: Tensor) -> Tensor:\n    n = torch.tensor(x.size(0))\n    n.sub_(1)\n    return x[:int(n)]\n"
    ).f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    assert program.module()(tsc.ones(9)).shape == (8,)


RECURRENT = """
def f(x: Tensor, w: Tensor, v: Tensor):
    h = torch.zeros(1, x.size(1), 2)
    return torch.lstm(x, [h, h], [w, v], False, 1, 0.0, False, False, False)[0]
"""


def test_steps_of_recurrent_layers_stay_open_where_the_user_says_so() -> None:
    f = tsc.CompilationUnit(RECURRENT).f
    given = (tsc.rand(5, 4, 3), tsc.rand(8, 3), tsc.rand(8, 2))
    weights = {"w": None, "v": None}
    automatic = tsc.export(f, given, dynamic_shapes={"x": tsc.Dim.AUTO, **weights})
    assert list(map(str, automatic.range_constraints.values())) == ["VR[2, int_oo]"]
    with pytest.raises(tsc.ScriptError, match=r"x.size\(\)\[0\] == 5"):
        automatic.module()(tsc.rand(6, 4, 3), *given[1:])
    declared = {"x": {0: tsc.Dim("time", min=1, max=9), 1: tsc.Dim.AUTO}, **weights}
    program = tsc.export(f, given, dynamic_shapes=declared)
    for size in ((1, 4, 3), (9, 2, 3)):
        other = (tsc.rand(*size), *given[1:])
        assert same(program.module()(*other), f(*other))


def test_a_tensor_that_is_given_twice_has_its_sizes_once() -> None:
    f = tsc.CompilationUnit("def f(x: Tensor, y: Tensor) -> Tensor:\n    return x + y.sum(0)\n").f
    x = tsc.ones(4, 3)
    program = tsc.export(f, (x, x), dynamic_shapes=[tsc.Dim.AUTO, tsc.Dim.AUTO])
    assert len(program.range_constraints) == 2
    named = [{0: tsc.Dim("a")}, {0: tsc.Dim("b")}]
    with pytest.raises(tsc.ConstraintViolationError, match="equal to"):
        tsc.export(f, (x, x), dynamic_shapes=named)


def test_sizes_that_must_be_as_in_this_run_leave_others_open() -> None:
    f = tsc.CompilationUnit(
        "def f(x: Tensor, y: Tensor) -> Tensor:\n    return torch.linalg.solve(y, x)\n"
    ).f
    given = (tsc.rand(3, 5), tsc.eye(3))
    program = tsc.export(f, given, dynamic_shapes={"x": tsc.Dim.AUTO, "y": None})
    assert list(map(str, program.range_constraints.values())) == ["VR[2, int_oo]"]
    assert program.module()(tsc.rand(3, 7), given[1]).shape == (3, 7)


def calls(program: Any) -> list[str]:
    return [str(each.target).rpartition(".")[2] for each in program.graph.nodes if each.args][:-1]


def test_sizes_are_computed_where_the_program_does_so() -> None:
    text = (
        "def f(x):\n    n = x.size(0) - 1\n    m = n * 3\n    y = x.exp()\n    return y[:n] + 1\n"
    )
    f = tsc.CompilationUnit(text).f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    assert calls(program) == ["int", "sub", "default", "Tensor", "Tensor"]
    first, second = program.graph.find_nodes(Op.CALL_FUNCTION)[:2]
    assert second.args == (first, 1)


def test_sizes_that_are_read_are_computed_of_inputs() -> None:
    text = "def f(x):\n    y = torch.cat([x, x])\n    n = y.size(0)\n    z = y.exp()\n    return z.view(1, n)\n"
    f = tsc.CompilationUnit(text).f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    assert calls(program) == ["int", "default", "mul", "default", "default"]


def decomposed(body: str, *shape: int) -> list[str]:
    f = tsc.CompilationUnit(f"import torch\n\ndef f(x: Tensor) -> Tensor:\n{body}").f
    program = tsc.export(f, (tsc.ones(*shape),), dynamic_shapes={"x": tsc.Dim.AUTO})
    return calls(program.run_decompositions())


def test_sizes_that_a_program_computes_stay_where_it_does_so_when_it_is_decomposed() -> None:
    body = "    y = torch.cat([x, x]).exp()\n    n = x.size(0) * 2\n    return torch.zeros(n) + y\n"
    assert decomposed(body, 6) == ["int", "default", "default", "mul", "default", "Tensor"]


def test_sizes_that_decompositions_read_are_computed_where_a_tensor_has_them() -> None:
    pooled = "torch.nn.functional.max_pool2d({}, 2).exp()"
    body = f"    y = {pooled.format('x')}\n    return {pooled.format('y')}.flatten(1)\n"
    found = decomposed(body, 2, 3, 16, 24)
    assert found[4:] == [
        *("default", "getitem", "default", "default", "getitem"),
        *("floordiv", "floordiv", "default", "mul", "mul", "default"),
    ]


def test_sizes_in_tensors_are_sizes() -> None:
    text = "def f(x: Tensor):\n    n = torch.tensor(x.size(0))\n    return torch.arange(n) * n + x.exp() / n\n"
    f = tsc.CompilationUnit(text).f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    assert calls(program) == ["int", "default", "Tensor", "default", "Tensor", "Tensor"]
    x = tsc.rand(4)
    assert tsc.equal(program.module()(x), f(x))


def test_sizes_that_recurrent_cells_compare_are_those_of_their_weights() -> None:
    text = "def f(x, h, c, y, z):\n    return torch.lstm_cell(x, [h, c], y, z)\n"
    text = text.replace(
        "(x, h, c, y, z):", "(x: Tensor, h: Tensor, c: Tensor, y: Tensor, z: Tensor):"
    )
    given = tuple(tsc.rand(*each) for each in ((5, 4), (5, 3), (5, 3), (12, 4), (12, 3)))
    shapes = (*[tsc.Dim.AUTO] * 3, None, None)
    program = tsc.export(tsc.CompilationUnit(text).f, given, dynamic_shapes=shapes)
    assert len(program.range_constraints) == 1


@pytest.mark.parametrize("most, slices", [(None, 1), (64, 0)])
def test_whole_slices_stand_where_a_size_has_no_end(most: int | None, slices: int) -> None:
    f = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x[:, None] + 1\n").f
    shapes = {"x": {0: tsc.Dim("n", min=1, max=most)}}
    program = tsc.export(f, (tsc.ones(6, 2),), dynamic_shapes=shapes)
    assert sum("slice" in str(each.target) for each in program.graph.nodes) == slices


@pytest.mark.parametrize(
    "body, least",
    [
        ("torch.nn.functional.pad(x[None], [3, 2], mode='reflect')", 4),
        ("x.unfold(1, 5, 2)", 5),
        ("torch.stft(x, 8, 2, center=True, return_complex=True).abs()", 5),
    ],
)
def test_least_sizes_are_told(body: str, least: int) -> None:
    f = tsc.CompilationUnit(f"import torch\n\ndef f(x: Tensor) -> Tensor:\n    return {body}\n").f
    program = tsc.export(f, (tsc.ones(2, 12),), dynamic_shapes={"x": {1: tsc.Dim.DYNAMIC}})
    assert list(map(str, program.range_constraints.values())) == [f"VR[{least}, int_oo]"]
    for size in (least, least + 9):
        assert program.module()(tsc.ones(2, size)).shape == f(tsc.ones(2, size)).shape
    with pytest.raises(tsc.ScriptError, match=f">= {least}, and it is {least - 1}"):
        program.module()(tsc.ones(2, least - 1))


def test_what_gives_its_tensor_is_no_call() -> None:
    text = "def f(x: Tensor) -> Tensor:\n    return x.contiguous() + x.t().contiguous().t()\n"
    program = tsc.export(tsc.CompilationUnit(text).f, (tsc.ones(3, 4),))
    assert sum("contiguous" in str(each.target) for each in program.graph.nodes) == 1


def test_sizes_among_floats_become_floats() -> None:
    f = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x / x.size(0) ** 0.5\n").f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    targets = [str(each.target) for each in program.graph.find_nodes(Op.CALL_FUNCTION)]
    assert targets[1:3] == ["torch.sym_float", "operator.pow"]
    assert same(program.module()(tsc.ones(9)), f(tsc.ones(9)))


def test_shapes_that_are_one_are_not_asked_for_ones() -> None:
    f = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x[1:] * 2 == x[1:]\n").f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    assert list(map(str, program.range_constraints.values())) == ["VR[2, int_oo]"]
    assert program.guards == []
    assert program.module()(tsc.ones(2)).shape == (1,)
