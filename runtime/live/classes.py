"""Live classes as types: enums, named tuples, script classes, data classes and interfaces."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tsc.compiler.emit.classes.defined_types import DefinedType
from tsc.compiler.emit.classes.enums import made_enum
from tsc.compiler.emit.classes.interfaces import interface_type
from tsc.compiler.emit.classes.script_classes import ClassScope, ScriptClass
from tsc.compiler.emit.names.known_modules import LIBRARY_FILES
from tsc.compiler.emit.names.module_constants import NotConstant, evaluate_constant
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.free_names import set_attributes
from tsc.compiler.frontend.tree_views import ClassDef, Def, Expr
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import TENSOR, ClassType, TupleType
from tsc.runtime.live import markers
from tsc.runtime.live.known_objects import known_path
from tsc.runtime.live.names import qualified_name, unique_qualified_name
from tsc.runtime.live.resolver import LiveResolver
from tsc.runtime.live.scope import UNBOUND, Scope, scope_of_class
from tsc.runtime.live.source_texts import NoSource, class_tree
from tsc.runtime.live.values import NoConstant, constant_of
from tsc.runtime.python_api.classes_of_python import register

if TYPE_CHECKING:
    from tsc.compiler.emit.protocols import Resolver
    from tsc.compiler.source import SourceRange
    from tsc.runtime.live.protocols import LiveCompilation


class LiveClasses:
    """Makes the type of each class when it is first asked for."""

    def __init__(self, compilation: LiveCompilation) -> None:
        self._compilation = compilation
        self._known: WeakKeyDictionary[type, DefinedType] = WeakKeyDictionary()
        self._bases: dict[str, type] = {}

    def find(
        self, cls: type, range: SourceRange, around: Mapping[str, Any] | None = None
    ) -> DefinedType | None:
        """The type of a class; None if it is no class of the user's, or a module's.

        Raises `CompileError` for a class that cannot be compiled. `around` are the names where a
        class inside of a function is made.
        """
        known = self._known.get(cls)
        if known is not None:
            return known
        if not _is_of_user(cls):
            return self._of_library(cls)
        if issubclass(cls, enum.Enum):
            values = {name: member.value for name, member in cls.__members__.items()}
            is_flag = issubclass(cls, enum.Flag)
            made = made_enum(unique_qualified_name(cls), values, range, is_flag=is_flag)
        elif issubclass(cls, tuple):
            made = self._named_tuple(cls, range)
        else:
            made = self._of_statement(cls, range, around or {})
        if made is not None:
            self._known[cls] = made
        return made

    def compiled(
        self, cls: type, range: SourceRange, around: Mapping[str, Any] | None = None
    ) -> DefinedType | None:
        """The type of a class, as `find` gives it, with all that its methods set and return."""
        found = self.find(cls, range, around)
        if isinstance(found, ClassType):
            for method in [*found.methods.values(), *found.static_methods.values()]:
                assert isinstance(method, Function)
                method.ensure_defined()
        return found

    def _of_library(self, cls: type) -> DefinedType | None:
        """A class of PyTorch that the library has, too: ``PackedSequence``."""
        module, _, name = (known_path(cls) or "").rpartition(".")
        if module not in LIBRARY_FILES:
            return None
        file = self._compilation.toolchain.library_file(module)
        return None if file is None else file.class_type(name)

    # -- Named tuples ----------------------------------------------------------------------------

    def _named_tuple(self, cls: Any, range: SourceRange) -> TupleType | None:
        names = getattr(cls, "_fields", None)
        if names is None:
            return None
        resolver = LiveResolver(scope_of_class(cls, {}), self._compilation)
        annotations = getattr(cls, "__annotations__", {})
        fields = []
        for name in names:
            found = TENSOR
            if name in annotations:
                annotation = annotations[name]
                text = getattr(annotation, "__forward_arg__", annotation)
                found = self._compilation.type_of_annotation(text, resolver, range)
            if found is None:
                raise CompileError(
                    f"Unknown type of the field '{name}' of '{cls.__name__}'",
                    range,
                    code=codes.INVALID_NAMED_TUPLE,
                )
            fields.append(found)
        defaults = tuple(
            self._field_default(cls, name, range) for name in names if name in cls._field_defaults
        )
        return TupleType(tuple(fields), unique_qualified_name(cls), tuple(names), defaults)

    def _field_default(self, cls: Any, name: str, range: SourceRange) -> object:
        try:
            return constant_of(cls._field_defaults[name], self._compilation, range)
        except NoConstant:
            raise CompileError(
                f"the default of field '{name}' of '{cls.__name__}' is not a constant",
                range,
                code=codes.INVALID_NAMED_TUPLE,
            ) from None

    # -- Class statements ------------------------------------------------------------------------

    def _of_statement(
        self, cls: type, range: SourceRange, around: Mapping[str, Any]
    ) -> DefinedType:
        try:
            definition = class_tree(cls)
        except NoSource as error:
            message, _, hint = str(error).partition("\nhint: ")
            raise CompileError(message, range, code=codes.INVALID_CLASS, hint=hint) from None
        name = unique_qualified_name(cls)
        scope = self._class_scope(cls, definition, name, around)
        if vars(cls).get(markers.INTERFACE):
            return interface_type(definition, name, scope)
        made = self._known[cls] = ClassType(name)  # the class may use itself
        try:
            ScriptClass(definition, made, scope).fill()
        except CompileError:
            del self._known[cls]
            raise
        register(cls, made)
        return made

    def _class_scope(
        self, cls: type, definition: ClassDef, name: str, around: Mapping[str, Any]
    ) -> ClassScope:
        names = scope_of_class(cls, around)
        resolver = LiveResolver(names, self._compilation, _reassigned(definition))

        module = qualified_name(cls).rpartition(".")[0]

        def derive(method: Def, resolver: Resolver) -> Function:
            given = method.name.name
            is_static = "." not in given
            full = f"{module}.{given}" if is_static else f"__torch__.{given}"
            return self._compilation.defined(full, method, resolver)

        def evaluate(tree: Expr) -> object:
            return self._evaluated(tree, names, tree.range)

        def find_class(path: str) -> tuple[ClassDef, ClassScope] | None:
            for base in cls.__mro__[1:]:
                if path in (f"{base.__module__}.{base.__qualname__}", base.__name__):
                    tree = class_tree(base)
                    return tree, self._class_scope(base, tree, name, around)
            return None

        return ClassScope(
            _as_module_names(names),
            resolver.types,
            resolver,
            derive=derive,
            evaluate=evaluate,
            find_class=find_class,
            strict=self._compilation.toolchain.strict,
        )

    def _evaluated(self, tree: Expr, names: Scope, range: SourceRange) -> object:
        """The value of a constant expression in the body of a class."""

        def lookup(tree: Expr) -> object:
            value = names.find_dotted(tree.range.text)
            if value is UNBOUND:
                raise NotConstant(tree.range)
            try:
                return constant_of(value, self._compilation, range)
            except NoConstant:
                raise NotConstant(tree.range) from None

        return evaluate_constant(tree, lookup, names.path_of)


def _as_module_names(scope: Scope) -> ModuleNames:
    """A scope tells full names just as the names of a source text do."""
    names: Any = scope
    return names


def _is_of_user(cls: type) -> bool:
    """Whether a class is neither built in nor of a library that the compiler knows, nor a module."""
    if cls.__module__ in ("builtins", "typing") or known_path(cls) is not None:
        return False
    package = cls.__module__.partition(".")[0]
    if package in ("torch", "runtime", "compiler", "numpy", "collections"):
        return package == "torch" and issubclass(cls, (enum.Enum, tuple))
    if hasattr(cls, "named_parameters") and markers.INTERFACE not in vars(cls):
        return False
    return not issubclass(cls, BaseException)


def _reassigned(definition: ClassDef) -> frozenset[str]:
    names = list(set_attributes(definition))
    return frozenset(name for name in names if names.count(name) > 1)
