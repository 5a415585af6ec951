"""Modules that PyTorch scripts or traces, exported here: operators as in PyTorch's own export, files that it loads."""

from __future__ import annotations

import copy
import io
from typing import Any

import pytest

import tsc
from tests.oracle.answers import plain, same_value
from tests.oracle.ours import tensor

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

from tests.exir.exported_modules import CASES, Case  # noqa: E402
from tests.exporting.branching_programs import ARGUMENTS, PROGRAMS, TEXT  # noqa: E402
from tests.exporting.growing_programs import ARGUMENTS as GROWN  # noqa: E402
from tests.exporting.growing_programs import PROGRAMS as GROWING  # noqa: E402
from tests.exporting.looping_programs import ARGUMENTS as LOOPED  # noqa: E402
from tests.exporting.looping_programs import PROGRAMS as LOOPING  # noqa: E402
from tests.oracle.pytorch import tensor as torch_tensor  # noqa: E402

NOT_COMPILED = frozenset(
    {
        *("Branches", "BranchesOnSize", "NestedBranches", "Loop", "LoopWithParameter", "Map"),
        *("Scan", "Nested", "dtype_inputs", "scalars", "no_results"),
        *("Autocast", "AutocastDecomposed", "NestedAutocast", "Associative", "AssociativePairs"),
        *("Batched", "Printing", "AssertsWithoutMessage", "Containers", "truth_values"),
    }
)
"""Neither scripted nor traced by PyTorch as they are: higher-order operators, regions and effects, and arguments that
traces do not take.
"""
OTHER_ARGUMENTS = frozenset({"Constants"})
"""A script takes its arguments for tensors."""
OTHER_OPERATORS = {
    "Asserts": "traces have no assertions",
    "writes_slices": "numbers that are written are constants in traces",
    "scatter": "traces hold what torch.tensor made",
    "ItemAsSize": "numbers are compared in tensors",
    "no_gradient": "traces have no regions without gradients",
}


def compiled(case: Case) -> Any:
    module = case.module()
    try:
        return torch.jit.script(module)
    except (RuntimeError, torch.jit.frontend.FrontendError):
        given = copy.deepcopy(case.args)
        return torch.jit.trace(module, given, check_trace=False, strict=False)


def loaded(script: Any) -> Any:
    content = io.BytesIO()
    torch.jit.save(script, content)
    return tsc.load(io.BytesIO(content.getvalue()))


def arguments(case: Case) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Anew: programs may write to them."""
    return copy.deepcopy((case.args, case.kwargs))


def operators(graph: Any) -> list[str]:
    calls = [n.target for n in graph.nodes if getattr(n.op, "value", n.op) == "call_function"]
    return [
        getattr(each, "__name__", str(each))
        if "aten" not in str(each)
        else str(each).split("aten.")[1]
        for each in calls
    ]


def called(module: Any, case: Case) -> Any:
    args, kwargs = arguments(case)
    with torch.no_grad():
        return module(*args, **kwargs)


@pytest.mark.parametrize("name", sorted(CASES.keys() - NOT_COMPILED - OTHER_ARGUMENTS))
def test_programs_are_those_of_pytorch(name: str) -> None:
    case = CASES[name]
    script = compiled(case)
    module = loaded(script)
    args, kwargs = arguments(case)
    program = tsc.export(module, args, kwargs)
    content = io.BytesIO()
    tsc.save_exported(program, content)
    back = torch.export.load(io.BytesIO(content.getvalue()))
    expected = plain(called(copy.deepcopy(script), case), torch_tensor)
    assert same_value(plain(called(program.module(), case), tensor), expected)
    assert same_value(plain(called(back.module(), case), torch_tensor), expected)
    of_pytorch = torch.export.export(case.module(), *arguments(case))
    same = [
        each.rpartition(".")[2] if "operator" in each else each for each in operators(program.graph)
    ]
    assert (same == operators(of_pytorch.graph)) == (name not in OTHER_OPERATORS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_branches_run_in_pytorch(name: str) -> None:
    program = tsc.export(tsc.CompilationUnit(TEXT + PROGRAMS[name]).f, (tsc.tensor(ARGUMENTS[0]),))
    content = io.BytesIO()
    tsc.save_exported(program, content)
    exported = torch.export.load(io.BytesIO(content.getvalue())).module()
    reference = torch.jit.CompilationUnit(PROGRAMS[name]).f
    for each in ARGUMENTS:
        found, expected = exported(torch.tensor(each)), reference(torch.tensor(each))
        assert same_value(plain(found, torch_tensor), plain(expected, torch_tensor))


LOOPS = [(LOOPING[name], LOOPED, name) for name in LOOPING]
LOOPS += [(GROWING[name], GROWN, name) for name in GROWING]


@pytest.mark.parametrize(
    ("text", "given"), [each[:2] for each in LOOPS], ids=[name for *_, name in LOOPS]
)
def test_loops_run_in_pytorch(text: str, given: Any) -> None:
    program = tsc.export(tsc.CompilationUnit(TEXT + text).f, (tsc.tensor(given[0]),))
    content = io.BytesIO()
    tsc.save_exported(program, content)
    exported = torch.export.load(io.BytesIO(content.getvalue())).module()
    reference = torch.jit.CompilationUnit(text).f
    for each in given:
        found, expected = exported(torch.tensor(each)), reference(torch.tensor(each))
        assert same_value(plain(found, torch_tensor), plain(expected, torch_tensor))
