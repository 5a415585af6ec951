"""What the emitter, sugared values and resolvers need to know of each other.

A ``SugaredValue`` stands for whatever a name or an expression denotes during emission, first-class
or not: a module namespace, a builtin function, a range, a plain ``Value``. It is *desugared* by how
it is used; every use a kind of value does not support is refused here, naming the kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tsc.compiler.source import Code, CompileError, SourceRange, codes

if TYPE_CHECKING:
    from tsc.compiler.emit.acceptance import Acceptance
    from tsc.compiler.emit.environment import Environment
    from tsc.compiler.frontend.tree_views import Def, Expr
    from tsc.compiler.ir import Function, Graph, Value
    from tsc.compiler.schema import OperatorTable
    from tsc.compiler.types import Type


@dataclass(frozen=True, slots=True)
class NamedValue:
    """An argument of a call: its value, where it stands, and its keyword when it has one."""

    value: Value
    range: SourceRange
    name: str | None = None


@dataclass(frozen=True, slots=True)
class GivenArgument:
    """An argument of a call that need not be first-class: it may be a function."""

    sugared: SugaredValue
    range: SourceRange
    name: str | None = None


class Resolver(Protocol):
    """The outside of a definition: Python's builtins, and the module around it."""

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        """What a name that is no local variable means, or None if it is unknown."""
        ...

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        """The type that a name, dotted or not, means in an annotation, or None."""
        ...

    def qualified_name(self, name: str) -> str:
        """Where a name comes from: ``T.List`` is ``typing.List`` after ``import typing as T``."""
        ...

    def derive(self, name: str, definition: Def, resolver: Resolver) -> Function:
        """A new function, called ``name`` or nearly so; its definition uses another resolver."""
        ...

    def discard(self, function: Function) -> None:
        """A derived function is not needed after all."""
        ...

    def sugared_self(self, value: Value) -> SugaredValue | None:
        """What the first parameter of a definition means, if it is more than its type says."""
        ...

    def declared_attribute(self, name: str) -> Type | None:
        """The type that the class of a method annotates an attribute with, in its body."""
        ...

    def sets_again(self, attribute: str) -> bool:
        """Whether the text sets an attribute of that name in more than one place."""
        ...

    def names_near(self, name: str) -> Iterable[str]:
        """Names that ``resolve_value`` knows and that are spelled like ``name``: for suggestions."""
        ...


class Emitter(Protocol):
    """What sugared values need to know of the emitter that is using them."""

    @property
    def graph(self) -> Graph: ...
    @property
    def operators(self) -> OperatorTable: ...
    @property
    def resolver(self) -> Resolver: ...
    @property
    def function(self) -> Function: ...
    @property
    def environment(self) -> Environment: ...
    @property
    def acceptance(self) -> Acceptance: ...

    def emit_expression(self, tree: Expr, type_hint: Type | None = None) -> Value: ...

    def emit_sugared_expression(
        self, tree: Expr, binders: int, type_hint: Type | None = None
    ) -> SugaredValue: ...


class SugaredValue:
    """A thing an expression denotes; each method is one way in which a program may use it."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """What to call this thing in a message: "builtin function", "value of type 'int'"."""
        raise NotImplementedError

    @property
    def is_independent(self) -> bool:
        """Whether this means the same in every function, as functions and modules do."""
        return False

    def _refusal(
        self, range: SourceRange, message: str, hint: str | None = None, *, code: Code
    ) -> CompileError:
        return CompileError(message, range, code=code, hint=hint)

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        """This thing as a first-class value."""
        raise self._refusal(range, f"{self.kind} cannot be used as a value", code=codes.NOT_A_VALUE)

    def as_tuple(
        self, range: SourceRange, emitter: Emitter, size_hint: int | None = None
    ) -> list[SugaredValue]:
        """The elements of this thing, unpacked; ``size_hint`` tells how many targets there are."""
        raise self._refusal(range, f"{self.kind} cannot be used as a tuple", code=codes.NOT_A_TUPLE)

    def as_tuple_value(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        """This thing (``nn.ModuleList``, a tuple) as a tuple of sugared values."""
        raise self._refusal(
            range, f"{self.kind} cannot be used as a tuplevalue", code=codes.NOT_A_TUPLE
        )

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The meaning of ``this.name``."""
        raise self._refusal(
            range, f"attribute lookup is not defined on {self.kind}", code=codes.UNKNOWN_ATTRIBUTE
        )

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        """Whether ``this.name`` means something; what ``hasattr`` answers."""
        raise self._refusal(
            range, f"hasattr is not supported on {self.kind}", code=codes.WRONG_SPECIAL_CALL
        )

    def set_attribute(self, range: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        """Emit ``this.name = value``."""
        raise self._refusal(
            range,
            f"attribute assignment is not defined on {self.kind}",
            code=codes.NO_ATTRIBUTE_ASSIGNMENT,
        )

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        """Emit ``this(*args, **kwargs)``; ``binders`` tells to how many targets it is bound."""
        raise self._refusal(range, f"cannot call a {self.kind}", code=codes.NOT_CALLABLE)

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        """This thing as an iterable: something with a length and items by position."""
        raise self._refusal(
            range, f"{self.kind} cannot be used as an iterable", code=codes.NOT_ITERABLE
        )

    def length(self, range: SourceRange, emitter: Emitter) -> Value:
        """Emit ``len(this)``."""
        raise self._refusal(range, f"'{self.kind}' object is not iterable", code=codes.NOT_ITERABLE)

    def get_item(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        """Emit ``this[index]``."""
        raise self._refusal(
            range, f"'{self.kind}' object is not subscriptable", code=codes.NOT_SUBSCRIPTABLE
        )

    def static_length(self) -> int | None:
        """The length when the compiler knows it: then a loop over this thing can be unrolled."""
        return None

    def should_emit_unrolled(self) -> bool:
        """Whether a loop over this thing must be unrolled."""
        return self.static_length() is not None
