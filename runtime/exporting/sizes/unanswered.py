"""The answer that is none: what a node gives is not a matter of sizes that change."""

from __future__ import annotations

from typing import Final


class Unanswered:
    """The node is run as any other."""


UNANSWERED: Final = Unanswered()
