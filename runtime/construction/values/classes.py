"""Classes of a program, and ``super()``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tsc.compiler.emit.classes.linearization import merged
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.tree_views import ClassDef, Expr
from tsc.runtime.construction.values.functions import (
    BoundMethod,
    ClassMethod,
    FunctionObject,
    NativeFunction,
    StaticMethod,
    bind,
    call_native,
)
from tsc.runtime.construction.values.protocol import MISSING, Evaluator, Scope
from tsc.runtime.construction.values.value import Value


@dataclass(slots=True, eq=False)
class ClassObject(Value):
    """A class: of a source text if it has a `definition`, and else one that Python implements.

    `attributes` are those of the class body, functions among them, in their order; `annotations`
    are the trees of ``name: type``. `resolver` and `scope` are those of the file of the definition. A host class
    has `instances`, the Python types whose values are its instances, and makes them with `create`.
    """

    name: str
    qualified_name: str
    bases: tuple[ClassObject, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    annotations: dict[str, Expr] = field(default_factory=dict)
    definition: ClassDef | None = None
    resolver: SourceResolver | None = None
    instances: tuple[type, ...] = ()
    create: Callable[..., Any] | None = None
    mro: tuple[ClassObject, ...] = ()
    scope: Scope | None = None

    def __post_init__(self) -> None:
        if not self.mro:
            self.mro = _linearized(self)

    # -- What it is

    def find(self, name: str, after: ClassObject | None = None) -> Any:
        """The attribute of that name of the first class that has it, behind `after` in the MRO; or
        `MISSING`.
        """
        start = 0 if after is None else self.mro.index(after) + 1
        for each in self.mro[start:]:
            if name in each.attributes:
                return each.attributes[name]
        return MISSING

    def method(self, name: str) -> FunctionObject | None:
        """The function of a source text that is the method of that name, if it is one."""
        found = self.find(name)
        if isinstance(found, StaticMethod | ClassMethod):
            found = found.function
        return found if isinstance(found, FunctionObject) else None

    def is_subclass_of(self, other: ClassObject) -> bool:
        return other in self.mro

    @property
    def all_annotations(self) -> dict[str, Expr]:
        """The annotations of the class and those below it; the nearest counts."""
        found: dict[str, Expr] = {}
        for each in reversed(self.mro):
            found.update(each.annotations)
        return found

    @property
    def members(self) -> dict[str, Any] | None:
        """The members of an enum by their names."""
        return self.attributes.get("__members__")

    # -- What it answers

    @property
    def type_name(self) -> str:
        return "type"

    @property
    def is_callable(self) -> bool:
        return True

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        found = self.find(name)
        if found is not MISSING:
            return found.unbound(self) if isinstance(found, Value) else found
        special = _SPECIAL_OF_CLASSES.get(name)
        if special is not None:
            return special(self)
        return self._host_method(evaluator, name)

    def _host_method(self, evaluator: Evaluator, name: str) -> Any:
        """``str.lower``, ``dict.fromkeys``"""
        if not self.instances or name.startswith("_"):
            return super(ClassObject, self).find_attribute(evaluator, name)
        if name == "fromkeys" and issubclass(self.instances[0], dict):
            return NativeFunction(name, _dict_from_keys)

        def run(evaluator: Evaluator, value: Any, *arguments: Any, **keywords: Any) -> Any:
            return evaluator.call_method(value, name, *arguments, **keywords)

        return NativeFunction(name, run)

    def no_attribute(self, evaluator: Evaluator, name: str) -> str:
        return f"type object '{self.name}' has no attribute '{name}'"

    def set_attribute(self, evaluator: Evaluator, name: str, item: Any) -> None:
        if self.definition is None:
            super(ClassObject, self).set_attribute(evaluator, name, item)
        self.attributes[name] = item

    def delete_attribute(self, evaluator: Evaluator, name: str) -> None:
        if self.definition is None or name not in self.attributes:
            super(ClassObject, self).delete_attribute(evaluator, name)
        del self.attributes[name]

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A new instance."""
        evaluator.step()
        make = self.find("__new__")
        if isinstance(make, FunctionObject | StaticMethod):
            made = evaluator.call(make, [self, *arguments], keywords)
            if isinstance(made, Value) and evaluator.is_instance(made, self):
                made.initialize(evaluator, arguments, keywords)
            return made
        create = next((each.create for each in self.mro if each.create is not None), None)
        if create is None:
            raise TypeError(f"cannot create '{self.name}' instances")
        return call_native(self.name, create, evaluator, self, *arguments, **keywords)

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        """``Color["RED"]``. Of ``List[int]`` and ``Generic[T]`` only annotations ask for more."""
        if self.members is not None:
            return self.members[key]
        getter = self.find("__class_getitem__")
        if isinstance(getter, ClassMethod):
            return evaluator.call(getter.function, [self, key])
        return self

    def length(self, evaluator: Evaluator) -> int:
        if self.members is None:
            return super(ClassObject, self).length(evaluator)
        return len(self.members)

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        if self.members is None:
            return super(ClassObject, self).iterator(evaluator)
        return iter(self.members.values())

    def alternatives(self) -> tuple[Any, ...]:
        return (self,)

    def __repr__(self) -> str:
        return f"<class '{self.qualified_name.removeprefix('__torch__.')}'>"


def _linearized(cls: ClassObject) -> tuple[ClassObject, ...]:
    """The class and all below it. Raises TypeError if the bases contradict each other."""
    order = merged([*(base.mro for base in cls.bases), cls.bases], id)
    if order is None:
        names = ", ".join(base.name for base in cls.bases)
        raise TypeError(
            f"Cannot create a consistent method resolution order (MRO) for bases {names}"
        )
    return (cls, *order)


def _dict_from_keys(evaluator: Evaluator, keys: Any, value: Any = None) -> dict[Any, Any]:
    return dict.fromkeys(evaluator.iterate(keys), value)


def _set_plainly(evaluator: Evaluator, value: Any, name: str, item: Any) -> None:
    """``object.__setattr__(value, name, item)``"""
    if isinstance(value, Value):
        value.set_plainly(evaluator, name, item)
    else:
        evaluator.set_attribute(value, name, item)


def _refuse_attribute(evaluator: Evaluator, value: Any, name: str) -> None:
    """``object.__getattr__``"""
    raise AttributeError(value.no_attribute(evaluator, name))


_SPECIAL_OF_CLASSES: dict[str, Callable[[ClassObject], Any]] = {
    "__name__": lambda cls: cls.name,
    "__qualname__": lambda cls: cls.name,
    "__mro__": lambda cls: cls.mro,
    "__bases__": lambda cls: cls.bases,
    "__setattr__": lambda _cls: NativeFunction("__setattr__", _set_plainly),
}


@dataclass(slots=True, eq=False)
class SuperObject(Value):
    """``super()``: attributes are looked up behind `after` in the receiver's MRO."""

    after: ClassObject
    receiver: Any

    @property
    def type_name(self) -> str:
        return "super"

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        receiver = self.receiver
        is_class = isinstance(receiver, ClassObject)
        cls: ClassObject = receiver if is_class else evaluator.class_of(receiver)
        found = cls.find(name, self.after)
        if found is MISSING:
            return self._of_object(name)
        if is_class and isinstance(found, Value):
            return found.unbound(cls)
        return bind(evaluator, found, receiver, cls)

    def _of_object(self, name: str) -> Any:
        """What ``object`` has."""
        if name == "__init__":
            return NativeFunction(name, lambda _evaluator: None)
        own = {"__setattr__": _set_plainly, "__getattr__": _refuse_attribute}.get(name)
        return MISSING if own is None else BoundMethod(self.receiver, NativeFunction(name, own))
