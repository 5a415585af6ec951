"""Layers, lengths and computed shapes with sizes that may change: exported once, the same at five sizes."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import pytest

import tsc

from .dynamic_modules import PROGRAMS
from .test_dynamic import same

pytest.importorskip("sympy")

IMPORTS = "import torch\nimport torch.nn.functional as F\n"


def arguments(name: str, size: int) -> tuple[Any, ...]:
    tsc.manual_seed(size)
    return tuple(tsc.rand(*each) for each in PROGRAMS[name].shapes(size))


@cache
def exported(name: str) -> tuple[Any, Any]:
    case = PROGRAMS[name]
    f = tsc.CompilationUnit(IMPORTS + case.text).f
    return f, tsc.export(f, arguments(name, case.example), dynamic_shapes=case.declared(tsc.Dim))


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_program_is_for_five_sizes(name: str) -> None:
    f, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    read, core = tsc.load_exported(file.getvalue()), program.run_decompositions()
    for module in (program.module(), read.module(), core.module()):
        for size in PROGRAMS[name].sizes:
            given = arguments(name, size)
            assert same(module(*given), f(*given)), size
