"""What making code needs, and running code that was made before does not: LLVM, which takes a while to load."""

from __future__ import annotations

from collections.abc import Mapping

from tsc.compiler.ir import Graph
from tsc.runtime.native.engine import Library, Module
from tsc.runtime.native.python_objects import interpreter_symbols
from tsc.runtime.native.region_builder import RegionBuilder
from tsc.runtime.native.region_exits import Exit
from tsc.runtime.native.region_forms import RegionForms


def module(text: str) -> Module:
    """A module of LLVM by its text."""
    return Module(text)


def region(graph: Graph) -> tuple[str, list[Exit]]:
    """The text of a region's module, and where it may be left. Raises `NodeNotNative`."""
    builder = RegionBuilder(graph, RegionForms(graph))
    return builder.build(), builder.exits


def library(code: bytes, symbols: Mapping[str, int]) -> Library:
    """Object code in memory, put there by LLVM."""
    return Library(code, {**interpreter_symbols(), **symbols})
