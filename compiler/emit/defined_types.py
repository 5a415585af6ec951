"""The types that a source text defines: NamedTuples and enums, by class statements or calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from compiler.emit.enums import as_enum_base, enum_type
from compiler.emit.named_tuples import is_named_tuple, named_tuple_of_call, named_tuple_type
from compiler.emit.python_builtins import exception_class
from compiler.emit.sugared_values import EnumClass, NamedTupleConstructor
from compiler.frontend.tree_views import Assign, ClassDef, Expr
from compiler.source import CompileError, codes
from compiler.types import EnumType, TupleType

if TYPE_CHECKING:
    from compiler.emit.module_names import ModuleNames
    from compiler.emit.sugared_value import SugaredValue
    from compiler.frontend.annotations import ScriptTypeParser
    from compiler.source import SourceRange

DefinedType = TupleType | EnumType


class DefinedTypes:
    """Makes each type when it is first asked for.

    ``evaluate`` gives the values of constant expressions, which may use the names it is given;
    qualified names begin with ``prefix``.
    """

    __slots__ = ("_being_made", "_evaluate", "_known", "_names", "_prefix", "_types")

    def __init__(
        self,
        names: ModuleNames,
        types: ScriptTypeParser,
        evaluate: Callable[[Expr, Mapping[str, object]], object],
        prefix: str,
    ) -> None:
        self._names = names
        self._types = types
        self._evaluate = evaluate
        self._prefix = prefix
        self._known: dict[str, DefinedType | None] = {}
        self._being_made: set[str] = set()

    def find(self, name: str, range: SourceRange) -> DefinedType | None:
        """The type of that name; None if the name does not stand for a class.

        Raises CompileError for a class that cannot be used, at ``range``, where it is used.
        """
        if name not in self._known:
            if name in self._being_made:
                raise CompileError(
                    f"'{name}' is part of its own definition",
                    range,
                    code=codes.INVALID_NAMED_TUPLE,
                    hint="types of TorchScript cannot be recursive: hold an index or a list instead",
                )
            self._being_made.add(name)
            try:
                self._known[name] = self._make(name, range)
            finally:
                self._being_made.remove(name)
        return self._known[name]

    def _make(self, name: str, range: SourceRange) -> DefinedType | None:
        binding = self._names.bindings.get(name)
        if isinstance(binding, ClassDef):
            return self._of_class(binding, range)
        if isinstance(binding, Assign) and binding.rhs is not None:
            return named_tuple_of_call(
                binding.rhs, self._prefix, self._names, self._types, self._constant
            )
        return None

    def _constant(self, tree: Expr) -> object:
        return self._evaluate(tree, {})

    def _of_class(self, definition: ClassDef, range: SourceRange) -> DefinedType:
        qualified_name = self._prefix + definition.name.name
        if is_named_tuple(definition, self._names):
            return named_tuple_type(definition, qualified_name, self._types, self._constant)
        bases = self._bases(definition)
        if any(as_enum_base(base) for base in bases):
            return enum_type(definition, qualified_name, bases, self._names.path_of, self._evaluate)
        raise CompileError(
            f"class '{definition.name.name}' cannot be used: classes other than NamedTuples and "
            "enums are not supported",
            range,
            code=codes.NO_CLASS,
            hint="use a NamedTuple, or functions on plain values",
            subject=qualified_name,
        )

    def is_exception(self, definition: ClassDef) -> bool:
        """Whether a class is one to raise: programs use no more of it than its name."""
        return any(exception_class(base) is not None for base in self._bases(definition))

    def _bases(self, definition: ClassDef) -> tuple[str, ...]:
        """The full names of the classes below a class, those of this text followed to theirs."""
        found: dict[str, None] = {}
        pending = list(definition.bases)
        while pending:
            path = self._names.path_of(pending.pop(0))
            if path is None or path in found:
                continue
            found[as_enum_base(path) or path] = None
            base = self._names.bindings.get(path)
            if isinstance(base, ClassDef):
                pending += base.bases
        return tuple(found)


def class_value(type: DefinedType) -> SugaredValue:
    """What the name of a class means in an expression."""
    return EnumClass(type) if isinstance(type, EnumType) else NamedTupleConstructor(type)
