"""The one protocol of values: what the evaluator asks, and what is answered if nothing else is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from tsc.runtime.construction.values.operators import Operator, UnaryOperator
from tsc.runtime.construction.values.protocol import MISSING, Evaluator


class Value:
    """A value of a program. Subclasses answer what differs for them from the answers here.

    `itself` is what the program has in its hands: a host type's behaviour stands for another object.
    What a value does not do is refused with TypeError or AttributeError, as in Python.
    """

    __slots__ = ()

    @property
    def itself(self) -> Any:
        return self

    @property
    def type_name(self) -> str:
        """The name of the type, for messages."""
        return type(self).__name__

    @property
    def is_host(self) -> bool:
        """Whether Python's own operators know what to do with it."""
        return False

    @property
    def is_callable(self) -> bool:
        return False

    def own_class(self, evaluator: Evaluator) -> Any:
        """The `ClassObject` that the value carries; None if its host type tells the class."""
        return None

    def special_method(self, name: str) -> Any:
        """The bound method ``__name__`` of an instance's class, or `MISSING`."""
        return MISSING

    # -- Attributes

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        """``value.name``, or `MISSING`."""
        return evaluator.class_of(self.itself) if name == "__class__" else MISSING

    def no_attribute(self, evaluator: Evaluator, name: str) -> str:
        """The message for an attribute that is not there."""
        return f"'{self.type_name}' object has no attribute '{name}'"

    def set_attribute(self, evaluator: Evaluator, name: str, item: Any) -> None:
        raise AttributeError(f"'{self.type_name}' object has no attribute '{name}' to set")

    def set_plainly(self, evaluator: Evaluator, name: str, item: Any) -> None:
        """``object.__setattr__(value, name, item)``: the class's own ``__setattr__`` does not count."""
        self.set_attribute(evaluator, name, item)

    def delete_attribute(self, evaluator: Evaluator, name: str) -> None:
        raise AttributeError(self.no_attribute(evaluator, name))

    # -- As an attribute of a class

    def bound(self, evaluator: Evaluator, receiver: Any, cls: Any) -> Any:
        """What this is for an instance, if it is found in the instance's class."""
        return self

    def unbound(self, cls: Any) -> Any:
        """What this is for the class that it is found in."""
        return self

    def take_assignment(self, evaluator: Evaluator, receiver: Any, name: str, item: Any) -> bool:
        """Whether assigning to the attribute of an instance was done by this, as a property does."""
        return False

    def become_owned(self, owner: Any) -> None:
        """This stands in the body of the class `owner`."""

    # -- Calls

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        evaluator.step()
        raise TypeError(f"'{self.type_name}' object is not callable")

    def initialize(
        self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]
    ) -> None:
        """Run ``__init__`` of what the class's own ``__new__`` made."""

    # -- Items and elements

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        raise TypeError(f"'{self.type_name}' object is not subscriptable")

    def set_item(self, evaluator: Evaluator, key: Any, item: Any) -> None:
        raise TypeError(f"'{self.type_name}' object does not support item assignment")

    def delete_item(self, evaluator: Evaluator, key: Any) -> None:
        raise TypeError(f"'{self.type_name}' object doesn't support item deletion")

    def length(self, evaluator: Evaluator) -> int:
        raise TypeError(f"object of type '{self.type_name}' has no len()")

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        raise TypeError(f"'{self.type_name}' object is not iterable")

    def reversed(self, evaluator: Evaluator) -> Iterator[Any]:
        raise TypeError(f"'{self.type_name}' object is not reversible")

    def contains(self, evaluator: Evaluator, item: Any) -> bool:
        return any(
            each is item or evaluator.truth(evaluator.binary("eq", each, item))
            for each in evaluator.iterate(self.itself)
        )

    def pairs(self, evaluator: Evaluator) -> Any:
        """What a dict can be made of: a mapping, or pairs."""
        return [tuple(evaluator.iterate(pair)) for pair in evaluator.iterate(self.itself)]

    # -- Operators

    def operand(self, evaluator: Evaluator) -> Any:
        """What stands for the value beside an operator."""
        return self.itself

    def is_same(self, other: Any) -> bool:
        """``value is other``"""
        return self.itself is other

    def combined(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        """``value <operator> other`` by a special method, or NotImplemented."""
        method = self.special_method(operator.name)
        return NotImplemented if method is MISSING else evaluator.call(method, [other])

    def combined_behind(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        """``other <operator> value`` by a special method, or NotImplemented."""
        method = self.special_method(operator.reflected)
        return NotImplemented if method is MISSING else evaluator.call(method, [other])

    def combined_in_place(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        """``value <operator>= other``, or NotImplemented if the plain operator does it."""
        method = self.special_method(f"i{operator.name}")
        return NotImplemented if method is MISSING else evaluator.call(method, [other])

    def alternatives(self) -> tuple[Any, ...]:
        """The classes that ``value | other`` joins for ``isinstance``; none if it joins nothing."""
        return ()

    def changed(self, evaluator: Evaluator, operator: UnaryOperator) -> Any:
        """``<operator> value``"""
        method = self.special_method(operator.name)
        if method is MISSING:
            raise TypeError(f"bad operand type for {operator.symbol}: '{self.type_name}'")
        return evaluator.call(method)

    def truth(self, evaluator: Evaluator) -> bool:
        return True

    # -- Texts, contexts, copies

    def text(self, evaluator: Evaluator) -> str:
        """``str(value)``"""
        return str(self.itself)

    def representation(self, evaluator: Evaluator) -> str:
        """``repr(value)``"""
        return repr(self.itself)

    def context_manager(self, evaluator: Evaluator) -> AbstractContextManager[Any]:
        """What ``with`` enters."""
        raise TypeError(f"'{self.type_name}' object does not support the context manager protocol")

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        """A copy that shares nothing but classes and functions; `copied` copies what it holds.

        What may hold itself tells `known` its copy, by its own identity, before it copies the rest.
        """
        return self.itself

    def shallow_copy(self) -> Any:
        """A copy that holds the same values."""
        return self.itself


def type_name(value: Any) -> str:
    """The name of the type of a value, for messages."""
    return value.type_name if isinstance(value, Value) else type(value).__name__
