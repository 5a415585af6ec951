"""What is found without arguments is what capture refuses, on a part of the oracle's programs."""

from __future__ import annotations

from collections import Counter

from tests.exir.agreement import outcomes
from tests.oracle.programs import topics


def test_what_is_found_is_refused_and_what_is_refused_is_found() -> None:
    programs = [program for topic in ("tensors", "devices") for program in topics()[topic]]
    counts = Counter(outcome for program in programs for _, outcome in outcomes(program))
    assert counts["found, refused"] >= 5
    assert not counts["found, exported"] and not counts["clean, refused"]
