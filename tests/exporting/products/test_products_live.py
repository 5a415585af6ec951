"""What becomes of products' modules: PyTorch loads the programs, and gives call by call what torch.jit gives."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("torch")

from tests.exporting.products.__main__ import CASES, EQUAL, outcomes  # noqa: E402


@pytest.mark.parametrize("name", CASES)
def test_programs_do_call_by_call_what_archives_do(name: str) -> None:
    found = dict(outcomes(CASES[name]))
    assert set(found.values()) == {EQUAL}, found
