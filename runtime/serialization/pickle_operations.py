"""The opcodes of pickles, protocols 0 to 5, as operations on a `PickleMachine`.

Each reads its argument, changes the stack, and charges what it makes. What an opcode means is
Python's documentation of ``pickletools``; those that call or import go through `constructors`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from tsc.runtime.serialization.constructors import (
    Constructor,
    resolve_name,
    storage_of_persistent_id,
)
from tsc.runtime.serialization.pickle_lines import (
    float_of_line,
    integer_of_line,
    string_of_line,
    text_of,
    unicode_of_line,
)
from tsc.runtime.serialization.pickle_machine import (
    CONTAINER_COST,
    REFERENCE_COST,
    VALUE_COST,
    Operation,
    PickleMachine,
    Stop,
)
from tsc.runtime.serialization.records import ClassReference, EnumRecord, ObjectRecord, RecordValue

OPERATIONS: list[Operation | None] = [None] * 256
"""What to do for an opcode; None for those that are refused."""

_LONGEST_LINE = 1 << 20
_LONGEST_INTEGER = 32  # bytes


def _operation(opcode: str) -> Callable[[Operation], Operation]:
    def register(operation: Operation) -> Operation:
        OPERATIONS[ord(opcode)] = operation
        return operation

    return register


def _constant(opcode: str, value: Any) -> None:
    OPERATIONS[ord(opcode)] = lambda machine: machine.stack.append(value)


def _number(opcode: str, form: str) -> None:
    """A number in `form`, which struct knows."""
    layout = struct.Struct(form)

    def push(machine: PickleMachine) -> None:
        position = machine.advance(layout.size)
        machine.push(layout.unpack_from(machine.view, position)[0], VALUE_COST)

    OPERATIONS[ord(opcode)] = push


def _string(opcode: str, width: int, decode: Callable[[memoryview], Any]) -> None:
    """Bytes after their number, which takes `width` bytes."""

    def push(machine: PickleMachine) -> None:
        length = machine.unsigned(width)
        position = machine.advance(length)
        content = machine.view[position : position + length]
        machine.charge(length + VALUE_COST)
        machine.stack.append(decode(content))

    OPERATIONS[ord(opcode)] = push


def _wide_text(machine: PickleMachine, width: int) -> None:
    """Text may take four bytes for each of its own, so it is charged before it is decoded."""
    length = machine.unsigned(width)
    position = machine.advance(length)
    content = bytes(machine.view[position : position + length])
    machine.charge(VALUE_COST + (length if content.isascii() else 4 * length))
    machine.stack.append(text_of(content))


# Protocol and end -------------------------------------------------------------------------------


@_operation("\x80")
def _protocol(machine: PickleMachine) -> None:
    protocol = machine.unsigned(1)
    if protocol > 5:
        raise machine.error(f"is of protocol {protocol}, which is unknown")


@_operation("\x95")
def _frame(machine: PickleMachine) -> None:
    if machine.unsigned(8) > machine.remaining:
        raise machine.error("ends inside of a frame")


@_operation(".")
def _stop(machine: PickleMachine) -> None:
    raise Stop


# Values -----------------------------------------------------------------------------------------

_constant("N", None)
_constant("\x88", True)
_constant("\x89", False)
_constant(")", ())
_number("K", "<B")
_number("M", "<H")
_number("J", "<i")
_number("G", ">d")
_string("T", 4, text_of)
_string("U", 1, text_of)
_string("B", 4, bytes)
_string("C", 1, bytes)
_string("\x8e", 8, bytes)
_string("\x96", 8, bytes)
for _opcode, _width in (("X", 4), ("\x8c", 1), ("\x8d", 8)):
    OPERATIONS[ord(_opcode)] = lambda machine, width=_width: _wide_text(machine, width)


def _long(machine: PickleMachine, width: int) -> None:
    length = machine.unsigned(width)
    if length > _LONGEST_INTEGER:
        raise machine.error(f"has an integer of {length} bytes")
    position = machine.advance(length)
    number = int.from_bytes(machine.view[position : position + length], "little", signed=True)
    machine.push(number, VALUE_COST)


OPERATIONS[0x8A] = lambda machine: _long(machine, 1)
OPERATIONS[0x8B] = lambda machine: _long(machine, 4)


def line(machine: PickleMachine) -> bytes:
    """A text argument, up to the end of its line."""
    start = machine.position
    end = start
    while end - start < _LONGEST_LINE:
        chunk = bytes(machine.view[end : end + 128])
        found = chunk.find(b"\n")
        if found >= 0:
            machine.position = end + found + 1
            machine.charge(VALUE_COST + end + found - start)
            return bytes(machine.view[start : end + found])
        if not chunk:
            break
        end += len(chunk)
    raise machine.error("has a line without an end")


def _parsed(machine: PickleMachine, parse: Callable[[bytes], Any]) -> None:
    text = line(machine)
    try:
        machine.push(parse(text), VALUE_COST)
    except (ValueError, OverflowError):
        raise machine.error(f"has an impossible value {text[:40]!r}") from None


for _opcode, _parse in (
    *(("I", integer_of_line), ("L", integer_of_line), ("F", float_of_line)),
    *(("S", string_of_line), ("V", unicode_of_line)),
):
    OPERATIONS[ord(_opcode)] = lambda machine, parse=_parse: _parsed(machine, parse)


# Stack and memo ---------------------------------------------------------------------------------


@_operation("(")
def _mark(machine: PickleMachine) -> None:
    machine.charge(VALUE_COST)
    machine.outer.append(machine.stack)
    machine.stack = []


@_operation("0")
def _pop(machine: PickleMachine) -> None:
    if machine.stack:
        machine.stack.pop()
    else:
        machine.pop_mark()


@_operation("1")
def _pop_mark(machine: PickleMachine) -> None:
    machine.pop_mark()


@_operation("2")
def _duplicate(machine: PickleMachine) -> None:
    machine.push(machine.stack[-1], REFERENCE_COST)


def _line_number(machine: PickleMachine) -> int:
    digits = line(machine)
    if not digits.isdigit() or len(digits) > 10:
        raise machine.error(f"has an impossible memo number {digits[:40]!r}")
    return int(digits)


OPERATIONS[ord("p")] = lambda machine: machine.remember(_line_number(machine))
OPERATIONS[ord("q")] = lambda machine: machine.remember(machine.unsigned(1))
OPERATIONS[ord("r")] = lambda machine: machine.remember(machine.unsigned(4))
OPERATIONS[0x94] = lambda machine: machine.remember(len(machine.memo))
OPERATIONS[ord("g")] = lambda machine: machine.recall(_line_number(machine))
OPERATIONS[ord("h")] = lambda machine: machine.recall(machine.unsigned(1))
OPERATIONS[ord("j")] = lambda machine: machine.recall(machine.unsigned(4))


# Containers -------------------------------------------------------------------------------------


@_operation("t")
def _tuple(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    machine.push(tuple(items), CONTAINER_COST + len(items) * REFERENCE_COST)


def _short_tuple(machine: PickleMachine, length: int) -> None:
    if len(machine.stack) < length:
        raise IndexError
    items = tuple(machine.stack[-length:])
    del machine.stack[-length:]
    machine.push(items, CONTAINER_COST)


OPERATIONS[0x85] = lambda machine: _short_tuple(machine, 1)
OPERATIONS[0x86] = lambda machine: _short_tuple(machine, 2)
OPERATIONS[0x87] = lambda machine: _short_tuple(machine, 3)
OPERATIONS[ord("]")] = lambda machine: machine.push([], CONTAINER_COST)
OPERATIONS[ord("}")] = lambda machine: machine.push({}, CONTAINER_COST)
OPERATIONS[0x8F] = lambda machine: machine.push(set(), CONTAINER_COST)


@_operation("l")
def _list(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    machine.push(items, CONTAINER_COST + len(items) * REFERENCE_COST)


@_operation("d")
def _dict(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    machine.push({}, CONTAINER_COST)
    machine.set_items(machine.stack[-1], items)


@_operation("\x91")
def _frozen_set(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    machine.push(frozenset(machine.checked_keys(items)), CONTAINER_COST)


def _top(machine: PickleMachine, kind: type[Any]) -> Any:
    if type(machine.stack[-1]) is not kind:
        raise machine.error(f"changes something that is no {kind.__name__}")
    return machine.stack[-1]


@_operation("a")
def _append(machine: PickleMachine) -> None:
    item = machine.stack.pop()
    _top(machine, list).append(item)
    machine.charge(REFERENCE_COST)


@_operation("e")
def _appends(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    _top(machine, list).extend(items)
    machine.charge(len(items) * REFERENCE_COST)


@_operation("s")
def _set_item(machine: PickleMachine) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    machine.set_items(_top(machine, dict), [key, value])


@_operation("u")
def _set_items(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    machine.set_items(_top(machine, dict), items)


@_operation("\x90")
def _add_items(machine: PickleMachine) -> None:
    items = machine.pop_mark()
    _top(machine, set).update(machine.checked_keys(items))


# Names and calls --------------------------------------------------------------------------------


@_operation("c")
def _global(machine: PickleMachine) -> None:
    module, name = line(machine), line(machine)
    machine.push(resolve_name(text_of(module), text_of(name)), VALUE_COST)


@_operation("\x93")
def _stack_global(machine: PickleMachine) -> None:
    name, module = machine.stack.pop(), machine.stack.pop()
    if type(module) is not str or type(name) is not str:
        raise machine.error("names something without a name")
    machine.push(resolve_name(module, name), CONTAINER_COST)


@_operation("R")
def _reduce(machine: PickleMachine) -> None:
    arguments: RecordValue = machine.stack.pop()
    function = machine.stack.pop()
    if type(function) is ClassReference:
        machine.push(EnumRecord(function.name, arguments), CONTAINER_COST)
    elif type(function) is Constructor and type(arguments) is tuple:
        _call(machine, function, arguments)
    else:
        raise machine.error("calls something that is no function")


def _call(
    machine: PickleMachine, function: Constructor, arguments: tuple[RecordValue, ...]
) -> None:
    """Charge a copy of what is given before making one."""
    sizes = (len(each) for each in arguments if isinstance(each, (list, tuple, dict, str, bytes)))
    machine.charge(2 * CONTAINER_COST + sum(sizes) * REFERENCE_COST)
    machine.stack.append(function(arguments))


@_operation("\x81")
def _new_object(machine: PickleMachine) -> None:
    arguments, class_ = machine.stack.pop(), machine.stack.pop()
    if type(class_) is not ClassReference or arguments != ():
        raise machine.error("makes an object of something that is no class")
    machine.push(ObjectRecord(class_.name), CONTAINER_COST)


@_operation("b")
def _build(machine: PickleMachine) -> None:
    """State of an object. That of an OrderedDict (versions of modules) carries nothing to load."""
    state = machine.stack.pop()
    target = machine.stack[-1]
    if type(target) is ObjectRecord and not target.has_state:
        target.state, target.has_state = state, True
    elif type(target) is not dict or type(state) is not dict:
        raise machine.error("gives state to something that takes none")


@_operation("Q")
def _persistent_id(machine: PickleMachine) -> None:
    machine.push(storage_of_persistent_id(machine.stack.pop()), CONTAINER_COST)
