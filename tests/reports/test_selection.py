"""Which codes are reported: --select and --ignore."""

from __future__ import annotations

import pytest

from tsc.compiler.reports import Selection, UnknownCode
from tsc.compiler.source import Code


@pytest.mark.parametrize(
    ("selected", "ignored", "wanted", "unwanted"),
    [
        ([], [], ["TS101", "TS201", "TS604"], ["TS901", "TS902"]),
        (["TS"], [], ["TS101", "TS901"], []),
        (["TS2"], [], ["TS201", "TS202"], ["TS101", "TS301"]),
        (["TS201,TS3", "ts9"], [], ["TS201", "TS304", "TS902"], ["TS202", "TS101"]),
        ([], ["TS4"], ["TS101", "TS201"], ["TS401", "TS490"]),
        (["TS404"], ["TS4"], ["TS404"], ["TS401", "TS101"]),
        (["TS"], ["TS4", "TS201"], ["TS101", "TS202"], ["TS404", "TS201"]),
        (["TS201"], ["TS201"], [], ["TS201"]),
    ],
)
def test_the_longest_prefix_decides(
    selected: list[str], ignored: list[str], wanted: list[str], unwanted: list[str]
) -> None:
    selection = Selection.of(selected, ignored)
    for code in wanted:
        assert selection.wants(Code(code)), code
    for code in unwanted:
        assert not selection.wants(Code(code)), code


@pytest.mark.parametrize("prefix", ["TS299", "E501", "ts21x"])
def test_a_prefix_that_fits_no_code_is_refused(prefix: str) -> None:
    with pytest.raises(UnknownCode, match=f"no code begins with '{prefix.upper()}'"):
        Selection.of([prefix], [])
