"""What was compiled of the running interpreter: each function and class once."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tsc.compiler.compile import Toolchain, define_function
from tsc.compiler.emit.names.decorators import raising
from tsc.compiler.emit.names.overloads import function_variants
from tsc.compiler.frontend.tree_views import (
    Const,
    Def,
    Expr,
    FalseLiteral,
    Ident,
    ListLiteral,
    NoneLiteral,
    Param,
    StringLiteral,
    TrueLiteral,
    TupleLiteral,
    UnaryOp,
    Var,
)
from tsc.compiler.ir import MANGLED, Function
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.live.annotations import LiveAnnotations
from tsc.runtime.live.classes import LiveClasses
from tsc.runtime.live.markers import modifier_of
from tsc.runtime.live.meanings import Meanings
from tsc.runtime.live.names import qualified_name
from tsc.runtime.live.resolver import LiveResolver
from tsc.runtime.live.scope import Scope, scope_of_function
from tsc.runtime.live.source_texts import function_tree

if TYPE_CHECKING:
    from tsc.compiler.emit.protocols import Emitter, Resolver, SugaredValue
    from tsc.compiler.source import SourceRange
    from tsc.compiler.types import Type
    from tsc.runtime.live.protocols import Names

_LITERALS = (Const, StringLiteral, TrueLiteral, FalseLiteral, NoneLiteral)


class Compilation:
    """Functions and classes of Python, compiled when they are first asked for."""

    def __init__(self, using: Toolchain) -> None:
        self.toolchain = using
        self.classes = LiveClasses(self)
        self.outside = LiveResolver(Scope({}), self)
        self._annotations = LiveAnnotations(self)
        self._meanings = Meanings(self)
        self._functions: WeakKeyDictionary[FunctionType, Function] = WeakKeyDictionary()
        self._overloads: WeakKeyDictionary[FunctionType, tuple[Function, ...]] = WeakKeyDictionary()
        self._definitions: WeakKeyDictionary[FunctionType, tuple[Def, LiveResolver]] = (
            WeakKeyDictionary()
        )

    # -- Functions -------------------------------------------------------------------------------

    def function(self, function: FunctionType) -> Function:
        """The function as the compiler knows it. Raises `NoSource` and `CompileError`."""
        function = unwrapped(function)
        known = self._functions.get(function)
        if known is None:
            definition, resolver = self.definition(function)
            if modifier_of(function) in ("unused", "_drop"):
                is_dropped = modifier_of(function) == "_drop"
                definition = raising(definition, without_result=is_dropped)
            known = self._functions[function] = self.defined(
                qualified_name(function), definition, resolver
            )
        return known

    def functions(self, function: FunctionType) -> tuple[Function, ...]:
        """What a call of the function chooses from: itself, or one for each signature that it was given."""
        function = unwrapped(function)
        if function not in self._overloads:
            name = qualified_name(function)
            noted = getattr(sys.modules.get("torch._jit_internal"), "_overloaded_fns", {})
            declared = noted.get(name, ())
            self._overloads[function] = self._variants(function, name, declared)
        return self._overloads[function] or (self.function(function),)

    def _variants(
        self, function: FunctionType, name: str, declared: Iterable[FunctionType]
    ) -> tuple[Function, ...]:
        """The function once for each signature that PyTorch's ``_overload`` noted; none if it noted none."""
        signatures = [function_tree(each) for each in declared]
        if not signatures:
            return ()
        definition, resolver = self.definition(function)
        path, _, last = name.rpartition(".")
        names = [name, *(f"{path}.{MANGLED}{i}.{last}" for i in range(len(signatures) - 1))]
        variants = function_variants(definition, signatures)
        return tuple(self.defined(n, each, resolver) for n, each in zip(names, variants))

    def definition(self, function: FunctionType) -> tuple[Def, LiveResolver]:
        """What a function's text says, with its defaults as they are, and what its names mean."""
        function = unwrapped(function)
        known = self._definitions.get(function)
        if known is None:
            known = self._definitions[function] = self._definition(function)
        return known

    def _definition(self, function: FunctionType) -> tuple[Def, LiveResolver]:
        tree = function_tree(function)
        defaults = default_values(function)
        bound = {_default_name(name): value for name, value in defaults.items()}
        params = [_with_default(param, defaults) for param in tree.decl.params]
        definition = replace(tree, decl=replace(tree.decl, params=params))
        return definition, LiveResolver(scope_of_function(function, bound), self)

    def defined(self, name: str, definition: Def, resolver: Resolver) -> Function:
        define = partial(define_function, definition, resolver, self.toolchain)
        return Function(name, define, range=definition.range, may_be_mended=True)

    def function_from(self, name: str, definition: Def, resolver: Resolver) -> Function:
        """A new function that a definition gave rise to."""
        named = replace(definition, name=Ident(definition.name.range, name))
        return self.defined(f"__torch__.{name}", named, resolver)

    # -- Names -----------------------------------------------------------------------------------

    def meaning(
        self, value: Any, name: str, emitter: Emitter, range: SourceRange, *, closed: bool = True
    ) -> SugaredValue:
        """What an object means in a program; `closed` over, it should rather be an argument."""
        return self._meanings.of(value, name, emitter, range, closed=closed)

    def type_of_annotation(
        self, annotation: Any, resolver: Names, range: SourceRange
    ) -> Type | None:
        return self._annotations.type_of(annotation, resolver, range)

    def type_of_class(self, cls: type, range: SourceRange) -> Type | None:
        """The type that a class is; None if programs cannot use it."""
        return self.classes.find(cls, range)

    def compile_class(self, cls: type, range: SourceRange) -> None:
        """Compile the methods of a class, so that all that they set and return is known."""
        self.classes.compiled(cls, range)


@functools.cache
def compilation() -> Compilation:
    """The one of this process: functions and classes are the same wherever they are used."""
    return Compilation(toolchain())


def resolver_of_names(names: Mapping[str, Any]) -> LiveResolver:
    """What names mean that are bound to objects of Python."""
    return LiveResolver(Scope(names), compilation())


def unwrapped(function: FunctionType) -> FunctionType:
    """The function in a wrapper that names it, as of ``@torch.no_grad()``: PyTorch compiles that."""
    inner = inspect.unwrap(function)
    return inner if isinstance(inner, FunctionType) else function


# -- Defaults ------------------------------------------------------------------------------------


def default_values(function: FunctionType) -> Mapping[str, Any]:
    """The defaults of parameters as they were evaluated."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def _with_default(param: Param, defaults: Mapping[str, Any]) -> Param:
    """A parameter whose default, unless it is written as a literal, is looked up by a name."""
    if param.default is None or _is_literal(param.default) or param.name not in defaults:
        return param
    range = param.default.range
    return replace(param, default=Var(range, Ident(range, _default_name(param.name))))


def _default_name(name: str) -> str:
    return f"the default of {name}"


def _is_literal(tree: Expr) -> bool:
    if isinstance(tree, UnaryOp):
        return _is_literal(tree.expr)
    if isinstance(tree, TupleLiteral | ListLiteral):
        return all(map(_is_literal, tree.inputs))
    return isinstance(tree, _LITERALS)
