"""Class statements that become script classes: methods, properties, static methods, constants.

What a class inherits is compiled anew for it, as if its body said it, so that every method knows its
own attributes: the IR has no inheritance. The bodies of methods are emitted when they are first
asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from tsc.compiler.emit.classes.data_classes import (
    check_written_by_pytorch,
    generated_methods,
    is_data_class,
)
from tsc.compiler.emit.classes.linearization import merged
from tsc.compiler.emit.classes.mutual_classes import refuse_mutual_classes
from tsc.compiler.emit.names.decorators import (
    as_compiled,
    decorator_path,
    is_scripted,
    without_kind,
)
from tsc.compiler.emit.names.module_constants import NotConstant
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.emit.protocols import Resolver, SugaredValue
from tsc.compiler.emit.sugared_values.bound_resolver import BoundResolver
from tsc.compiler.emit.sugared_values.class_value import (
    ClassConstants,
    ClassInItself,
    SuperForm,
)
from tsc.compiler.frontend.annotations import KnownType, ScriptTypeParser
from tsc.compiler.frontend.set_by_the_way import changed_by_the_way, set_by_the_way
from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import (
    Assign,
    ClassDef,
    Def,
    Expr,
    ExprStmt,
    Ident,
    Pass,
    Stmt,
    StringLiteral,
    Subscript,
    Var,
)
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, codes, extensions
from tsc.compiler.source.extension_errors import naming
from tsc.compiler.types import ClassProperty, ClassType, Type
from tsc.compiler.value_classes import value_class

_STATIC = ("staticmethod", "classmethod")
_ROOTS = ("object", "Generic", "typing.Generic", "abc.ABC")


class ClassScope:
    """What the statements of one text need to become classes.

    ``derive`` makes a function of a definition and a resolver; ``evaluate`` gives the values of
    constant expressions; ``find_class`` finds the definition of a base class, in this text or
    another one. ``strict`` scopes take the classes that PyTorch takes.
    """

    __slots__ = (
        *("derive", "evaluate", "find_class", "names", "resolver", "strict", "types"),
        "without_mutual_classes",
    )

    def __init__(
        self,
        names: ModuleNames,
        types: ScriptTypeParser,
        resolver: Resolver,
        *,
        derive: Callable[[Def, Resolver], Function],
        evaluate: Callable[[Expr], object],
        find_class: Callable[[str], tuple[ClassDef, ClassScope] | None],
        strict: bool = False,
    ) -> None:
        self.strict = strict
        self.without_mutual_classes: set[int] = set()
        self.names = names
        self.types = types
        self.resolver = resolver
        self.derive = derive
        self.evaluate = evaluate
        self.find_class = find_class


@value_class
class _Layer:
    """One class among those that a class is made of, and the text it stands in."""

    definition: ClassDef
    scope: ClassScope

    @property
    def methods(self) -> Iterator[Def]:
        for statement in self.definition.body:
            if isinstance(statement, Def):
                yield statement
        if is_data_class(self.definition, self.scope.names):
            yield from generated_methods(self.definition, self.scope.names)


class MethodResolver(BoundResolver):
    """The resolver of a method: the names of its text, ``super``, and what its class declares."""

    __slots__ = ("_class",)

    def __init__(self, owner: ScriptClass, position: int, cls: str | None = None) -> None:
        """``cls`` is what the method calls the class: the first parameter of a class method."""
        bindings: dict[str, SugaredValue] = {"super": SuperForm(owner, position)}
        for name in (owner.name_in_itself, cls):
            if name is not None:
                bindings[name] = ClassInItself(owner.type)
        super().__init__(owner.layers[position].scope.resolver, bindings)
        self._class = owner

    def declared_attribute(self, name: str) -> Type | None:
        return self._class.declared_attribute(name)


class ScriptClass:
    """Fills the type of one class. ``layers`` are the class and those below it, the first one first."""

    __slots__ = ("layers", "type")

    def __init__(self, definition: ClassDef, type: ClassType, scope: ClassScope) -> None:
        self.type = type
        self.layers = _layers(definition, scope)
        for refusal in definition.refusals:
            raise refusal
        if scope.strict:
            find = partial(_script_class, scope)
            refuse_mutual_classes(definition, find, scope.without_mutual_classes)
        if scope.strict and is_data_class(definition, scope.names):
            check_written_by_pytorch(definition, scope.names, scope.evaluate)

    @property
    def name_in_itself(self) -> str | None:
        """The name that stands for less than the class while PyTorch decorates it."""
        definition, scope = self.layers[0].definition, self.layers[0].scope
        is_refused = scope.strict and is_scripted(definition, scope.names)
        return definition.name.name if is_refused else None

    def fill(self) -> None:
        """Declare everything that the class has. Nothing is compiled by that."""
        for layer in reversed(self.layers):
            for statement in layer.definition.body:
                self._declare(statement, layer)
        taken: set[str] = set()
        for position, layer in enumerate(self.layers):
            own: dict[str, list[Def]] = {}
            for method in layer.methods:
                own.setdefault(method.name.name, []).append(method)
            for name, definitions in own.items():
                if name not in taken:
                    self._add(name, definitions, position)
            taken.update(own)
        self._put_in_order()

    def _put_in_order(self) -> None:
        """Properties first, then methods, by name: the order in which PyTorch lists them."""
        methods = self.type.methods
        parts = [
            part.qualified_name.rpartition(".")[2]
            for _, each in sorted(self.type.properties.items())
            for part in (each.getter, each.setter)
            if part is not None
        ]
        names = [*parts, *sorted(name for name in methods if name not in parts)]
        ordered = {name: methods[name] for name in names}
        methods.clear()
        methods.update(ordered)

    # -- Statements --------------------------------------------------------------------------

    def _declare(self, statement: Stmt, layer: _Layer) -> None:
        """Note what a statement of the body says beside the methods."""
        if isinstance(statement, Def | Pass):
            return
        if isinstance(statement, ExprStmt) and isinstance(statement.expr, StringLiteral):
            return
        if isinstance(statement, Assign) and isinstance(statement.lhs, Var):
            name = statement.lhs.name.name
            if statement.rhs is None or is_data_class(layer.definition, layer.scope.names):
                return
            try:
                self.type.constants[name] = layer.scope.evaluate(statement.rhs)
            except NotConstant:
                self.type.constants.pop(name, None)
            return
        if _has_definitions(statement):
            raise CompileError(
                "methods can only be defined in the body of a class itself",
                statement.range,
                code=codes.INVALID_CLASS,
                hint="move the statement out of the class, or its methods out of it",
            )
        for name in (*set_by_the_way(statement), *changed_by_the_way(statement)):
            self.type.constants.pop(name, None)

    # -- Methods -----------------------------------------------------------------------------

    def _add(self, name: str, definitions: Sequence[Def], position: int) -> None:
        scope = self.layers[position].scope
        kinds = [_kind(each, scope.names) for each in definitions]
        if "getter" in kinds:
            self._add_property(name, dict(zip(kinds, definitions)), position)
        elif kinds[-1] == "classmethod" and scope.strict:
            self.type.methods[name] = self._class_method(name, definitions[-1], position)
        elif kinds[-1] in _STATIC:
            self._add_static(name, definitions[-1], position, kinds[-1])
        else:
            self.type.methods[name] = self._method(name, definitions[-1], position)

    def _add_property(self, name: str, parts: dict[str, Def], position: int) -> None:
        getter = self._method(f"__{name}_getter", parts["getter"], position)
        self.type.methods[getter.name] = getter
        setter = None
        if "setter" in parts:
            setter = self._method(f"__{name}_setter", parts["setter"], position)
            self.type.methods[setter.name] = setter
        self.type.properties[name] = ClassProperty(getter, setter)

    def _add_static(self, name: str, definition: Def, position: int, kind: str) -> None:
        layer = self.layers[position]
        bindings: dict[str, SugaredValue] = {}
        if kind == "classmethod":
            params = definition.decl.params
            bindings = {each.name: ClassConstants(self.type) for each in params[:1]}
            definition = replace(definition, decl=replace(definition.decl, params=params[1:]))
        plain = replace(definition, decorators=(), name=Ident(definition.name.range, name))
        resolver = BoundResolver(layer.scope.resolver, bindings)
        self.type.static_methods[name] = layer.scope.derive(plain, resolver)

    def _method(
        self, name: str, definition: Def, position: int, cls: str | None = None
    ) -> Function:
        """A method as a function of its object, whose type is known."""
        layer = self.layers[position]
        compiled = as_compiled(without_kind(definition), layer.scope.names)
        method = as_method(compiled, f"{self._local_name}.{name}", self.type)
        return layer.scope.derive(method, MethodResolver(self, position, cls))

    def _class_method(self, name: str, definition: Def, position: int) -> Function:
        """As PyTorch has it: a method of objects alone, in which ``cls`` is the class."""
        params = definition.decl.params
        cls = params[0].name if params else None
        receiver = [replace(each, ident=Ident(each.range, "self")) for each in params[:1]]
        decl = replace(definition.decl, params=[*receiver, *params[1:]])
        return self._method(name, replace(definition, decl=decl), position, cls)

    @property
    def _local_name(self) -> str:
        return self.type.qualified_name.removeprefix("__torch__.")

    def declared_attribute(self, name: str) -> Type | None:
        """The type of ``name: T`` in the body of the class, or of one below it."""
        for layer in self.layers:
            for declared, annotation in _declared_attributes(layer.definition):
                if declared == name:
                    return layer.scope.types.parse_type(annotation)
        return None

    def inherited(self, name: str, position: int) -> Function | None:
        """The method that ``super().name`` means in a method of the class at ``position``."""
        for below in range(position + 1, len(self.layers)):
            layer = self.layers[below]
            for definition in layer.methods:
                if (
                    definition.name.name == name
                    and _kind(definition, layer.scope.names) == "method"
                ):
                    return self._inherited(f"{layer.definition.name.name}{name}", definition, below)
        return None

    def _inherited(self, name: str, definition: Def, position: int) -> Function:
        known = self.type.methods.get(name)
        if known is None:
            known = self.type.methods[name] = self._method(name, definition, position)
        return cast("Function", known)


def as_method(definition: Def, name: str, type: ClassType) -> Def:
    """The definition under another name, with the type of its first parameter, the object."""
    params = list(definition.decl.params)
    if not params or params[0].prefix or params[0].kwarg_only:
        raise CompileError(
            f"the method '{definition.name.name}' takes no 'self'",
            definition.name.range,
            code=codes.INVALID_CLASS,
            hint="make 'self' its first parameter, or decorate it with @staticmethod",
        )
    params[0] = replace(params[0], type=KnownType(params[0].range, type))
    decl = replace(definition.decl, params=params)
    return replace(definition, decl=decl, name=Ident(definition.name.range, name))


def _kind(definition: Def, names: ModuleNames) -> str:
    """``method``, ``getter``, ``setter``, ``staticmethod`` or ``classmethod``."""
    for decorator in definition.decorators:
        path = decorator_path(decorator, names) or ""
        if path in _STATIC:
            return path
        if path == "property" or path.endswith(".getter"):
            return "getter"
        if path.endswith(".setter"):
            return "setter"
    return "method"


def _has_definitions(statement: Stmt) -> bool:
    """Whether a statement other than a class has functions in its blocks."""
    pending: list[Tree | Group | str] = [statement]
    while pending:
        tree = pending.pop()
        if isinstance(tree, Def):
            return True
        if not isinstance(tree, str | Expr | ClassDef):
            pending += tree.children
    return False


def _declared_attributes(definition: ClassDef) -> Iterator[tuple[str, Expr]]:
    """The names that the body annotates without a value."""
    for statement in definition.body:
        if not isinstance(statement, Assign) or statement.rhs is not None:
            continue
        if isinstance(statement.lhs, Var) and statement.type is not None:
            yield statement.lhs.name.name, statement.type


def _script_class(scope: ClassScope, name: str) -> ClassDef | None:
    """The class statement of a name, unless it is that of a module, an enum or a NamedTuple."""
    found = scope.find_class(name)
    return None if found is None or found[0].bases else found[0]


# -- The classes below -----------------------------------------------------------------------


def _layers(definition: ClassDef, scope: ClassScope) -> tuple[_Layer, ...]:
    """The class and those below it in the order in which Python asks them for a method (C3)."""
    layers = tuple(_linearized(definition, scope, (definition,)))
    if len(layers) > 1 and scope.strict:
        name, below = definition.name.name, layers[1].definition.name.name
        message = f"class '{name}' does not have the methods of '{below}'"
        error = CompileError(message, definition.bases[0].range, code=codes.ONLY_IN_TSC)
        raise naming([extensions.INHERITANCE], error)
    return layers


def _linearized(definition: ClassDef, scope: ClassScope, above: Sequence[ClassDef]) -> list[_Layer]:
    bases = list(_bases(definition, scope))
    for base in bases:
        if any(base.definition is each for each in above):
            raise CompileError(
                f"class '{definition.name.name}' is below itself",
                definition.name.range,
                code=codes.INVALID_CLASS,
            )
    orders = [_linearized(base.definition, base.scope, (*above, base.definition)) for base in bases]
    order = merged([*orders, bases], lambda layer: id(layer.definition))
    if order is None:
        raise CompileError(
            "the base classes have no consistent order",
            definition.name.range,
            code=codes.INVALID_CLASS,
        )
    return [_Layer(definition, scope), *order]


def _bases(definition: ClassDef, scope: ClassScope) -> Iterator[_Layer]:
    for base in definition.bases:
        path = scope.names.path_of(base.value if isinstance(base, Subscript) else base)
        if path in _ROOTS:
            continue
        found = None if path is None else scope.find_class(path)
        if found is None:
            raise CompileError(
                f"the base class '{base.range.text}' is not known",
                base.range,
                code=codes.INVALID_CLASS,
                hint="a class can inherit from classes of the program; nn.Module can not be used here",
            )
        yield _Layer(*found)
