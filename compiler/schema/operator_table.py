"""All operators by name, their overloads in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import RLock
from typing import Unpack

from tsc.compiler.schema.operator import Kernel, Operator
from tsc.compiler.schema.operator_facts import Options
from tsc.compiler.schema.schema_parser import SchemaError

_FARTHEST_SUGGESTION = 2  # edits


def _none_of(_name: str) -> Iterable[Operator]:
    return ()


class OperatorTable:
    """Operators in the order of their declaration. Declaring reads no more than the name."""

    __slots__ = ("_operators", "_reading", "_unread")

    def __init__(self) -> None:
        self._operators: dict[str, list[Operator]] = {}
        self._unread: dict[str, Callable[[str], Iterable[Operator]]] = {}
        self._reading = RLock()

    def declare(
        self,
        text: str,
        kernel: Kernel | None = None,
        *,
        node_kernel: bool = False,
        **options: Unpack[Options],
    ) -> Operator:
        """Adds an operator, or provides the kernel of a promised one, with what is told of it.

        SchemaError if there is already one of that name and overload.
        """
        operator = Operator(text, kernel, node_kernel=node_kernel, **options)
        known = self.find(operator.name, operator.overload_name)
        if known is None:
            self._operators.setdefault(operator.name, []).append(operator)
            return operator
        if not known.is_promised:
            raise SchemaError(f"{operator.qualified_name} is already declared", text, 0)
        known.provide(kernel, **operator.details)
        return known

    def defer(self, text: str, make: Callable[[], Kernel], **options: Unpack[Options]) -> Operator:
        """As `declare`, of an operator whose kernel `make` makes when it is first asked for."""
        operator = self.declare(text, **options)
        operator.defer(make)
        return operator

    def promise(
        self, names: Iterable[str], overloads_of: Callable[[str], Iterable[Operator]]
    ) -> None:
        """Adds operators of which no more than the names are read until one is looked up.

        ``overloads_of`` a name are its operators, in their order, whose kernels are loaded later.
        """
        for name in names:
            if name not in self._operators:
                self._unread[name] = overloads_of
                self._operators[name] = []
                continue
            known = {operator.overload_name: operator for operator in self._overloads(name)}
            promised = {operator.overload_name: operator for operator in overloads_of(name)}
            self._operators[name] = list((promised | known).values())

    def _overloads(self, name: str) -> list[Operator]:
        if name in self._unread:
            with self._reading:  # until they are read, other threads wait; this one may ask again
                overloads_of = self._unread.get(name, _none_of)
                self._unread[name] = _none_of
                self._operators[name].extend(overloads_of(name))
                self._unread.pop(name, None)
        return self._operators.get(name, [])

    def reorder(self, name: str, overload_names: Sequence[str]) -> None:
        """Has the overloads of a name tried in the order of `overload_names`, others last."""
        rank = {overload: position for position, overload in enumerate(overload_names)}
        self._overloads(name).sort(key=lambda each: rank.get(each.overload_name, len(rank)))

    def operators_for(self, name: str) -> tuple[Operator, ...]:
        """The overloads of "aten::add", none if there is no such operator."""
        return tuple(self._overloads(name))

    def find(self, name: str, overload_name: str = "") -> Operator | None:
        for operator in self._overloads(name):
            if operator.overload_name == overload_name:
                return operator
        return None

    def names(self) -> tuple[str, ...]:
        return tuple(self._operators)

    def all(self) -> Iterator[Operator]:
        for name in self._operators:
            yield from self._overloads(name)

    def __contains__(self, name: str) -> bool:
        return name in self._operators

    def __len__(self) -> int:
        return sum(len(self._overloads(name)) for name in self._operators)

    def similar(self, name: str) -> list[str]:
        """Names at most two edits away, the closest first: what may have been meant."""
        candidates = _may_be_similar(name, self._operators)
        distances = ((_edit_distance(name, other), other) for other in candidates)
        return [other for distance, other in sorted(distances) if distance <= _FARTHEST_SUGGESTION]


def _may_be_similar(name: str, names: Iterable[str]) -> list[str]:
    """The names of which it is not clear at once that they are more than two edits away.

    Two edits leave one of three parts of a name as it is, if they are not in its namespace.
    """
    namespace, colons, base = name.rpartition("::")
    prefix = namespace + colons
    third = max(len(base) // 3, 1)
    first, second, last = base[:third], base[third : 2 * third], base[2 * third :]
    start, length = len(prefix), len(name)
    return [
        other
        for other in names
        if -_FARTHEST_SUGGESTION <= len(other) - length <= _FARTHEST_SUGGESTION
        and (other[:start] != prefix or first in other or second in other or last in other)
    ]


def _edit_distance(a: str, b: str) -> int:
    """The Levenshtein distance, or more than allowed if it is clear before the end."""
    if abs(len(a) - len(b)) > _FARTHEST_SUGGESTION:
        return _FARTHEST_SUGGESTION + 1
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            substituted = previous + (x != y)
            previous = row[j]
            row[j] = min(substituted, row[j] + 1, row[j - 1] + 1)
        if min(row) > _FARTHEST_SUGGESTION:
            return min(row)
    return row[-1]
