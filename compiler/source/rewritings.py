"""The rewritings of passes: each is logged where that is wanted, and a pass may be stopped after so many.

``TSC_JIT_OPT_LIMIT`` or ``PYTORCH_JIT_OPT_LIMIT`` says ``peephole=12:dead_code_elimination=3``: by halving the number
one finds the rewriting that a program does not survive.
"""

from __future__ import annotations

import sys
from typing import Final

from tsc.compiler.source.jit_log import LOG, Level, of_environment, own_files


class RewritingLimits:
    """How many rewritings passes may still make, by the names of the passes; others may make any number."""

    __slots__ = ("left",)

    def __init__(self, limits: list[str]) -> None:
        self.left: dict[str, int] = {}
        for each in limits:
            name, _, number = each.partition("=")
            if not number.strip().isdigit():
                sys.stderr.write(f"JIT_OPT_LIMIT: {each!r} is no limit; say pass=number\n")
                continue
            self.left |= dict.fromkeys(own_files(name.strip()), int(number))

    def take(self, name: str) -> bool:
        """Count a rewriting, if one more is allowed."""
        left = self.left.get(name)
        if left:
            self.left[name] = left - 1
        return left != 0


LIMITS: Final = RewritingLimits(of_environment("OPT_LIMIT"))
"""Those of this process."""


def may_rewrite(name: str, what: object) -> bool:
    """Whether the pass of that name may rewrite a node. Passes ask right before they do, and let it be if not."""
    if not LIMITS.left and not LOG.active:
        return True
    allowed = LIMITS.take(name)
    if LOG.active:
        said = f"rewriting {what!r}" if allowed else f"beyond its limit, not rewriting {what!r}"
        line = sys._getframe(1).f_lineno  # pyright: ignore[reportPrivateUsage]
        LOG.write(name, Level.UPDATE, said, line)
    return allowed
