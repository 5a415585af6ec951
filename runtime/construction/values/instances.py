"""Instances of classes of a program: what the special methods of the class say counts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from tsc.runtime.construction.errors import ConstructionError
from tsc.runtime.construction.hashing import hashable
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import BoundMethod, PropertyObject, bind
from tsc.runtime.construction.values.protocol import MISSING, Evaluator
from tsc.runtime.construction.values.value import Value, type_name


class Instance(Value):
    """An object with a class of the program."""

    __slots__ = ()

    cls: ClassObject
    attributes: dict[str, Any]

    @property
    def type_name(self) -> str:
        return self.cls.name

    def own_class(self, evaluator: Evaluator) -> Any:
        return self.cls

    def special_method(self, name: str) -> Any:
        found = self.cls.find(f"__{name}__")
        return MISSING if found is MISSING or found is None else BoundMethod(self, found)

    def initialize(
        self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]
    ) -> None:
        """Run ``__init__``, and refuse arguments that nobody takes."""
        initializer = self.cls.find("__init__")
        if initializer is not MISSING:
            result = evaluator.call(initializer, [self, *arguments], keywords)
            if result is not None:
                raise TypeError(f"__init__() should return None, not '{type_name(result)}'")
        elif arguments or keywords:
            raise TypeError(f"{self.cls.name}() takes no arguments")

    def answer(self, name: str, *arguments: object) -> Any:
        """What a method gives, called from where no evaluator is at hand; or `MISSING`."""
        method = self.cls.find(name)
        if method is MISSING or method is None:
            return MISSING
        scope = next((each.scope for each in self.cls.mro if each.scope is not None), None)
        if scope is not None:
            return scope.evaluator.call(method, [self, *arguments])
        return method.function(None, self, *arguments)

    # -- Attributes

    def own_attribute(self, name: str) -> Any:
        """What the instance itself holds by that name, or `MISSING`."""
        return self.attributes.get(name, MISSING)

    def special_attribute(self, name: str) -> Any:
        """What every object has, or `MISSING`."""
        if name == "__class__":
            return self.cls
        return self.attributes if name == "__dict__" else MISSING

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        found = self.cls.find(name)
        if isinstance(found, PropertyObject):
            return evaluator.call(found.getter, [self])
        own = self.own_attribute(name)
        if own is not MISSING:
            return own
        if found is not MISSING:
            return bind(evaluator, found, self, self.cls)
        special = self.special_attribute(name)
        return self._from_getter(evaluator, name) if special is MISSING else special

    def _from_getter(self, evaluator: Evaluator, name: str) -> Any:
        """What the class's ``__getattr__`` gives for a name that is not there."""
        getter = self.cls.find("__getattr__")
        if getter is MISSING:
            return MISSING
        try:
            return evaluator.call(getter, [self, name])
        except ConstructionError as error:
            if error.kind == "AttributeError":
                return MISSING
            raise

    def set_attribute(self, evaluator: Evaluator, name: str, item: Any) -> None:
        setter = self.cls.find("__setattr__")
        if setter is MISSING:
            self.set_plainly(evaluator, name, item)
        else:
            evaluator.call(setter, [self, name, item])

    def set_plainly(self, evaluator: Evaluator, name: str, item: Any) -> None:
        found = self.cls.find(name)
        is_taken = isinstance(found, Value) and found.take_assignment(evaluator, self, name, item)
        if not is_taken:
            self.store(name, item)

    def store(self, name: str, item: Any) -> None:
        """Hold `item` by that name."""
        self.attributes[name] = item

    def delete_attribute(self, evaluator: Evaluator, name: str) -> None:
        if name not in self.attributes:
            super().delete_attribute(evaluator, name)
        del self.attributes[name]

    # -- Items, elements, texts

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        method = self.special_method("getitem")
        return (
            super().get_item(evaluator, key) if method is MISSING else evaluator.call(method, [key])
        )

    def set_item(self, evaluator: Evaluator, key: Any, item: Any) -> None:
        method = self.special_method("setitem")
        if method is MISSING:
            super().set_item(evaluator, key, item)
        evaluator.call(method, [key, item])

    def delete_item(self, evaluator: Evaluator, key: Any) -> None:
        method = self.special_method("delitem")
        if method is MISSING:
            super().delete_item(evaluator, key)
        evaluator.call(method, [key])

    def length(self, evaluator: Evaluator) -> int:
        method = self.special_method("len")
        return super().length(evaluator) if method is MISSING else evaluator.call(method)

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        method = self.special_method("iter")
        if method is not MISSING:
            return evaluator.iterator(evaluator.call(method))
        if self.special_method("next") is not MISSING:
            raise TypeError("iterators that are classes of a program are not supported")
        return super().iterator(evaluator)

    def reversed(self, evaluator: Evaluator) -> Iterator[Any]:
        return iter(evaluator.listed(self)[::-1])

    def contains(self, evaluator: Evaluator, item: Any) -> bool:
        method = self.special_method("contains")
        if method is MISSING:
            return super().contains(evaluator, item)
        return evaluator.truth(evaluator.call(method, [item]))

    def pairs(self, evaluator: Evaluator) -> Any:
        keys = evaluator.call_method(self, "keys")
        return [(key, evaluator.call_method(self, "__getitem__", key)) for key in keys]

    def truth(self, evaluator: Evaluator) -> bool:
        for name in ("bool", "len"):
            method = self.special_method(name)
            if method is not MISSING:
                return bool(evaluator.call(method))
        return True

    def text(self, evaluator: Evaluator) -> str:
        method = self.special_method("str")
        return self.representation(evaluator) if method is MISSING else evaluator.call(method)

    def representation(self, evaluator: Evaluator) -> str:
        method = self.special_method("repr")
        return repr(self) if method is MISSING else evaluator.call(method)

    def context_manager(self, evaluator: Evaluator) -> AbstractContextManager[Any]:
        if self.special_method("enter") is MISSING:
            return super().context_manager(evaluator)
        return _entered(evaluator, self)


@contextmanager
def _entered(evaluator: Evaluator, value: Instance) -> Generator[Any]:
    yield evaluator.call(value.special_method("enter"))
    evaluator.call(value.special_method("exit"), [None, None, None])


@dataclass(slots=True, eq=False, repr=False)
class InstanceObject(Instance):
    """An instance of an ordinary class of a source text."""

    cls: ClassObject
    attributes: dict[str, Any] = field(default_factory=dict)
    is_frozen: bool = False

    @property
    def is_callable(self) -> bool:
        return self.cls.find("__call__") is not MISSING

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        method = self.cls.find("__call__")
        if method is MISSING:
            return super(InstanceObject, self).call(evaluator, arguments, keywords)
        evaluator.step()
        return evaluator.call(method, [self, *arguments], keywords)

    def set_attribute(self, evaluator: Evaluator, name: str, item: Any) -> None:
        if self.is_frozen and self.cls.find("__setattr__") is MISSING:
            raise AttributeError(f"cannot assign to field '{name}'")
        super(InstanceObject, self).set_attribute(evaluator, name, item)

    def bound(self, evaluator: Evaluator, receiver: Any, cls: Any) -> Any:
        if self.cls.find("__get__") is MISSING:
            return self
        return evaluator.call_method(self, "__get__", receiver, cls)

    def take_assignment(self, evaluator: Evaluator, receiver: Any, name: str, item: Any) -> bool:
        if self.cls.find("__set__") is MISSING:
            return False
        evaluator.call_method(self, "__set__", receiver, item)
        return True

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        """Without ``__iter__``: elements by their numbers, as many as ``__len__`` says."""
        names = [each for each in ("iter", "next") if self.special_method(each) is not MISSING]
        if names or self.special_method("getitem") is MISSING:
            return super(InstanceObject, self).iterator(evaluator)
        return (self.get_item(evaluator, index) for index in range(self.length(evaluator)))

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        made = known[id(self)] = InstanceObject(self.cls)
        made.attributes = {name: copied(each) for name, each in self.attributes.items()}
        return made

    def shallow_copy(self) -> Any:
        return InstanceObject(self.cls, dict(self.attributes))

    # -- In containers of the host, which compare what they hold

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        found = self.answer("__eq__", other)
        return NotImplemented if found is MISSING else found

    def __lt__(self, other: object) -> bool:
        found = self.answer("__lt__", other)
        return NotImplemented if found is MISSING else found

    def __hash__(self) -> int:
        """Instances that are equal without being the same need a hash of their own."""
        found = self.answer("__hash__")
        if found is not MISSING:
            return found
        parts = self.hash_parts()
        return object.__hash__(self) if parts is None else hash(hashable(parts))

    def hash_parts(self) -> Any:
        """What ``__hash__`` gives, or the attributes of what is equal if these are; None for the object itself."""
        found = self.answer("__hash__")
        if found is not MISSING:
            return found
        if self.cls.find("__eq__") is MISSING:
            return None
        if not self.is_frozen:
            raise TypeError(f"unhashable type: '{self.cls.name}'")
        return tuple(self.attributes.values())

    def __repr__(self) -> str:
        return f"<{self.cls.name} object>"


@dataclass(slots=True, eq=False, repr=False)
class ExceptionObject(Instance):
    """An exception that was made but not raised: ``ValueError("...")``."""

    cls: ClassObject
    arguments: tuple[Any, ...]
    attributes: dict[str, Any] = field(default_factory=dict)

    def own_attribute(self, name: str) -> Any:
        if name == "args":
            return self.arguments
        return super(ExceptionObject, self).own_attribute(name)

    def text(self, evaluator: Evaluator) -> str:
        if self.special_method("str") is not MISSING:
            return super(ExceptionObject, self).text(evaluator)
        if not self.arguments:
            return ""
        return evaluator.text(self.arguments[0] if len(self.arguments) == 1 else self.arguments)

    def representation(self, evaluator: Evaluator) -> str:
        if self.special_method("repr") is not MISSING:
            return super(ExceptionObject, self).representation(evaluator)
        return f"{self.cls.name}({', '.join(map(evaluator.representation, self.arguments))})"


def new_instance(
    _evaluator: Evaluator, cls: ClassObject, /, *_arguments: Any, **_keywords: Any
) -> InstanceObject:
    """``object.__new__(cls)``"""
    if cls.instances:
        raise TypeError(f"object.__new__({cls.name}) is not safe, use {cls.name}.__new__()")
    return InstanceObject(cls)
