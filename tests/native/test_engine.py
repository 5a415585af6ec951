"""Modules of LLVM as functions of this process."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TWICE = """
define i64 @twice(i64 %x) {
  %y = add i64 %x, %x
  ret i64 %y
}
"""


def test_a_module_becomes_a_function() -> None:
    engine = pytest.importorskip("tsc.runtime.native.code.engine", exc_type=ImportError)
    library = engine.Library(engine.Module(TWICE).object_code(), {})
    twice = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(library.address("twice"))
    assert twice(21) == 42


def test_a_wrong_module_is_refused() -> None:
    engine = pytest.importorskip("tsc.runtime.native.code.engine", exc_type=ImportError)
    with pytest.raises(RuntimeError):
        engine.Module("define i64 @f() { ret double 0.0 }")


WITHOUT = """
import sys
sys.modules["llvmlite"] = None
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "llvmlite" else found(name, *rest)
import tsc
unit = tsc.CompilationUnit('''
def total(n: int) -> int:
    sum = 0
    for i in range(n):
        sum += i % 7
    return sum
''')
print([unit.total(300_000) for _ in range(3)])
"""


def test_programs_run_without_llvmlite() -> None:
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "build"))
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, env=environment
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "[899997, 899997, 899997]\n"
