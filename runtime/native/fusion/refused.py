"""What is known of a group that there is no code for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """There is no code; `kind` is that of the node that has none, if it is one's."""

    kind: str | None = None
