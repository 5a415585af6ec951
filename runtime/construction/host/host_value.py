"""The behaviour of a host type where nothing else is said: what Python's own operations do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from tsc.runtime.construction.values.functions import NativeFunction, call_native
from tsc.runtime.construction.values.operators import Operator, UnaryOperator
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.construction.values.value import Value


class HostValue(Value):
    """Answers for `host`, for as long as one question takes.

    `methods` and `fields` are the attributes that programs may use as Python has them, `own_methods`
    are called with the evaluator and the value.
    """

    __slots__ = ("host",)

    methods: ClassVar[frozenset[str]] = frozenset()
    fields: ClassVar[frozenset[str]] = frozenset()
    own_methods: ClassVar[dict[str, Callable[..., Any]]] = {}

    def __init__(self, host: Any) -> None:
        self.host = host

    @property
    def itself(self) -> Any:
        return self.host

    @property
    def type_name(self) -> str:
        return type(self.host).__name__

    @property
    def is_host(self) -> bool:
        return True

    def is_same(self, other: Any) -> bool:
        return self.host is other

    # -- Attributes

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        if name in self.own_methods:
            return with_receiver(name, self.own_methods[name], self.host)
        if name in self.methods and hasattr(self.host, name):
            return without_evaluator(name, getattr(self.host, name))
        if name in self.fields:
            return getattr(self.host, name)
        return super().find_attribute(evaluator, name)

    # -- Items and elements

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        return self.host[key]

    def length(self, evaluator: Evaluator) -> int:
        return len(self.host)

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        return self.host if isinstance(self.host, Iterator) else super().iterator(evaluator)

    def reversed(self, evaluator: Evaluator) -> Iterator[Any]:
        return reversed(self.host)

    # -- Operators

    def alternatives(self) -> tuple[Any, ...]:
        """``int | None`` is, for ``isinstance``, a tuple of classes."""
        if isinstance(self.host, tuple):
            return self.host
        return (None,) if self.host is None else ()

    def combined(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        """``value <operator> other``, both of host types."""
        return operator.apply(self.host, other)

    def combined_behind(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        return NotImplemented

    def combined_in_place(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        return NotImplemented

    def changed(self, evaluator: Evaluator, operator: UnaryOperator) -> Any:
        return operator.apply(self.host)

    def truth(self, evaluator: Evaluator) -> bool:
        return bool(self.host)


def with_receiver(name: str, function: Callable[..., Any], value: Any) -> NativeFunction:
    """A method that needs the evaluator."""

    def run(evaluator: Evaluator, *arguments: Any, **keywords: Any) -> Any:
        return call_native(name, function, evaluator, value, *arguments, **keywords)

    return NativeFunction(name, run)


def without_evaluator(name: str, method: Callable[..., Any]) -> NativeFunction:
    """A method of Python's own."""
    return NativeFunction(name, lambda _evaluator, *args, **keywords: method(*args, **keywords))
