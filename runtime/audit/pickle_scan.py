"""What a pickle would import and call if Python loaded it, found out without doing any of it.

The reader's own machine runs the opcodes; every name becomes an inert `Named`, and calling one makes another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tsc.runtime.inspection.visible import shortened
from tsc.runtime.serialization.constructors import resolve_name
from tsc.runtime.serialization.errors import ArchiveError, RefusedName
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.pickle_machine import (
    CONTAINER_COST,
    VALUE_COST,
    Operation,
    PickleMachine,
)
from tsc.runtime.serialization.pickle_operations import OPERATIONS

_MOST_USES = 1000
_SHOWN_ARGUMENTS = 3
_INT64 = 1 << 63


@dataclass(slots=True, eq=False)
class Named:
    """Something that has a name in Python, or came from a call of it."""

    name: str
    is_result: bool = False


@dataclass(slots=True)
class GlobalUse:
    """A name in a pickle: where it is first named, and how it is first called."""

    name: str
    offset: int
    call: str | None = None


@dataclass(slots=True)
class PickleScan:
    """The names of one pickle in order, where it ends, and why it ends too early if it does."""

    uses: dict[str, GlobalUse] = field(default_factory=dict)
    end: int = 0
    problem: str | None = None


def scan_pickle(
    content: memoryview | bytes, start: int = 0, *, limits: Limits = DEFAULT_LIMITS
) -> PickleScan:
    """Follow the opcodes of the pickle that begins at `start`, whatever they want."""
    machine = _ScanMachine(memoryview(content), start, limits)
    try:
        machine.run()
    except ArchiveError as error:
        machine.scan.problem = error.message
    machine.scan.end = machine.position
    return machine.scan


def is_data(name: str) -> bool:
    """Whether a name is among those that tsc's reader makes data of, or a class of TorchScript."""
    module, _, last = name.rpartition(".")
    try:
        resolve_name(module, last)
    except RefusedName:
        return False
    return True


class _ScanMachine(PickleMachine):
    __slots__ = ("scan",)

    operations: ClassVar[list[Operation | None]] = list(OPERATIONS)

    def __init__(self, view: memoryview, start: int, limits: Limits) -> None:
        super().__init__(view, start, limits)
        self.scan = PickleScan()

    def name(self, name: str) -> None:
        """Push what has a name, and remember that it was named."""
        self.push(Named(name), CONTAINER_COST)
        if name not in self.scan.uses and len(self.scan.uses) < _MOST_USES:
            self.charge(CONTAINER_COST + len(name))
            self.scan.uses[name] = GlobalUse(name, self.position)

    def call(self, function: Any, arguments: Any) -> None:
        """Push the result that a call would have, which is no more than its name."""
        name = function.name if isinstance(function, Named) else "<value>"
        use = self.scan.uses.get(name)
        if use is not None and use.call is None:
            use.call = f"{shortened(name, 100)}({_shown(arguments)})"
        self.push(Named(name, is_result=True), CONTAINER_COST)

    def checked_keys(self, keys: list[Any]) -> list[Any]:
        """Keys that Python could not hash here are replaced: nobody asks for them."""
        self.charge(len(keys) * VALUE_COST)
        return [key if _is_hashed_well(key) else f"<{id(key)}>" for key in keys]


def _is_hashed_well(key: Any) -> bool:
    """Whether it can be a key, and is none of many that were made to have one hash."""
    return type(key) in (str, bytes) or (type(key) is int and -_INT64 <= key < _INT64)


def _shown(arguments: Any) -> str:
    if not isinstance(arguments, tuple):
        return "…"
    shown = [_value_text(each) for each in arguments[:_SHOWN_ARGUMENTS]]
    return ", ".join([*shown, "…"] if len(arguments) > _SHOWN_ARGUMENTS else shown)


def _value_text(value: Any) -> str:
    if isinstance(value, Named):
        return shortened(value.name, 60)
    if isinstance(value, (str, bytes)):
        return shortened(repr(value[:80]), 80)
    if value is None or isinstance(value, (bool, int, float)):
        return shortened(repr(value), 40)
    return f"<{type(value).__name__}>"


# Opcodes that name and call ---------------------------------------------------------------------

_OPERATIONS = _ScanMachine.operations


def _operation(opcode: str) -> Callable[[Callable[[_ScanMachine], None]], None]:
    def register(operation: Callable[[_ScanMachine], None]) -> None:
        _OPERATIONS[ord(opcode)] = operation  # type: ignore[assignment]

    return register


def _line(machine: _ScanMachine) -> str:
    """A text argument up to the end of its line."""
    start = machine.position
    chunk = bytes(machine.view[start : start + (1 << 16)])
    end = chunk.find(b"\n")
    if end < 0:
        raise machine.error("has a line without an end")
    machine.position = start + end + 1
    machine.charge(end)
    return chunk[:end].decode("utf-8", "backslashreplace")


@_operation("c")
def _global(machine: _ScanMachine) -> None:
    module, name = _line(machine), _line(machine)
    machine.name(f"{module}.{name}")


@_operation("\x93")
def _stack_global(machine: _ScanMachine) -> None:
    name, module = machine.stack.pop(), machine.stack.pop()
    known = type(name) is str and type(module) is str
    machine.name(f"{module}.{name}" if known else "<a name that is computed>")


@_operation("R")
def _reduce(machine: _ScanMachine) -> None:
    arguments, function = machine.stack.pop(), machine.stack.pop()
    machine.call(function, arguments)


_operation("\x81")(lambda machine: _pop_and_call(machine, 2))
_operation("\x92")(lambda machine: _pop_and_call(machine, 3))


def _pop_and_call(machine: _ScanMachine, count: int) -> None:
    """A class with its arguments, and those by keyword."""
    if len(machine.stack) < count:
        raise IndexError
    class_, arguments = machine.stack[-count], machine.stack[-count + 1]
    del machine.stack[-count:]
    machine.call(class_, arguments)


@_operation("i")
def _instance(machine: _ScanMachine) -> None:
    name = f"{_line(machine)}.{_line(machine)}"
    arguments = tuple(machine.pop_mark())
    machine.name(name)
    machine.call(machine.stack.pop(), arguments)


@_operation("o")
def _object(machine: _ScanMachine) -> None:
    class_, *arguments = machine.pop_mark() or [None]
    machine.call(class_, tuple(arguments))


@_operation("b")
def _build(machine: _ScanMachine) -> None:
    machine.stack.pop()
    if not machine.stack:
        raise IndexError


@_operation("Q")
def _persistent(machine: _ScanMachine) -> None:
    machine.stack.pop()
    machine.push(Named("<persistent id>", is_result=True), CONTAINER_COST)


@_operation("P")
def _persistent_text(machine: _ScanMachine) -> None:
    _line(machine)
    machine.push(Named("<persistent id>", is_result=True), CONTAINER_COST)


def _extension(machine: _ScanMachine, width: int) -> None:
    machine.advance(width)
    machine.name("<an entry of copyreg's extension registry>")


for _opcode, _width in (("\x82", 1), ("\x83", 2), ("\x84", 4)):
    _operation(_opcode)(lambda machine, width=_width: _extension(machine, width))
_operation("\x97")(lambda machine: machine.push(Named("<buffer>"), CONTAINER_COST))
_operation("\x98")(lambda machine: None)


def _tolerant(opcode: str, kind: type[Any], drop: Callable[[_ScanMachine], object]) -> None:
    """An operation on a container, of which objects of any class may take the place."""
    original = OPERATIONS[ord(opcode)]
    assert original is not None
    below = {"a": -2, "s": -3}.get(opcode)

    def operation(machine: _ScanMachine) -> None:
        target = machine.stack[below] if below is not None else machine.outer[-1][-1]
        if type(target) is kind:
            original(machine)
        else:
            drop(machine)

    _operation(opcode)(operation)


def _drop(count: int) -> Callable[[_ScanMachine], object]:
    def drop(machine: _ScanMachine) -> None:
        del machine.stack[-count:]

    return drop


_tolerant("a", list, _drop(1))
_tolerant("s", dict, _drop(2))
_tolerant("e", list, lambda machine: machine.pop_mark())
_tolerant("u", dict, lambda machine: machine.pop_mark())
_tolerant("\x90", set, lambda machine: machine.pop_mark())
