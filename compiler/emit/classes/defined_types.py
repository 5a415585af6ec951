"""The types that a source text defines: script classes, interfaces, NamedTuples and enums."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tsc.compiler.emit.classes.enums import as_enum_base, enum_type
from tsc.compiler.emit.classes.interfaces import INTERFACES, interface_type
from tsc.compiler.emit.classes.named_tuples import (
    is_named_tuple,
    named_tuple_of_call,
    named_tuple_type,
)
from tsc.compiler.emit.classes.script_classes import ClassScope, ScriptClass
from tsc.compiler.emit.names.decorators import decorator_path
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.emit.protocols import SugaredValue
from tsc.compiler.emit.sugared_values import EnumClass, NamedTupleConstructor
from tsc.compiler.emit.sugared_values.class_value import ClassValue
from tsc.compiler.emit.sugared_values.module_class_name import ModuleClassName
from tsc.compiler.emit.sugared_values.python_builtins import exception_class
from tsc.compiler.emit.sugared_values.special_forms import TypeValue
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.tree_views import Assign, ClassDef, Def, Expr
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.source.extension_errors import naming
from tsc.compiler.types import ClassType, EnumType, InterfaceType, TupleType

_MOST_BASES = 100  # each class is made of all below it
_MODULES = ("torch.nn.", "torch.jit.ScriptModule")

DefinedType = TupleType | EnumType | ClassType | InterfaceType


class DefinedTypes:
    """Makes each type when it is first asked for.

    ``evaluate`` gives the values of constant expressions, which may use the names it is given;
    qualified names begin with ``prefix``. ``scope`` is what classes are made in.
    """

    __slots__ = (
        *("_being_made", "_evaluate", "_known", "_names", "_prefix", "_static_methods", "_types"),
        "scope",
    )

    def __init__(
        self,
        names: ModuleNames,
        types: ScriptTypeParser,
        evaluate: Callable[[Expr, Mapping[str, object]], object],
        prefix: str,
        scope: ClassScope,
    ) -> None:
        self.scope = scope
        self._names = names
        self._types = types
        self._evaluate = evaluate
        self._prefix = prefix
        self._known: dict[str, DefinedType | None] = {}
        self._being_made: set[str] = set()
        self._static_methods: dict[int, Function] = {}

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
                made = self._make(name, range)
                self._known[name] = made
            finally:
                self._being_made.remove(name)
        return self._known[name]

    @property
    def script_classes(self) -> list[ClassType]:
        return [type for type in self._known.values() if isinstance(type, ClassType)]

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
        """The default of a field."""
        value = self._evaluate(tree, {})
        if value == [] and self.scope.strict:
            message = "PyTorch knows no type for an empty list that is the default of a field"
            error = CompileError(message, tree.range, code=codes.ONLY_IN_TSC)
            raise naming([extensions.ELEMENT_ANNOTATIONS], error)
        return value

    def _of_class(self, definition: ClassDef, range: SourceRange) -> DefinedType:
        qualified_name = self._prefix + definition.name.name
        if is_named_tuple(definition, self._names):
            return named_tuple_type(definition, qualified_name, self._types, self._constant)
        bases = self._bases(definition)
        if any(as_enum_base(base) for base in bases):
            return enum_type(definition, qualified_name, bases, self._names.path_of, self._evaluate)
        if self._is_interface(definition):
            return interface_type(definition, qualified_name, self.scope)
        self._refuse_module(definition, range)
        return self._script_class(definition, ClassType(qualified_name))

    def _is_interface(self, definition: ClassDef) -> bool:
        bases = map(self._names.path_of, definition.bases)
        decorators = (decorator_path(each, self._names) for each in definition.decorators)
        return any(name in INTERFACES for name in (*bases, *decorators))

    def _script_class(self, definition: ClassDef, type: ClassType) -> ClassType:
        """The class may use itself, so it is known before it is filled."""
        name = definition.name.name
        self._known[name] = type
        try:
            ScriptClass(definition, type, self.scope).fill()
        except CompileError:
            del self._known[name]
            raise
        return type

    def is_module(self, definition: ClassDef) -> bool:
        """Whether a class is an ``nn.Module``, a ``ScriptModule``, or derived from one of ``torch.nn``."""
        return any(base.startswith(_MODULES) for base in self._bases(definition))

    def _refuse_module(self, definition: ClassDef, range: SourceRange) -> None:
        if self.is_module(definition):
            raise self._module_refusal(definition, range)

    def module_class(self, definition: ClassDef, range: SourceRange) -> SugaredValue:
        """What the name of a class of modules means in an expression."""
        refusal = self._module_refusal(definition, range)
        return ModuleClassName(definition, self.static_method, refusal)

    def static_method(self, definition: Def) -> Function:
        """The function of a static method of a class of modules."""
        place = definition.name.range.start
        if place not in self._static_methods:
            derived = self.scope.derive(definition, self.scope.resolver)
            self._static_methods[place] = derived
        return self._static_methods[place]

    def _module_refusal(self, definition: ClassDef, range: SourceRange) -> CompileError:
        """The error of a function that makes a module, or takes one."""
        return CompileError(
            f"class '{definition.name.name}' is an nn.Module: a function cannot make one",
            range,
            code=codes.NO_MODULE_CLASS,
            hint="make it in the __init__ of another module, and call it as self.name(...)",
            subject=self._prefix + definition.name.name,
        )

    def is_exception(self, definition: ClassDef) -> bool:
        """Whether a class is one to raise: programs use no more of it than its name."""
        return any(exception_class(base) is not None for base in self._bases(definition))

    def _bases(self, definition: ClassDef) -> tuple[str, ...]:
        """The full names of the classes below a class, those of this text followed to theirs."""
        found: dict[str, None] = {}
        seen: set[str] = set()
        pending = list(definition.bases)
        while pending:
            path = self._names.path_of(pending.pop(0))
            if path is None or path in seen:
                continue
            seen.add(path)
            if len(found) == _MOST_BASES:
                raise CompileError(
                    f"class '{definition.name.name}' inherits from more than {_MOST_BASES} classes",
                    definition.name.range,
                    code=codes.NESTED_TOO_DEEPLY,
                    hint="hold an object of the other class in an attribute",
                )
            found[as_enum_base(path) or path] = None
            base = self._names.bindings.get(path)
            if isinstance(base, ClassDef):
                pending += base.bases
        return tuple(found)


def class_value(type: DefinedType) -> SugaredValue:
    """What the name of a class means in an expression."""
    match type:
        case EnumType():
            return EnumClass(type)
        case TupleType():
            return NamedTupleConstructor(type)
        case ClassType():
            return ClassValue(type)
        case InterfaceType():
            return TypeValue(type.name)
