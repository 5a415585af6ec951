"""The recorded graphs and printed functions are what PyTorch makes of the programs today."""

from __future__ import annotations

import pytest

from tests.oracle.apart import apart


@pytest.mark.oracle
def test_recorded_code_is_current() -> None:
    pytest.importorskip("torch")
    from tests.oracle.printed_code import stale

    assert apart(stale) == []
