"""Registers for the values of a graph, given out in the order of its nodes and used again when
values die.

A register that is let go of inside of a branch or a loop body, but was taken outside of it, only
becomes free when that is over: the other branch, or the next turn, may still need it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tsc.compiler.ir import Block, Graph, Value
from tsc.compiler.ir.symbols import prim
from tsc.compiler.types import TypeKind
from tsc.runtime.execution.threaded.register_sharing import Home, share_registers

_LIGHT = frozenset(
    {
        TypeKind.IntType,
        TypeKind.FloatType,
        TypeKind.BoolType,
        TypeKind.ComplexType,
        TypeKind.NumberType,
        TypeKind.NoneType,
        TypeKind.DeviceObjType,
    }
)
"""Types whose values hold so little memory that they may stay in a dead register."""

_FIXED = frozenset({prim.Constant, prim.Uninitialized})
"""What is in its register from the start."""


def is_heavy(value: Value) -> bool:
    """Whether the register of a value is to be emptied when the value dies."""
    return value.type.kind not in _LIGHT


def is_fixed(value: Value) -> bool:
    """Whether nothing computes the value: it is there from the start, or never read."""
    return value.node.kind in _FIXED


class Registers:
    """`template` is what the registers hold at the start: constants, and None."""

    def __init__(self, graph: Graph) -> None:
        self.template: list[Any] = []
        self.block = graph.block
        self._homes = share_registers(graph)
        self._of: dict[Value, int] = {}
        self._free: list[int] = []
        self._postponed: list[tuple[Block | None, int]] = []
        self._dead: set[Value] = set()
        self._pinned: set[Value] = set()

    # -- Taking ------------------------------------------------------------------------------

    def new(self, content: Any = None) -> int:
        """A register that was never used."""
        self.template.append(content)
        return len(self.template) - 1

    def take(self) -> int:
        """A free register."""
        return self._free.pop() if self._free else self.new()

    def of(self, value: Value) -> int:
        return self._of[value]

    def is_placed(self, value: Value) -> bool:
        return value in self._of

    def has_home(self, value: Value) -> bool:
        return value in self._homes

    def set_new(self, value: Value, content: Any = None) -> None:
        """A register that was never used, for an input of the function or a constant."""
        self._of[value] = self.new(content)
        home = self._homes.get(value)
        if home is not None:
            home.register, home.block = self._of[value], self.block

    def place(self, value: Value) -> int:
        """The register that a value is to be computed in."""
        home = self._homes.get(value)
        register = self.take() if home is None else self._register_of(home)
        self._of[value] = register
        return register

    def place_carried(self, output: Value, carried: Value, initial: Value, *, dies: bool) -> int:
        """The register of what a loop carries: if it can be, that of the initial value, which dies."""
        home = self._homes[output]
        if home.register is None and dies and self._is_alone(initial):
            self._dead.add(initial)
            home.register, home.block = self._of[initial], self.block
        register = self._register_of(home)
        self._of[carried] = self._of[output] = register
        return register

    def pass_on(self, value: Value, to: Value) -> bool:
        """Let `to` have the register of a value that dies; whether that can be done."""
        if to in self._homes or not self._is_alone(value):
            return False
        self._dead.add(value)
        self._of[to] = self._of[value]
        return True

    def pin(self, value: Value, register: int) -> None:
        """A value in a register that is looked after elsewhere."""
        self._of[value] = register
        self._pinned.add(value)

    def _register_of(self, home: Home) -> int:
        if home.register is None:
            home.register, home.block = self.take(), self.block
        return home.register

    def _is_alone(self, value: Value) -> bool:
        """Whether a value has a register of its own, taken in the current block."""
        if value in self._homes or value in self._pinned or value in self._dead:
            return False
        return not is_fixed(value) and value.node.block is self.block

    # -- Letting go --------------------------------------------------------------------------

    def bury(self, values: Iterable[Value]) -> list[int]:
        """These values die here. Returns the registers that hold memory for them."""
        held: list[int] = []
        for value in values:
            if is_fixed(value) or value in self._pinned or value not in self._of:
                continue
            if is_heavy(value):
                held.append(self._of[value])
            if value not in self._dead:  # it may have died in another branch, too
                self._dead.add(value)
                self._let_go(value)
        return held

    def release(self, register: int) -> None:
        """A register that was taken for something else than a value is not needed any more."""
        self._free.append(register)

    def _let_go(self, value: Value) -> None:
        home = self._homes.get(value)
        if home is None:
            self._release_in(value.node.block, self._of[value])
            return
        home.members -= 1
        if home.members == 0 and home.register is not None:
            self._release_in(home.block, home.register)

    def _release_in(self, block: Block | None, register: int) -> None:
        if block is self.block:
            self._free.append(register)
        else:
            self._postponed.append((block, register))

    def enter(self, block: Block) -> None:
        self.block = block

    def leave_to(self, block: Block) -> None:
        """Back in the enclosing block: what was postponed until now becomes free."""
        self.block = block
        if self._postponed:
            self._free += [register for owner, register in self._postponed if owner is block]
            self._postponed = [entry for entry in self._postponed if entry[0] is not block]
