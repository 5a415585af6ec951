"""What an unpickled value must be as a whole: data only, not too deep, and cyclic through objects alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tsc.compiler.types.scalar_types import ScalarTypeInfo
from tsc.compiler.types.tensor_options import Device
from tsc.runtime.serialization.constructors import Constructor, StorageClass
from tsc.runtime.serialization.errors import DAMAGED, HOSTILE, ArchiveError
from tsc.runtime.serialization.limits import Limits
from tsc.runtime.serialization.records import (
    ClassReference,
    ContainerRecord,
    EnumRecord,
    ObjectRecord,
    PythonRecord,
    QuantizedTensorRecord,
    RecordValue,
    SizeRecord,
    SparseTensorRecord,
    StorageRecord,
    TensorRecord,
)

_LEAVES = frozenset(
    {
        *(str, int, float, bool, complex, bytes, type(None), set, frozenset),
        *(TensorRecord, StorageRecord, SizeRecord, Device, ScalarTypeInfo),
    }
)
_LEFT_OVER = frozenset({Constructor, StorageClass, ClassReference})


def children(value: RecordValue) -> Iterator[Any]:
    """The values directly inside of a container or record."""
    if isinstance(value, list | tuple):
        yield from value
    elif isinstance(value, dict):
        yield from value.keys()
        yield from value.values()
    elif isinstance(value, ObjectRecord):
        yield value.state
    elif isinstance(value, ContainerRecord | EnumRecord):
        yield value.value
    elif isinstance(value, QuantizedTensorRecord):
        yield from value.quantizer
    elif isinstance(value, PythonRecord):
        yield from (value.arguments, value.state, value.items, value.pairs)
    elif isinstance(value, SparseTensorRecord):
        yield from value.parts


@dataclass(slots=True)
class _Step:
    """A container on the way from the root, and how many objects lie before it."""

    identity: int
    rest: Iterator[Any]
    objects: int


def check_structure(root: Any, limits: Limits) -> None:
    """Walk every container once, without recursion.

    Raises:
        ArchiveError: nested too deeply, a container that holds itself, or a name without a call.
    """
    path = [_Step(0, iter(() if type(root) in _LEAVES else (root,)), 0)]
    place: dict[int, int] = {}  # of containers on the path
    done: set[int] = set()
    while path:
        step = path[-1]
        value = next(step.rest, path)
        if value is path:
            path.pop()
            place.pop(step.identity, None)
            done.add(step.identity)
        elif id(value) not in done and not _enter(value, path, place, limits):
            done.add(id(value))


def _enter(value: Any, path: list[_Step], place: dict[int, int], limits: Limits) -> bool:
    """Go into a container; returns False if there is nothing in it that needs a walk of its own."""
    if type(value) in _LEFT_OVER:
        raise ArchiveError("the pickle holds a name that is never called", hint=DAMAGED)
    objects = path[-1].objects + (type(value) is ObjectRecord)
    if id(value) in place:
        if objects == path[place[id(value)] - 1].objects:
            raise ArchiveError("the pickle has a container that holds itself", hint=HOSTILE)
        return True
    if len(path) > limits.depth:
        raise ArchiveError(
            f"the pickle is nested more than {limits.depth} levels deep",
            hint="if the file is yours, raise Limits.depth",
        )
    inner = [each for each in children(value) if type(each) not in _LEAVES]
    if inner:
        place[id(value)] = len(path)
        path.append(_Step(id(value), iter(inner), objects))
    return bool(inner)
