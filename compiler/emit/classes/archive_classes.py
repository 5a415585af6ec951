"""Class statements of archives: what PyTorch prints for modules, classes, interfaces, NamedTuples, enums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol, cast

from tsc.compiler.emit.classes.defined_types import DefinedType
from tsc.compiler.emit.classes.enums import as_enum_base, enum_type
from tsc.compiler.emit.classes.interfaces import INTERFACES, interface_type
from tsc.compiler.emit.classes.named_tuples import is_named_tuple, named_tuple_type
from tsc.compiler.emit.classes.script_classes import ClassScope
from tsc.compiler.frontend.annotations import KnownType, ScriptTypeParser
from tsc.compiler.frontend.tree_views import (
    Assign,
    ClassDef,
    Def,
    Expr,
    ExprStmt,
    Ident,
    ListLiteral,
    Pass,
    Stmt,
    StringLiteral,
    Subscript,
    Var,
)
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import ClassAttribute, ClassType, ListType, Type

_MODULE: Final = "Module"
_ANNOTATIONS: Final = "__annotations__"
_LISTS: Final = ("__parameters__", "__buffers__", "__forward_pre_hooks__", "__forward_hooks__")
"""Names in the body of a module's class that list its attributes or methods."""


class ArchiveNames(Protocol):
    """What class statements ask of the resolver of their archive."""

    @property
    def types(self) -> ScriptTypeParser:
        """Reads annotations."""
        ...

    def remember(self, type: ClassType) -> None:
        """Make a class known before it is filled: it may use itself."""
        ...

    def declared(self, qualified_name: str, definition: Def) -> Function:
        """The function of a definition, which is compiled when it is needed."""
        ...

    def constant(self, tree: Expr, local: Mapping[str, object]) -> object:
        """The value of a literal, in which ``local`` names may be used."""
        ...

    def typed_constant(self, tree: Expr, type: Type) -> object:
        """The value of an expression made of constants; lists are tuples."""
        ...


def make_type(
    definition: ClassDef, name: str, scope: ClassScope, resolver: ArchiveNames
) -> DefinedType:
    """The type of the class statement of a qualified name, in the scope of its file.

    A class is known to the resolver before it is filled.
    """
    if is_named_tuple(definition, scope.names):
        return named_tuple_type(
            definition, name, resolver.types, lambda tree: resolver.constant(tree, {})
        )
    bases = tuple(str(scope.names.path_of(base)) for base in definition.bases)
    if any(as_enum_base(base) for base in bases):
        full = tuple(as_enum_base(base) or base for base in bases)
        return enum_type(definition, name, full, scope.names.path_of, resolver.constant)
    if any(base in INTERFACES for base in bases):
        return interface_type(definition, name, scope)
    return _ArchiveClass(
        definition, ClassType(name, is_module=bases == (_MODULE,)), resolver
    ).fill()


class _ArchiveClass:
    """Fills the type of a module or of a script class."""

    def __init__(self, definition: ClassDef, type: ClassType, resolver: ArchiveNames) -> None:
        self.definition = definition
        self.type = type
        self.resolver = resolver

    def fill(self) -> ClassType:
        self.resolver.remember(self.type)
        lists = {name: self._names(name) for name in _LISTS}
        for statement in self.definition.body:
            self._declare(statement, lists)
        self.type.forward_pre_hooks = tuple(lists["__forward_pre_hooks__"])
        self.type.forward_hooks = tuple(lists["__forward_hooks__"])
        for hook in (*self.type.forward_pre_hooks, *self.type.forward_hooks):
            if hook not in self.type.methods:
                raise self._refusal(self.definition, f"the hook '{hook}' is no method of the class")
        return self.type

    def _names(self, name: str) -> Sequence[str]:
        """What one of the lists of names says."""
        for statement in self.definition.body:
            if isinstance(statement, Assign) and _is_variable(statement.lhs, name):
                tree = statement.rhs
                if isinstance(tree, ListLiteral):
                    items = [each for each in tree.inputs if isinstance(each, StringLiteral)]
                    if len(items) == len(tree.inputs):
                        return [each.text for each in items]
                raise self._refusal(statement, f"{name} is no list of names")
        return ()

    def _declare(self, statement: Stmt, lists: dict[str, Sequence[str]]) -> None:
        if isinstance(statement, Def):
            self._add_method(statement)
        elif isinstance(statement, Assign):
            self._add_attribute(statement, lists)
        elif not isinstance(statement, Pass | ExprStmt):
            raise self._refusal(statement, "this does not belong into the class of an archive")

    def _add_attribute(self, statement: Assign, lists: dict[str, Sequence[str]]) -> None:
        name, annotation, value = _declaration(statement)
        if name in _LISTS or (name == _ANNOTATIONS and annotation is None):
            return
        if name is None or annotation is None:
            raise self._refusal(statement, "this declares no attribute")
        type = self.resolver.types.parse_type(annotation)
        if value is not None:
            constant = self.resolver.typed_constant(value, type)
            as_list = isinstance(type, ListType) and isinstance(constant, tuple)
            items = cast("tuple[object, ...]", constant)
            self.type.constants[name] = list(items) if as_list else constant
            return
        if name in self.type.attributes:
            raise self._refusal(statement, f"the attribute '{name}' is declared twice")
        is_parameter, is_buffer = name in lists["__parameters__"], name in lists["__buffers__"]
        self.type.add_attribute(ClassAttribute(name, type, is_parameter, is_buffer))

    def _add_method(self, definition: Def) -> None:
        name = definition.name.name
        params = list(definition.decl.params)
        if not params or params[0].prefix:
            raise self._refusal(definition, f"the method '{name}' takes no 'self'")
        params[0] = replace(params[0], type=KnownType(params[0].range, self.type))
        method = replace(
            definition,
            decl=replace(definition.decl, params=params),
            name=Ident(definition.name.range, name),
        )
        qualified_name = f"{self.type.qualified_name}.{name}"
        self.type.methods[name] = self.resolver.declared(qualified_name, method)

    def _refusal(self, tree: Stmt | ClassDef, message: str) -> CompileError:
        return CompileError(message, tree.range, code=codes.INVALID_CLASS)


def _declaration(statement: Assign) -> tuple[str | None, Expr | None, Expr | None]:
    """Name, annotation and value of ``x : T``, ``x : T = v`` or ``__annotations__["0"] = T``."""
    lhs = statement.lhs
    if isinstance(lhs, Subscript) and _is_variable(lhs.value, _ANNOTATIONS):
        (key, *_) = lhs.subscript_exprs
        return key.text if isinstance(key, StringLiteral) else None, statement.rhs, None
    name = lhs.name.name if isinstance(lhs, Var) else None
    return name, statement.type, statement.rhs


def _is_variable(tree: Expr, name: str) -> bool:
    return isinstance(tree, Var) and tree.name.name == name
