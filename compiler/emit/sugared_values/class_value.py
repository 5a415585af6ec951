"""Script classes where a value was expected: constructors, static methods, ``super()``."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Protocol

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values import objects
from tsc.compiler.emit.sugared_values.function_value import FunctionValue
from tsc.compiler.emit.sugared_values.simple_value import MethodValue, SimpleValue
from tsc.compiler.emit.sugared_values.special_forms import NoneValue, SpecialFormValue
from tsc.compiler.ir import Function, Value, prim
from tsc.compiler.source import SourceRange, codes, extensions
from tsc.compiler.types import ClassType


class ClassValue(SugaredValue):
    """``Point`` of ``class Point``: a call makes an object."""

    __slots__ = ("type",)

    def __init__(self, type: ClassType) -> None:
        self.type = type

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "Python type"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        return SimpleValue(objects.construct(range, emitter, self.type, args, kwargs))

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if name == "__new__":
            return SpecialFormValue(prim.CreateObject)
        if name in self.type.static_methods:
            method = self.type.static_methods[name]
            assert isinstance(method, Function)
            return FunctionValue(method)
        if name in self.type.constants:
            refusal = f"Tried to lookup unknown attribute on class {self.type.name}.{name}"
            emitter.acceptance.use(extensions.CLASS_CONSTANTS, range, refusal)
            constant = self.type.constants[name]
            return SimpleValue(emitter.graph.insert_constant(constant, range=range))
        similar = get_close_matches(name, [*self.type.static_methods, *self.type.constants], 1)
        raise self._refusal(
            range,
            f"Tried to lookup unknown attribute on class {self.type.name}.{name}",
            code=codes.UNKNOWN_ATTRIBUTE,
            hint=f"did you mean '{similar[0]}'?" if similar else None,
        )

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        return name in self.type.static_methods or name in self.type.constants


class ClassConstants(ClassValue):
    """``cls`` in a class method."""

    __slots__ = ()

    @property
    def is_independent(self) -> bool:
        return False


class ClassInItself(ClassValue):
    """The name of a class in its own methods, while PyTorch makes the class: no more than its constructor."""

    __slots__ = ()

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if name in self.type.static_methods:
            raise self._refusal(
                range,
                f"Tried to lookup unknown attribute on class {self.type.name}.{name}",
                code=codes.UNKNOWN_ATTRIBUTE,
                hint="PyTorch knows no static methods in the class that has them: make it a function",
            )
        return super().attribute(range, emitter, name)


class InheritingClass(Protocol):
    """What ``super()`` needs to know of a class (``compiler.emit.classes.script_classes.ScriptClass``)."""

    @property
    def type(self) -> ClassType: ...

    def inherited(self, name: str, position: int) -> Function | None: ...


class SuperForm(SpecialFormValue):
    """``super`` in a method of one of the classes that a class is made of."""

    __slots__ = ("owner", "position")

    def __init__(self, owner: InheritingClass, position: int) -> None:
        super().__init__("prim::super")
        self.owner = owner
        self.position = position


class SuperValue(SugaredValue):
    """``super()``: the object itself, with the methods of the classes below."""

    __slots__ = ("form", "self_value")

    def __init__(self, form: SuperForm, self_value: Value) -> None:
        self.form = form
        self.self_value = self_value

    @property
    def kind(self) -> str:
        return "super object"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        method = self.form.owner.inherited(name, self.form.position)
        if method is not None:
            refusal = "Python builtin 'super' is currently not supported in TorchScript"
            emitter.acceptance.use(extensions.INHERITANCE, range, refusal)
            return MethodValue(self.self_value, method)
        if name == objects.INITIALIZER:
            return _Nothing()
        type = self.form.owner.type
        raise self._refusal(
            range,
            f"no class below '{type.name}' has a method '{name}'",
            code=codes.UNKNOWN_ATTRIBUTE,
        )


class _Nothing(NoneValue):
    """``super().__init__`` of a class with nothing below."""

    __slots__ = ()

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        return SimpleValue(emitter.graph.insert_constant(None, range=range))
