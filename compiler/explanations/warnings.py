"""TS9: warnings about programs that compile. They are given when they are selected."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
    explain(
        codes.EXTENSION_USED,
        "an extension of tsc, which PyTorch refuses",
        """
        The program uses something that tsc compiles and PyTorch does not. That is fine for programs
        that tsc runs; what is to be compiled by PyTorch as well is checked with `--strict`.
        """,
        bad="""
        def evens(xs: List[int]) -> List[int]:
            return [x for x in xs if x % 2 == 0]
        """,
        good="""
        def evens(xs: List[int]) -> List[int]:
            result: List[int] = []
            for x in xs:
                if x % 2 == 0:
                    result.append(x)
            return result
        """,
    ),
    explain(
        codes.UNREACHABLE_CODE,
        "a statement that never runs",
        """
        The statements before it always return, raise, or leave the turn of the loop. What never
        runs is not compiled, so errors in it are not found either.
        """,
        bad="""
        def sign(n: int) -> int:
            if n > 0:
                return 1
            else:
                return -1
            return 0
        """,
        good="""
        def sign(n: int) -> int:
            if n > 0:
                return 1
            elif n < 0:
                return -1
            return 0
        """,
    ),
)
