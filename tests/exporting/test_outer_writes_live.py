"""Writes in branches and loops to tensors from outside, in PyTorch: equal results, and equal arguments afterwards."""

from __future__ import annotations

import io

import pytest

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

from tests.exporting.test_outer_writes import exported  # noqa: E402
from tests.exporting.writing_programs import ARGUMENTS, PROGRAMS  # noqa: E402
from tests.oracle.answers import plain, same_value  # noqa: E402
from tests.oracle.pytorch import tensor  # noqa: E402


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_in_pytorch(name: str) -> None:
    _, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    module = torch.export.load(io.BytesIO(file.getvalue())).module()
    reference = torch.jit.CompilationUnit(PROGRAMS[name]).f
    for each in ARGUMENTS:
        given, own = torch.tensor(each), torch.tensor(each)
        assert same_value(plain(module(given), tensor), plain(reference(own), tensor))
        assert torch.equal(given, own)
