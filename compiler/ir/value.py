"""Values and their uses.

A Value is defined once, by its node; its uses are the places where nodes consume it. One Use object
stands for one edge: the node knows it by its offset, the value in a linked list, so that adding and
dropping it take constant time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsc.compiler.types import Type

if TYPE_CHECKING:
    from tsc.compiler.ir.graph import Graph
    from tsc.compiler.ir.node import Node


class Use:
    """The ``offset``-th input of ``node``."""

    __slots__ = ("next", "node", "offset", "previous")

    def __init__(self, node: Node, offset: int) -> None:
        self.node = node
        self.offset = offset
        self.previous: Use | None = None
        self.next: Use | None = None

    def __repr__(self) -> str:
        return f"Use({self.node.kind}, {self.offset})"


class Value:
    """Data flowing through the program: the ``offset``-th output of ``node``."""

    __slots__ = (
        "_debug_name",
        "_first_use",
        "_last_use",
        "node",
        "offset",
        "type",
        "unique",
        "use_count",
    )

    def __init__(self, node: Node, offset: int, unique: int, type: Type) -> None:
        self.node = node
        self.offset = offset
        self.unique = unique
        self.type = type
        self._debug_name: str | None = None
        self._first_use: Use | None = None
        self._last_use: Use | None = None
        self.use_count = 0

    @property
    def graph(self) -> Graph:
        return self.node.graph

    @property
    def owning_graph(self) -> Graph:
        return self.node.graph

    def set_type(self, type: Type) -> Value:
        self.type = type
        return self

    # -- Names -------------------------------------------------------------------------------

    @property
    def has_debug_name(self) -> bool:
        return self._debug_name is not None

    @property
    def debug_name(self) -> str:
        """The name it is printed under: its own, or else its number."""
        return str(self.unique) if self._debug_name is None else self._debug_name

    def set_debug_name(self, name: str) -> Value:
        """Takes ``name``; an older owner of it is renamed to ``name.N``. "" gives the name up."""
        if self._debug_name is not None:
            self.graph.names.release(self._debug_name)
            self._debug_name = None
        if name:
            self.graph.names.claim(name, self)
            self._debug_name = name
        return self

    def rename(self, name: str) -> None:
        """For the name table: records the name this value was given in another's favour."""
        self._debug_name = name

    def copy_metadata(self, other: Value) -> Value:
        """Takes over the type and the name of ``other``."""
        self.type = other.type
        if other.has_debug_name:
            self.set_debug_name(other.debug_name)
        return self

    # -- Uses --------------------------------------------------------------------------------

    @property
    def uses(self) -> tuple[Use, ...]:
        """A snapshot, oldest first: safe to walk while uses change."""
        uses: list[Use] = []
        use = self._first_use
        while use is not None:
            uses.append(use)
            use = use.next
        return tuple(uses)

    @property
    def has_uses(self) -> bool:
        return self._first_use is not None

    def record_use(self, use: Use) -> None:
        """For Node, which keeps both ends of the edge."""
        last = self._last_use
        if last is None:
            self._first_use = use
        else:
            last.next = use
            use.previous = last
        self._last_use = use
        self.use_count += 1

    def forget_use(self, use: Use) -> None:
        """For Node, which keeps both ends of the edge."""
        before, after = use.previous, use.next
        if before is None:
            self._first_use = after
        else:
            before.next = after
        if after is None:
            self._last_use = before
        else:
            after.previous = before
        use.previous = use.next = None
        self.use_count -= 1

    def replace_all_uses_with(self, replacement: Value) -> None:
        """Makes every user consume ``replacement`` instead."""
        if replacement is self:
            return
        for use in self.uses:
            use.node.replace_input(use.offset, replacement)

    def __repr__(self) -> str:
        return f"%{self.debug_name} : {self.type}"
