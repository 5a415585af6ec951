"""What a block has computed when it ends."""

from __future__ import annotations

import ast
from typing import NamedTuple


class End(NamedTuple):
    """The outputs of a block as expressions, which of them are ints not wrapped yet, and the variables that die."""

    expressions: list[ast.expr]
    wide: list[bool]
    dying: list[str]
