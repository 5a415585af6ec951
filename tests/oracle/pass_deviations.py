"""Where our passes give other graphs than PyTorch's passes of their names, and why.

tests/passes/deviations.txt names the graphs: a line ``pass: reason``, then a graph a line.
"""

from __future__ import annotations

from functools import cache

from .pass_records import FOLDER


@cache
def deviations() -> dict[str, frozenset[str]]:
    """The graphs on which passes are known to differ, by pass."""
    found: dict[str, set[str]] = {}
    name = ""
    for line in (FOLDER / "deviations.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[name].add(line.strip())
        elif line:
            name = line.partition(":")[0]
            found.setdefault(name, set())
    return {name: frozenset(keys) for name, keys in found.items()}


def deviating(name: str) -> frozenset[str]:
    """The graphs on which a pass is known to differ."""
    return deviations().get(name, frozenset())
