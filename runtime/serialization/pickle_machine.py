"""The machine of pickles: a loop over opcodes with a budget. What opcodes do is told by those who run it.

Time and memory are bounded by `Limits`, whatever the bytes are.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, ClassVar

from tsc.runtime.serialization.errors import DAMAGED, HOSTILE, ArchiveError
from tsc.runtime.serialization.limits import Limits
from tsc.runtime.serialization.records import (
    QuantizedTensorRecord,
    RecordValue,
    SparseTensorRecord,
    TensorRecord,
)

Operation = Callable[["PickleMachine"], None]

# Estimates of the bytes that a value takes, with its share of what the reader keeps about it.
CONTAINER_COST, ITEM_COST, REFERENCE_COST, VALUE_COST = 256, 130, 10, 60

_PLAIN_KEYS = frozenset(
    {
        *(str, int, bool, float, type(None), bytes),
        *(TensorRecord, QuantizedTensorRecord, SparseTensorRecord),
    }
)
_INT64 = 1 << 63
_MOST_COMPOUND_KEYS = 4096  # their hashes can be made equal, and equal ones cost quadratic time
_LONGEST_KEY_TUPLE = 16


class Stop(Exception):
    """The pickle is at its end."""


class PickleMachine:
    """The stack, the memo and the budget of one pickle."""

    __slots__ = (
        "_compound_keys",
        "_limits",
        "_spent",
        "memo",
        "outer",
        "position",
        "stack",
        "view",
    )

    operations: ClassVar[list[Operation | None]]
    """What is done for each opcode, None for those that are refused: a reader has others than a scan."""

    def __init__(self, view: memoryview, start: int, limits: Limits) -> None:
        self.view = view
        self.position = start
        self.stack: list[Any] = []
        self.outer: list[list[Any]] = []
        self.memo: dict[int, Any] = {}
        self._limits = limits
        self._spent = 0
        self._compound_keys = 0

    def run(self) -> Any:
        """Execute opcodes until the end; returns the one value that is left."""
        try:
            self._execute()
        except Stop:
            pass
        except IndexError:
            raise self.error("takes a value where there is none") from None
        except ArchiveError as error:
            raise error.within(f"byte {self.position}") from None
        if len(self.stack) != 1 or self.outer:
            raise self.error("does not end with one value")
        return self.stack[0]

    def _execute(self) -> None:
        view, operations = self.view, self.operations
        for _ in range(self._limits.opcodes):
            if self.position >= len(view):
                raise self.error("is cut off")
            opcode = view[self.position]
            self.position += 1
            operation = operations[opcode]
            if operation is None:
                raise _refused(self, opcode)
            operation(self)
        raise _exceeded("opcodes", self._limits.opcodes)

    # What operations use ------------------------------------------------------------------------

    @property
    def remaining(self) -> int:
        return len(self.view) - self.position

    def error(self, message: str) -> ArchiveError:
        return ArchiveError(f"the pickle {message}", hint=DAMAGED)

    def charge(self, cost: int) -> None:
        self._spent += cost
        if self._spent > self._limits.pickle_memory:
            raise _exceeded("pickle_memory", self._limits.pickle_memory)

    def push(self, value: Any, cost: int) -> None:
        self._spent += cost
        if self._spent > self._limits.pickle_memory:
            raise _exceeded("pickle_memory", self._limits.pickle_memory)
        self.stack.append(value)

    def advance(self, count: int) -> int:
        """Go past an argument; returns where it begins."""
        start = self.position
        if count > len(self.view) - start:
            raise self.error("is cut off")
        self.position = start + count
        return start

    def unsigned(self, width: int) -> int:
        """A number of 1, 4 or 8 bytes."""
        start = self.advance(width)
        if width == 1:
            return self.view[start]
        return struct.unpack_from("<I" if width == 4 else "<Q", self.view, start)[0]

    def pop_mark(self) -> list[Any]:
        """The values above the last mark."""
        items = self.stack
        self.stack = self.outer.pop()
        return items

    def remember(self, number: int) -> None:
        if number not in self.memo:
            self.charge(ITEM_COST)
        self.memo[number] = self.stack[-1]

    def recall(self, number: int) -> None:
        if number not in self.memo:
            raise self.error(f"uses memo {number}, which is not set")
        self.push(self.memo[number], REFERENCE_COST)

    def set_items(self, target: dict[Any, Any], items: list[Any]) -> None:
        """Add keys and values, which take turns."""
        if len(items) % 2:
            raise self.error("has a key without a value")
        self.charge(len(items) * ITEM_COST // 2)
        target.update(zip(self.checked_keys(items[::2]), items[1::2]))

    def checked_keys(self, keys: list[RecordValue]) -> list[RecordValue]:
        """Keys that can be hashed, and in bounded time; also the items of sets."""
        self.charge(len(keys) * ITEM_COST)
        for key in keys:
            if isinstance(key, int) and not -_INT64 <= key < _INT64:
                raise self.error("has a key that is no 64-bit integer")
            if type(key) not in _PLAIN_KEYS:
                self.check_compound_key(key)
        return keys

    def check_compound_key(self, key: RecordValue) -> None:
        """Raise for a key that is none, or that could be made to cost too much."""
        self._compound_keys += 1
        if self._compound_keys > _MOST_COMPOUND_KEYS:
            raise ArchiveError("the pickle has too many tuples as keys", hint=HOSTILE)
        parts = key if type(key) is tuple and len(key) <= _LONGEST_KEY_TUPLE else (key,)
        if type(key) is not complex and not all(type(part) in _PLAIN_KEYS for part in parts):
            raise self.error("has a key that cannot be one")


def _exceeded(limit: str, value: int) -> ArchiveError:
    return ArchiveError(
        f"the pickle exceeds the limit {limit} = {value}",
        hint=f"if the file is yours, raise Limits.{limit}",
    )


def _refused(machine: PickleMachine, opcode: int) -> ArchiveError:
    """The error of an opcode that has no operation."""
    if chr(opcode) in _REFUSED:
        return machine.error(f"wants {_REFUSED[chr(opcode)]}, which is not loaded")
    return machine.error(f"has the unknown opcode {opcode:#04x}")


_REFUSED = {
    "i": "an instance of a Python class",
    "o": "an instance of a Python class",
    "\x92": "an instance of a Python class",
    "P": "a persistent id in text",
    "\x82": "an entry of Python's extension registry",
    "\x83": "an entry of Python's extension registry",
    "\x84": "an entry of Python's extension registry",
    "\x97": "a buffer outside of the file",
    "\x98": "a buffer outside of the file",
}
