"""A reader of pickles that hold objects of Python, beside the strict one: what is unknown becomes an inert record.

Nothing is imported or called. A name stays a name, and what calling it would make is a `PythonRecord` with all that
the pickle gives it. What PyTorch makes tensors with makes tensor records, as in the strict reader.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from tsc.compiler.types.scalar_types import ScalarTypeInfo
from tsc.compiler.types.tensor_options import Device
from tsc.runtime.serialization.constructors import (
    Constructor,
    resolve_name,
    storage_of_persistent_id,
)
from tsc.runtime.serialization.errors import ArchiveError, RefusedName
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.pickle_lines import text_of
from tsc.runtime.serialization.pickle_machine import (
    CONTAINER_COST,
    REFERENCE_COST,
    VALUE_COST,
    Operation,
    PickleMachine,
)
from tsc.runtime.serialization.pickle_operations import OPERATIONS, line
from tsc.runtime.serialization.records import (
    ClassReference,
    PythonName,
    PythonRecord,
    RecordValue,
    SizeRecord,
)

_KEYS_BY_IDENTITY = frozenset({PythonName, PythonRecord, ScalarTypeInfo, Device, SizeRecord})
_OF_SUBCLASSES = "torch._tensor._rebuild_from_type_v2"
"""Makes a tensor of a subclass: a function, the subclass, arguments of the function, and a state."""


def read_objects_prefix(
    content: memoryview | bytes, start: int = 0, *, limits: Limits = DEFAULT_LIMITS
) -> tuple[Any, int]:
    """The value of the pickle at `start`, whatever it holds, and where it ends.

    Containers and records may hold themselves.

    Raises:
        ArchiveError: it is damaged or exceeds a limit.
    """
    machine = _ObjectReader(memoryview(content), start, limits)
    return machine.run(), machine.position


class _ObjectReader(PickleMachine):
    __slots__ = ()

    operations: ClassVar[list[Operation | None]] = list(OPERATIONS)

    def check_compound_key(self, key: RecordValue) -> None:
        parts: tuple[Any, ...] = key if isinstance(key, tuple) else (key,)
        if not all(type(part) in _KEYS_BY_IDENTITY for part in parts):
            super().check_compound_key(key)


def _operation(opcode: str) -> Callable[[Operation], Operation]:
    def register(operation: Operation) -> Operation:
        _ObjectReader.operations[ord(opcode)] = operation
        return operation

    return register


# Names ------------------------------------------------------------------------------------------


def _named(machine: PickleMachine, module: str, name: str) -> None:
    try:
        found = resolve_name(module, name)
    except RefusedName as error:
        found = PythonName(error.name)
    if isinstance(found, ClassReference):
        found = PythonName(found.name)
    machine.push(found, CONTAINER_COST)


@_operation("c")
def _global(machine: PickleMachine) -> None:
    module, name = text_of(line(machine)), text_of(line(machine))
    _named(machine, module, name)


@_operation("\x93")
def _stack_global(machine: PickleMachine) -> None:
    name, module = machine.stack.pop(), machine.stack.pop()
    if type(module) is not str or type(name) is not str:
        raise machine.error("names something without a name")
    _named(machine, module, name)


@_operation("Q")
def _persistent_id(machine: PickleMachine) -> None:
    """A storage; in old files also a class with its source text, in packages also what another one made."""
    identity: RecordValue = machine.stack.pop()
    parts: tuple[Any, ...] = identity if type(identity) is tuple else ()
    match parts:
        case ("module", PythonName() as class_, *_):
            machine.push(class_, REFERENCE_COST)
        case ("reduce_package", _, function, arguments):
            _called(machine, function, arguments)
        case ("storage", kind, int() as number, *rest):
            identity = ("storage", kind, str(number), *rest)
            machine.push(storage_of_persistent_id(identity), CONTAINER_COST)
        case _:
            machine.push(storage_of_persistent_id(identity), CONTAINER_COST)


# Calls ------------------------------------------------------------------------------------------


def _called(machine: PickleMachine, function: Any, arguments: RecordValue) -> None:
    """Push the tensor that a call makes, if it is one that makes tensors, or else a record of the call."""
    given: tuple[Any, ...] = arguments if isinstance(arguments, tuple) else (arguments,)
    if type(function) is PythonName and function.name == _OF_SUBCLASSES and len(given) > 2:
        function = given[0]
        inner: RecordValue = given[2]
        given = inner if isinstance(inner, tuple) else given
    machine.charge(2 * CONTAINER_COST + _length(given))
    if type(function) is Constructor:
        try:
            machine.stack.append(function(given))
            return
        except ArchiveError:  # of objects where data are wanted: no tensor
            pass
    machine.stack.append(PythonRecord(_name_of(function), given))


def _length(arguments: tuple[RecordValue, ...]) -> int:
    """What a copy of arguments takes."""
    sizes = (len(each) for each in arguments if isinstance(each, list | tuple | dict | str | bytes))
    return sum(sizes) * REFERENCE_COST


def _name_of(function: Any) -> str:
    if isinstance(function, PythonName | Constructor):
        return function.name
    return function.class_name if isinstance(function, PythonRecord) else "object"


@_operation("R")
def _reduce(machine: PickleMachine) -> None:
    arguments, function = machine.stack.pop(), machine.stack.pop()
    _called(machine, function, arguments)


@_operation("\x81")
def _new_object(machine: PickleMachine) -> None:
    arguments, class_ = machine.stack.pop(), machine.stack.pop()
    _called(machine, class_, arguments)


@_operation("\x92")
def _new_object_with_keywords(machine: PickleMachine) -> None:
    keywords, arguments, class_ = machine.stack.pop(), machine.stack.pop(), machine.stack.pop()
    machine.push(PythonRecord(_name_of(class_), (arguments, keywords)), CONTAINER_COST)


@_operation("i")
def _instance(machine: PickleMachine) -> None:
    module, name = text_of(line(machine)), text_of(line(machine))
    arguments = tuple(machine.pop_mark())
    machine.push(
        PythonRecord(f"{module}.{name}", arguments), CONTAINER_COST + _length((arguments,))
    )


@_operation("o")
def _object(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    _called(machine, items[0], tuple(items[1:]))


# What is given to objects -----------------------------------------------------------------------


@_operation("b")
def _build(machine: PickleMachine) -> None:
    """State of an object. That of containers and tensors carries no tensor that belongs to a model."""
    state, target = machine.stack.pop(), machine.stack[-1]
    if isinstance(target, PythonRecord):
        target.state = state


def _add(machine: PickleMachine, items: list[Any], kind: type[Any]) -> None:
    """Put items into a container, or remember them of an object that is like one."""
    target = machine.stack[-1]
    machine.charge(len(items) * REFERENCE_COST)
    if isinstance(target, PythonRecord):
        target.items = [] if target.items is None else target.items
        target.items += items
    elif type(target) is not kind:
        raise machine.error(f"changes something that is no {kind.__name__}")
    elif kind is list:
        target.extend(items)
    else:
        target.update(machine.checked_keys(items))


def _set(machine: PickleMachine, items: list[Any]) -> None:
    target: RecordValue = machine.stack[-1]
    if isinstance(target, PythonRecord):
        machine.charge(CONTAINER_COST)
        target.pairs = {} if target.pairs is None else target.pairs
        machine.set_items(target.pairs, items)
    elif isinstance(target, dict):
        machine.set_items(target, items)
    else:
        raise machine.error("changes something that is no dict")


@_operation("a")
def _append(machine: PickleMachine) -> None:
    item = machine.stack.pop()
    _add(machine, [item], list)


@_operation("s")
def _set_item(machine: PickleMachine) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    machine.charge(VALUE_COST)
    _set(machine, [key, value])


_operation("e")(lambda machine: _add(machine, machine.pop_mark(), list))
_operation("\x90")(lambda machine: _add(machine, machine.pop_mark(), set))
_operation("u")(lambda machine: _set(machine, machine.pop_mark()))
