"""All operators by name, their overloads in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from compiler.schema.operator import Kernel, Operator
from compiler.schema.schema_parser import SchemaError

_FARTHEST_SUGGESTION = 2  # edits


class OperatorTable:
    """Operators in the order of their declaration. Declaring reads no more than the name."""

    __slots__ = ("_operators",)

    def __init__(self) -> None:
        self._operators: dict[str, list[Operator]] = {}

    def declare(
        self,
        text: str,
        kernel: Kernel | None = None,
        *,
        node_kernel: bool = False,
        gradient: str | None = None,
    ) -> Operator:
        """Adds an operator, or provides the kernel of a promised one.

        SchemaError if there is already one of that name and overload.
        """
        operator = Operator(text, kernel, node_kernel=node_kernel, gradient=gradient)
        known = self.find(operator.name, operator.overload_name)
        if known is None:
            self._operators.setdefault(operator.name, []).append(operator)
            return operator
        if not known.is_promised:
            raise SchemaError(f"{operator.qualified_name} is already declared", text, 0)
        known.provide(kernel)
        return known

    def promise(self, text: str, load: Callable[[], object], *, node_kernel: bool = False) -> None:
        """Adds an operator whose kernel ``load`` will declare, unless it is there already."""
        operator = Operator(text, node_kernel=node_kernel, load=load)
        if self.find(operator.name, operator.overload_name) is None:
            self._operators.setdefault(operator.name, []).append(operator)

    def reorder(self, name: str, overload_names: Sequence[str]) -> None:
        """Has the overloads of a name tried in the order of `overload_names`, others last."""
        rank = {overload: position for position, overload in enumerate(overload_names)}
        overloads = self._operators.get(name, [])
        overloads.sort(key=lambda operator: rank.get(operator.overload_name, len(rank)))

    def operators_for(self, name: str) -> tuple[Operator, ...]:
        """The overloads of "aten::add", none if there is no such operator."""
        return tuple(self._operators.get(name, ()))

    def find(self, name: str, overload_name: str = "") -> Operator | None:
        for operator in self._operators.get(name, ()):
            if operator.overload_name == overload_name:
                return operator
        return None

    def names(self) -> tuple[str, ...]:
        return tuple(self._operators)

    def all(self) -> Iterator[Operator]:
        for overloads in self._operators.values():
            yield from overloads

    def __contains__(self, name: str) -> bool:
        return name in self._operators

    def __len__(self) -> int:
        return sum(map(len, self._operators.values()))

    def similar(self, name: str) -> list[str]:
        """Names at most two edits away, the closest first: what may have been meant."""
        distances = ((_edit_distance(name, other), other) for other in self._operators)
        return [other for distance, other in sorted(distances) if distance <= _FARTHEST_SUGGESTION]


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
