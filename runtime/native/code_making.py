"""What making code needs, and running code that was made before does not: LLVM, which takes a while to load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tsc.compiler.ir import Graph
from tsc.runtime.native.code.engine import Library, Module
from tsc.runtime.native.regions.own_functions import interpreter_symbols
from tsc.runtime.native.regions.region_builder import RegionBuilder
from tsc.runtime.native.regions.region_exits import Exit
from tsc.runtime.native.regions.region_forms import RegionForms
from tsc.runtime.native.regions.tensor_forms import TensorSpec
from tsc.runtime.native.regions.tensor_specs import tensor_places


def module(text: str) -> Module:
    """A module of LLVM by its text."""
    return Module(text)


def region(graph: Graph, tensors: Sequence[TensorSpec]) -> tuple[str, list[Exit]]:
    """The text of a region's module, and where it may be left. Raises `NodeNotNative`."""
    values = [graph.inputs[place] for place in tensor_places(graph)]
    builder = RegionBuilder(graph, RegionForms(graph, dict(zip(values, tensors))))
    return builder.build(), builder.exits


def library(code: bytes, symbols: Mapping[str, int]) -> Library:
    """Object code in memory, put there by LLVM."""
    return Library(code, {**interpreter_symbols(), **symbols})
