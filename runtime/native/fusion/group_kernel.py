"""Kernels of groups, and where the arrays that they are called with begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tsc.compiler.ir import Value
from tsc.runtime.arrays.array import Array
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.recorded_group import RecordedGroup, is_within


@dataclass(frozen=True, slots=True, eq=False)
class Scratch:
    """Memory that only the kernels of one step use."""

    bytes: int


@dataclass(frozen=True, slots=True)
class Source:
    """Where an array begins: so many bytes after a value that is in memory."""

    value: Value | Scratch
    bytes: int


@dataclass(frozen=True, slots=True)
class Apart:
    """The function of a kernel that takes so many bytes of memory, of one thread, in the place of numbers."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel, what it is called with, how far its first axis goes, and how many elements it computes.

    The first `results` of its sources are written, the others read.
    """

    name: str
    text: str
    layout: Sequence[int]
    extent: int
    sources: tuple[Source, ...]
    results: int
    elements: int
    has_parts: bool = True
    """Whether threads may share the first axis: what is written at different places of it lies apart."""
    work: int = 0
    """What it takes, in elements of a pass over memory, where that is more than what it computes."""
    apart: Apart | None = None
    """For several threads, where they may not use one piece of memory."""


def source_of(group: RecordedGroup, value: Value, array: Array) -> Source:
    """Of an array that shows elements of a value, or of what that is a view of. Raises NotLowered for a copy."""
    root = group.root_of(value)
    base = group.array(root)
    if not is_within(array, base):
        raise NotLowered
    return Source(root, address_of_array(array) - address_of_array(base))


def address_of_array(array: Array) -> int:
    """Of its first element."""
    return array.__array_interface__["data"][0]
