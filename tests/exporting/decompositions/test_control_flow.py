"""Programs that data decides about, in the dialects: verified, and the same for all arguments."""

from __future__ import annotations

from typing import Any

import pytest

import tsc

from .. import (
    branching_programs,
    data_sized_programs,
    growing_programs,
    looping_programs,
    writing_programs,
)

pytest.importorskip("sympy")

HEAD = "from typing import *\nimport torch\nfrom torch import Tensor\n"
MODULES = (
    branching_programs,
    growing_programs,
    looping_programs,
    writing_programs,
    data_sized_programs,
)
CASES = [(module, name) for module in MODULES for name in module.PROGRAMS]


def same(found: Any, expected: Any) -> bool:
    if isinstance(found, tuple | list):
        return all(map(same, found, expected))
    if isinstance(found, tsc.Tensor):
        alike = found.shape == expected.shape and found.dtype == expected.dtype
        return alike and bool(tsc.allclose(found.double(), expected.double(), equal_nan=True))
    return bool(found == expected)


@pytest.mark.parametrize(("module", "name"), CASES, ids=[name for _, name in CASES])
def test_gives_the_same_in_each_dialect(module: Any, name: str) -> None:
    program = tsc.export(
        tsc.CompilationUnit(HEAD + module.PROGRAMS[name]).f, (tsc.tensor(module.ARGUMENTS[0]),)
    )
    for dialect, made in (
        ("aten", program.run_decompositions(())),
        ("aten", program.run_decompositions()),
        ("edge", tsc.to_edge(program)),
    ):
        tsc.verify_exported(made, dialect)
        for each in module.ARGUMENTS:
            expected = program.module()(tsc.tensor(each))
            assert same(made.module()(tsc.tensor(each)), expected), (dialect, each)
