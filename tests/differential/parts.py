"""A part of the random programs: some hundred of them under one seed, in a process of its own."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

PART = 300


def checked(
    strategy: st.SearchStrategy[str], check: Callable[[str], None], count: int, number: int
) -> int:
    """Check `count` programs of the seed `number`; the number of those that were different."""
    seen: set[str] = set()

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(strategy)
    def run(program: str) -> None:
        seen.add(program)
        check(program)

    run()
    return len(seen)


def scalar_part(count: int, number: int) -> int:
    from .against_cpython import check_against_cpython
    from .scalar_programs import scalar_programs

    return checked(scalar_programs, check_against_cpython, count, number)


def tensor_part(count: int, number: int) -> int:
    from .against_pytorch import check_against_pytorch
    from .tensor_programs import tensor_programs

    return checked(tensor_programs, check_against_pytorch, count, number)


PARTS: dict[str, Callable[[int, int], int]] = {"scalar": scalar_part, "tensor": tensor_part}


def run_part(kind: str, count: int, number: int) -> tuple[int, str | None]:
    """How many different programs a part had, and its disagreement if there was one."""
    warnings.simplefilter("ignore")
    try:
        return PARTS[kind](count, number), None
    except BaseException:  # noqa: BLE001  whatever ends a part is what was looked for
        return 0, traceback.format_exc(limit=-1)
