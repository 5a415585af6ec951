"""What belongs to blocks and nodes of graphs, PyTorch's and ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def values_of(inputs: Callable[..., list[Any]], block: Any, found: list[Any]) -> list[Any]:
    """All values of a block, in the order of the text; ``inputs`` is `theirs` or `ours`."""
    found += inputs(block)
    for node in block.nodes():
        found += inputs(node, "outputs")
        for nested in inputs(node, "blocks"):
            values_of(inputs, nested, found)
    return found


def theirs(owner: Any, part: str = "inputs") -> list[Any]:
    return list(getattr(owner, part)())


def ours(owner: Any, part: str = "inputs") -> list[Any]:
    return list(getattr(owner, part))
