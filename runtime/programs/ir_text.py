"""IR text as a kind of program: told from source by its first word."""

from __future__ import annotations

import re
from typing import Final, TypeGuard

import tsc.compiler.printing  # noqa: F401  graphs have texts from then on
from tsc.compiler.ir import Graph, parse_ir
from tsc.compiler.source import Source
from tsc.runtime.operators import load

_BEGINNING: Final = re.compile(r"(?:\s*#[^\n]*\n)*\s*graph\s*\(\s*(?:%|\)\s*:)")


def is_ir_text(source: object) -> TypeGuard[Source]:
    """Whether a text begins, after comments, as the IR text of a graph."""
    return isinstance(source, Source) and _BEGINNING.match(source.text) is not None


def graph_of(source: Source) -> Graph:
    """The graph that a text spells. Raises `CompileError` if it spells none."""
    return parse_ir(source.text, load())
