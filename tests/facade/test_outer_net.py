"""A failure of tsc reaches the user as a `tsc.Error` that says where it was, at every door."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tsc
from tests.limits.hostile_archives import CLASS, FORWARD, archive, module

GRAPH = "graph(%x : int):\n  return (%x)\n"
SOURCE = "def f(x: int) -> int:\n    return x + 1\n"
EXECUTOR = "tsc.runtime.execution.graph_executor.GraphExecutor"
MODEL = archive(CLASS + FORWARD, module())


def plus_one(x: tsc.Tensor) -> tsc.Tensor:
    return x + 1


def failing(error: type[Exception]) -> Callable[..., Any]:
    """A function whose code seems to be tsc's own."""
    source = "def fail(*arguments, **keywords):\n    raise error('lost')\n"
    names = {"error": error}
    exec(compile(source, str(Path(tsc.__file__).parent / "runtime" / "fail.py"), "exec"), names)
    return names["fail"]  # type: ignore[return-value]


def function() -> Any:
    return tsc.CompilationUnit(SOURCE).f


DOORS: dict[str, tuple[str, Callable[[], Any]]] = {
    "parse_ir": ("tsc.runtime.python_api.extension_points.parse_ir_text", lambda: tsc.parse_ir(GRAPH)),
    "script": ("tsc.runtime.live.script._scripted_function", lambda: tsc.script(plus_one)),
    "trace": ("tsc.runtime.tracing.trace._traced_function", lambda: tsc.trace(plus_one, tsc.tensor(1.0))),
    "load": ("tsc.runtime.archives.loading.ArchiveReader", lambda: tsc.load(io.BytesIO(MODEL))),
    "run_pass": ("tsc.runtime.execution.run_pass.verify", lambda: tsc.run_pass("inline", tsc.parse_ir(GRAPH))),
    "code": ("tsc.compiler.printing.python_printer.print_python", lambda: function().code),
    "inlined_graph": (f"{EXECUTOR}.inlined_graph", lambda: function().inlined_graph),
}  # fmt: skip


@pytest.mark.parametrize("error", [KeyError, RecursionError, MemoryError, AssertionError])
@pytest.mark.parametrize("door", list(DOORS))
def test_crashes_are_errors_of_tsc(
    door: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, action = DOORS[door]
    action()  # which works as it is
    fail = failing(error)
    monkeypatch.setattr(place, fail)
    with pytest.raises(tsc.Error):
        action()


def test_what_traced_code_raises_is_left_alone() -> None:
    def wrong(x: Any) -> Any:
        return {}[0]

    with pytest.raises(KeyError, match="0"):
        tsc.trace(wrong, tsc.tensor(1.0))
