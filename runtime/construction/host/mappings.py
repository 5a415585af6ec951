"""Dicts and sets, as programs may use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tsc.runtime.construction.hashing import all_hashable, hashable, hashable_keys
from tsc.runtime.construction.host.host_value import without_evaluator
from tsc.runtime.construction.host.sequences import Iterable
from tsc.runtime.construction.values.operators import Operator
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.construction.values.value import Value


class _Hashed(Iterable):
    """What finds its elements by their hashes."""

    __slots__ = ()

    def contains(self, evaluator: Evaluator, item: Any) -> bool:
        return hashable(item) in self.host

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        """Methods look up their arguments, or the elements of these."""
        if name not in self.methods or name in self.own_methods:
            return super().find_attribute(evaluator, name)
        prepared = hashable if name in _OF_A_KEY else _with_hashable_elements
        return without_evaluator(name, _with_arguments(prepared, getattr(self.host, name)))


def _with_arguments(
    prepared: Callable[[Any], Any], method: Callable[..., Any]
) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        return method(*map(prepared, arguments), **keywords)

    return call


def _with_hashable_elements(argument: Any) -> Any:
    """A list whose elements are looked up one by one."""
    return all_hashable(argument) if isinstance(argument, list) else hashable(argument)


_OF_A_KEY = frozenset(("add", "discard", "get", "pop", "remove", "setdefault"))


class FrozenSet(_Hashed):
    """``frozenset``"""

    __slots__ = ()
    methods = frozenset(
        [
            "copy",
            "difference",
            "intersection",
            "isdisjoint",
            "issubset",
            "issuperset",
            "symmetric_difference",
            "union",
        ]
    )


class _Changeable(_Hashed):
    """What ``|=`` and the like change in place."""

    __slots__ = ()

    def combined_in_place(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        if operator.apply_in_place is None or isinstance(other, Value):
            return NotImplemented
        return operator.apply_in_place(self.host, other)

    def shallow_copy(self) -> Any:
        return self.host.copy()


class Set(_Changeable):
    """``set``"""

    __slots__ = ()
    methods = FrozenSet.methods | frozenset(
        [
            "add",
            "clear",
            "difference_update",
            "discard",
            "intersection_update",
            "pop",
            "remove",
            "update",
        ]
    )

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        return {copied(each) for each in self.host}


def _update(
    evaluator: Evaluator, value: dict[Any, Any], more: Any = (), /, **keywords: Any
) -> None:
    value.update(hashable_keys(evaluator.pairs(more)), **keywords)


class DefaultDict(_Changeable):
    """``defaultdict``"""

    __slots__ = ()
    methods = frozenset(
        ("clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault", "values")
    )
    own_methods = {"update": _update}

    def set_item(self, evaluator: Evaluator, key: Any, item: Any) -> None:
        self.host[hashable(key)] = item

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        return self.host[hashable(key)]

    def delete_item(self, evaluator: Evaluator, key: Any) -> None:
        del self.host[hashable(key)]

    def pairs(self, evaluator: Evaluator) -> Any:
        return self.host


class OrderedDictionary(DefaultDict):
    """``OrderedDict``"""

    __slots__ = ()
    methods = DefaultDict.methods | {"move_to_end"}

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        items = {copied(key): copied(item) for key, item in self.host.items()}
        return type(self.host)(items)


class Dict(OrderedDictionary):
    """``dict``"""

    __slots__ = ()
    methods = DefaultDict.methods

    def text(self, evaluator: Evaluator) -> str:
        return self.representation(evaluator)

    def representation(self, evaluator: Evaluator) -> str:
        items = (
            f"{evaluator.representation(key)}: {evaluator.representation(item)}"
            for key, item in self.host.items()
        )
        return f"{{{', '.join(items)}}}"
