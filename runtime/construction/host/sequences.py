"""Lists, tuples, ranges and what else has elements, as programs may use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tsc.runtime.construction.hashing import comparable
from tsc.runtime.construction.host.host_value import HostValue, without_evaluator
from tsc.runtime.construction.values.functions import bind
from tsc.runtime.construction.values.operators import ORDERING, Operator
from tsc.runtime.construction.values.protocol import MISSING, Evaluator


class Iterable(HostValue):
    """What Python iterates over: views of dicts, too."""

    __slots__ = ()

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        return iter(self.host)


class Range(Iterable):
    """``range``"""

    __slots__ = ()
    methods = frozenset(("count", "index"))
    fields = frozenset(("start", "stop", "step"))

    def contains(self, evaluator: Evaluator, item: Any) -> bool:
        return comparable(item) in comparable(self.host)


class Slice(HostValue):
    """``slice``"""

    __slots__ = ()
    fields = frozenset(("start", "stop", "step"))


class Sequence(Iterable):
    """What ``+`` and ``*`` make longer: it must not become too long."""

    __slots__ = ()

    def combined(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        size = 1 if isinstance(self.host, str) else 8
        if operator.symbol == "+" and type(other) is type(self.host):
            evaluator.check_size(len(self.host) + len(other), size)
        elif operator.symbol == "*" and isinstance(other, int):
            evaluator.check_size(len(self.host) * other, size)
        elif operator.symbol in ORDERING:
            comparable(self.host)
            comparable(other)
        return operator.apply(self.host, other)


class Tuple(Sequence):
    """``tuple`` and named tuples"""

    __slots__ = ()
    methods = frozenset(("count", "index"))

    @property
    def names(self) -> tuple[str, ...] | None:
        """The fields of a named tuple."""
        return getattr(self.host, "_fields", None)

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        if self.names is not None and name in ("_fields", *self.names):
            return getattr(self.host, name)
        found = super().find_attribute(evaluator, name)
        if found is not MISSING or self.names is None:
            return found
        if name in ("_replace", "_asdict"):
            return without_evaluator(name, getattr(self.host, name))
        cls = evaluator.class_of(self.host)
        return bind(evaluator, cls.find(name), self.host, cls)

    def text(self, evaluator: Evaluator) -> str:
        return self.representation(evaluator)

    def representation(self, evaluator: Evaluator) -> str:
        if self.names is not None:
            return repr(self.host)
        comma = "," if len(self.host) == 1 else ""
        return f"({_joined(evaluator, self.host)}{comma})"

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        items = [copied(each) for each in self.host]
        return tuple(items) if self.names is None else type(self.host)(*items)


class List(Sequence):
    """``list``"""

    __slots__ = ()
    methods = frozenset(("append", "clear", "copy", "count", "insert", "pop", "reverse"))

    def set_item(self, evaluator: Evaluator, key: Any, item: Any) -> None:
        self.host[key] = evaluator.listed(item) if isinstance(key, slice) else item

    def delete_item(self, evaluator: Evaluator, key: Any) -> None:
        del self.host[key]

    def combined_in_place(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        if operator.symbol == "+":
            _extend(evaluator, self.host, other)
            return self.host
        if operator.symbol == "*" and isinstance(other, int):
            evaluator.check_size(len(self.host) * other)
            self.host[:] = self.host * other
            return self.host
        return NotImplemented

    def text(self, evaluator: Evaluator) -> str:
        return self.representation(evaluator)

    def representation(self, evaluator: Evaluator) -> str:
        return f"[{_joined(evaluator, self.host)}]"

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        made = known[id(self.host)] = []
        made.extend(copied(each) for each in self.host)
        return made

    def shallow_copy(self) -> Any:
        return self.host.copy()


def _joined(evaluator: Evaluator, values: Any) -> str:
    return ", ".join(evaluator.representation(each) for each in values)


def _sort(
    evaluator: Evaluator, value: list[Any], *, key: Any = None, reverse: bool = False
) -> None:
    call_key = None if key is None else (lambda each: evaluator.call(key, [each]))
    value.sort(key=call_key, reverse=reverse)


def _extend(evaluator: Evaluator, value: list[Any], more: Any) -> None:
    items = evaluator.listed(more)
    evaluator.check_size(len(value) + len(items))
    value.extend(items)


def _remove(evaluator: Evaluator, value: list[Any], item: Any) -> None:
    del value[_index(evaluator, value, item)]


def _index(evaluator: Evaluator, value: list[Any], item: Any) -> int:
    for position, each in enumerate(value):
        if evaluator.contains([each], item):
            return position
    raise ValueError(f"{item!r} is not in list")


List.own_methods = {"sort": _sort, "extend": _extend, "remove": _remove, "index": _index}
