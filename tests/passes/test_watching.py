"""What passes are doing is logged, and they stop after so many rewritings, where the environment says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import tsc
from tsc.compiler.passes.registry import pass_names
from tsc.compiler.printing import graph_printer
from tsc.compiler.source.jit_log import LOG, PYTORCHS_FILES, JitLog, Level, own_files
from tsc.compiler.source.rewritings import LIMITS, RewritingLimits
from tsc.compiler.types import tensor_type

SOURCE = """
def g(x: int) -> int:
    return x + 1

def f(x: int, y: List[int]) -> int:
    seconds = 60 * 60 * 24
    unused = x * 2
    for i in range(3):
        x = x + len([i, i])
    return x + seconds + 1 + 2 + g(x) + g(x) + len(y)
"""
RESULT = tsc.CompilationUnit(SOURCE).f(3, [4])

Watch = Callable[..., None]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Sets what the environment would have set when the process began."""

    def set_up(log: str = "", limits: str = "") -> None:
        new = JitLog([part for part in log.split(":") if part])
        monkeypatch.setattr(LOG, "levels", new.levels)
        monkeypatch.setattr(LOG, "active", new.active)
        given = [part for part in limits.split(":") if part]
        monkeypatch.setattr(LIMITS, "left", RewritingLimits(given).left)

    return set_up


def run() -> int:
    return tsc.CompilationUnit(SOURCE).f(3, [4])


def test_nothing_is_written_unless_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    run()
    assert capsys.readouterr().err == ""


def test_graphs_and_rewritings_of_a_file(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    watch("dead_code_elimination")
    assert run() == RESULT
    lines = capsys.readouterr().err.splitlines()
    assert {line.partition(" ")[0] for line in lines} == {"[DUMP", "[UPDATE"}
    assert all(line.partition(" ")[2].startswith("eliminate_dead_code.py:") for line in lines)
    assert any(line.endswith("] After eliminate_dead_code:") for line in lines)
    assert any("] rewriting %unused : int = aten::mul" in line for line in lines)
    assert any(line.endswith("]   return (%7)") or "return (" in line for line in lines)


def test_more_of_a_file(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    watch(">inliner.cpp:/somewhere/>x.py:>>alias_analysis:ir_emitter:convert_to_ssa:graph_executor")
    assert run() == RESULT
    text = capsys.readouterr().err
    assert "[DEBUG inline_small_calls.py:" in text and "] Before inline_small_calls:" in text
    assert "[DEBUG alias_db.py:" in text and "ALIAS DB" in text
    assert "[DUMP ir_emitter.py:" in text and "prim::Store" in text
    assert "[DUMP convert_to_ssa.py:" in text
    assert "plan of function 'f':" in text


def test_run_pass_and_opt_are_logged(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    watch("loop_unrolling")
    assert tsc.run_pass("loop_unrolling", tsc.CompilationUnit(SOURCE).f.graph.copy())
    text = capsys.readouterr().err
    assert "[UPDATE unroll_loops.py:" in text and "] rewriting %x : int = prim::Loop(" in text
    assert "] After unroll_loops:" in text


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("dead_code_elimination", ("eliminate_dead_code",)),
        ("dead_code_elimination.cpp", ("eliminate_dead_code",)),
        ("torch/csrc/jit/passes/inliner.cpp", ("inline", "inline_small_calls")),
        ("eliminate_dead_code.py", ("eliminate_dead_code",)),
        ("unheard_of", ("unheard_of",)),
    ],
)
def test_names_of_files(name: str, files: tuple[str, ...]) -> None:
    assert own_files(name) == files


def test_pytorchs_names_lead_to_files_there_are() -> None:
    others = {"alias_db", "bailout_graph", "convert_to_ssa", "profiling_executor", "phases"}
    ours = {file for files in PYTORCHS_FILES.values() for file in files}
    assert ours <= {*pass_names(), *others}


@pytest.mark.parametrize("name", pass_names())
def test_a_pass_answers_to_its_own_name(name: str) -> None:
    assert name in own_files(name)


def test_levels() -> None:
    log = JitLog(["a", ">b", ">>>c"])
    assert [log.wants(file, Level.UPDATE) for file in "abcd"] == [True, True, True, False]
    assert [log.wants(file, Level.DEBUG) for file in "abc"] == [False, True, True]


# -- Limits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["constant_propagation", "peephole", "dce", "inline_small_calls"])
def test_programs_mean_the_same_after_any_number_of_rewritings(name: str, watch: Watch) -> None:
    name = {"dce": "dead_code_elimination"}.get(name, name)
    sizes: list[int] = []
    for limit in range(5):
        watch(limits=f"{name}={limit}")
        unit = tsc.CompilationUnit(SOURCE)
        assert unit.f(3, [4]) == RESULT
        sizes.append(len(str(unit.f.optimized_graph)))
    assert len(set(sizes)) > 1, "the limit makes a difference"


def test_a_pass_that_does_not_count_changes_as_many_graphs(
    watch: Watch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "graph(%x : Float(2)):\n  %y : Float(2) = aten::relu(%x)\n  return (%y)\n"
    watch("erase_shape_information", "erase_shape_information=1")
    changed = [tsc.run_pass("erase_shape_information", tsc.parse_ir(text)) for _ in range(3)]
    assert changed == [True, False, False]
    assert "is not run: it has come to its limit" in capsys.readouterr().err


def test_a_limit_that_is_none_is_refused_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    assert RewritingLimits(["peephole", "dce=x", "cse=3"]).left == {"cse": 3}
    assert capsys.readouterr().err.count("is no limit; say pass=number") == 2


# -- Types -----------------------------------------------------------------------------------

TENSORS = """graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu),
      %y : (Float(*, *, requires_grad=1), int)):
  %z : Tensor, %n : int = prim::TupleUnpack(%y)
  return (%x)
"""
BY_VERBOSITY = {
    0: "graph(%x,\n      %y):\n  %z, %n = prim::TupleUnpack(%y)\n  return (%x)\n",
    1: TENSORS.replace(", strides=[3, 1], requires_grad=0, device=cpu", "").replace(
        ", requires_grad=1", ""
    ),
    2: TENSORS.replace(", requires_grad=0, device=cpu", "").replace(", requires_grad=1", ""),
    3: TENSORS,
}


@pytest.mark.parametrize("verbosity", BY_VERBOSITY)
def test_graphs_tell_less_of_types(verbosity: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = tsc.parse_ir(TENSORS)
    monkeypatch.setattr(tensor_type, "VERBOSITY", verbosity)
    monkeypatch.setattr(graph_printer, "VERBOSITY", verbosity)
    assert str(graph) == BY_VERBOSITY[verbosity]


def test_all_of_it_is_set_by_the_environment() -> None:
    program = (
        "import tsc\ngraph = tsc.parse_ir('graph(%x : Float(2)):\\n  return (%x)\\n')\n"
        "print(graph, tsc.run_pass('erase_shape_information', graph))"
    )
    variables = {
        "PYTORCH_JIT_LOG_LEVEL": ">erase_shape_information",
        "TSC_JIT_OPT_LIMIT": "erase_shape_information=0",
        "PYTORCH_JIT_TYPE_VERBOSITY": "0",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | variables,
        timeout=60,
    )
    assert done.stdout == "graph(%x):\n  return (%x)\n False\n"
    assert "erase_shape_information is not run" in done.stderr
