"""Modules of evaluated source files, as scripting sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import index
from typing import Any, Final

from tsc.compiler.emit.names.decorators import (
    Role,
    as_compiled,
    decorator_path,
    role_of,
    without_kind,
)
from tsc.compiler.emit.names.overloads import method_variants
from tsc.compiler.emit.protocols import Emitter, Resolver, SugaredValue
from tsc.compiler.emit.sugared_values import BuiltinFunction, FunctionValue, NamespaceValue
from tsc.compiler.emit.sugared_values.concrete_module_types import CONTAINERS, Container
from tsc.compiler.emit.sugared_values.deferred_function import DeferredFunction
from tsc.compiler.emit.sugared_values.module_value import ConstantValue
from tsc.compiler.emit.sugared_values.python_function import python_function
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.tree_views import ClassDef, Def, Expr, Subscript
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, SourceRange, codes
from tsc.compiler.types import Type
from tsc.runtime.construction.construct import Construction
from tsc.runtime.construction.namespaces import PATHS, member
from tsc.runtime.construction.torch_functions import operator_function
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import (
    FunctionObject,
    NativeFunction,
    PropertyObject,
    StaticMethod,
)
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.construction.values.protocol import MISSING
from tsc.runtime.scripting.attribute_types import attribute_types
from tsc.runtime.scripting.evaluated_objects import program_value
from tsc.runtime.scripting.module_source import MethodSource, ModuleSource, PropertySource
from tsc.runtime.values.tensor import Tensor

_CONTAINER_MODULE: Final = "__torch__.torch.nn.modules.container"
_EXPORTS: Final = (
    *("torch.jit.export", "torch._jit_internal.export", "tsc.export"),
    "torch.jit.script_method",
)
_FINALS: Final = ("Final", "typing.Final", "typing_extensions.Final", "torch.jit.Final")
_LIBRARY: Final = ("torch.nn.functional", "torch.functional", "torch")


class EvaluatedModule(ModuleSource):
    """Adapts a `ModuleInstance`. `construction` is what it was made by.

    Raises `CompileError` for one whose class keeps ``nn.Module.__init__`` from being called.
    """

    def __init__(self, instance: ModuleInstance, construction: Construction) -> None:
        if not instance.initialized:
            raise _not_initialized(instance.cls)
        self._instance = instance
        self._construction = construction

    @property
    def identity(self) -> object:
        return self._instance

    @property
    def _class(self) -> ClassObject:
        return self._instance.cls

    @property
    def qualified_name(self) -> str:
        return self._class.qualified_name

    @property
    def container(self) -> Container | None:
        for each in self._class.mro:
            module, _, name = each.qualified_name.rpartition(".")
            if module == _CONTAINER_MODULE and name in CONTAINERS:
                return CONTAINERS[name]
        return None

    def length(self) -> int:
        evaluator = self._construction.evaluator
        with evaluator.running():
            return index(evaluator.length(self._instance))

    # -- What it holds ---------------------------------------------------------------------------

    @cached_property
    def parameters(self) -> Mapping[str, Tensor | None]:
        return self._instance.parameters

    @cached_property
    def buffers(self) -> Mapping[str, Tensor | None]:
        return self._instance.buffers

    @cached_property
    def modules(self) -> Mapping[str, ModuleSource | None]:
        return {
            name: None
            if each is None
            else EvaluatedModule(self._checked(name, each), self._construction)
            for name, each in self._instance.modules.items()
        }

    def _checked(self, name: str, submodule: object) -> ModuleInstance:
        """Whoever changes ``_modules`` itself may put anything there. Raises `CompileError`."""
        if isinstance(submodule, ModuleInstance):
            return submodule
        raise CompileError(
            f"'{name}' of module '{self._instance.cls.name}' is no module",
            UNKNOWN_RANGE,
            code=codes.INVALID_CLASS,
            hint="assign submodules as attributes, or use add_module",
        )

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        first = {"training": self._instance.training, "_is_full_backward_hook": None}
        own = self._instance.attributes.items()
        return first | {name: program_value(value) for name, value in own}

    @cached_property
    def constants(self) -> Mapping[str, Any]:
        names = list(getattr(self._class, "constants", ()))
        names += [name for name, tree in self._annotations.items() if self._is_final(tree)]
        found: dict[str, Any] = {}
        for name in dict.fromkeys(names):
            value = self._instance.attributes.get(name, self._class.find(name))
            if value is not MISSING:
                found[name] = value
        return found

    # -- Annotations -----------------------------------------------------------------------------

    @cached_property
    def _annotated_class(self) -> ClassObject | None:
        """The nearest class that annotates anything: the only one whose annotations count."""
        return next((each for each in self._class.mro if each.annotations), None)

    @property
    def _annotations(self) -> Mapping[str, Expr]:
        owner = self._annotated_class
        return {} if owner is None else owner.annotations

    def _is_final(self, tree: Expr) -> bool:
        named = tree.value if isinstance(tree, Subscript) else tree
        owner = self._annotated_class
        if owner is None or owner.resolver is None:
            return False
        return owner.resolver.names.path_of(named) in _FINALS

    @cached_property
    def _attribute_types(self) -> Mapping[str, tuple[ClassObject, Expr]]:
        """The types that ``torch.jit.Attribute`` gives, of the nearest class that gives one."""
        found: dict[str, tuple[ClassObject, Expr]] = {}
        for each in self._class.mro[::-1]:
            if each.definition is not None and each.resolver is not None:
                types = attribute_types(each.definition, each.resolver.names)
                found |= {name: (each, tree) for name, tree in types.items()}
        return found

    def annotation(self, name: str) -> Type | None:
        given = self._annotated_class, self._annotations.get(name)
        owner, tree = self._attribute_types.get(name, given)
        if tree is None or owner is None or owner.resolver is None or self._is_final(tree):
            return None
        resolver = owner.resolver
        types = ScriptTypeParser(resolver.resolve_type, resolver.qualified_name)
        try:
            return types.parse_type(tree)
        except CompileError:
            return None  # annotations for Python's sake: the value tells the type

    # -- What it does ----------------------------------------------------------------------------

    def method(self, name: str) -> MethodSource | None:
        function = self._class.method(name)
        if function is None or isinstance(self._class.find(name), StaticMethod):
            return None
        return _source_of(function) if self._is_compiled(name) else None

    def overloads(self, name: str) -> Sequence[MethodSource]:
        function = self._class.method(name)
        owner = None if function is None else function.owner
        source = _source_of(function)
        if source is None or owner is None or not isinstance(owner.definition, ClassDef):
            return ()
        names = owner.resolver.names
        declared = [
            each
            for each in owner.definition.body
            if isinstance(each, Def)
            and each.name.name == name
            and role_of(each, names) is Role.OVERLOAD
        ]
        variants = method_variants(source.definition, declared)
        return [MethodSource(each, source.resolver) for each in variants]

    @property
    def entry_points(self) -> Sequence[str]:
        names = ["forward"]
        for each in reversed(self._class.mro):
            names += [name for name, value in each.attributes.items() if _is_exported(value)]
        return [name for name in dict.fromkeys(names) if self._is_compiled(name)]

    def _is_compiled(self, name: str) -> bool:
        function = self._class.method(name)
        if function is None:
            return name == "forward" and self.container is Container.SEQUENTIAL
        definition = function.definition
        if not isinstance(definition, Def):
            return False
        return role_of(definition, function.scope.resolver.names) is Role.COMPILED

    @property
    def properties(self) -> Mapping[str, PropertySource]:
        found: dict[str, PropertySource] = {}
        unused = self._class.find("__jit_unused_properties__")
        left_out = unused if isinstance(unused, list | tuple) else ()
        for each in reversed(self._class.mro):
            for name, value in each.attributes.items():
                getter = _source_of(value.getter) if isinstance(value, PropertyObject) else None
                if getter is not None and name not in left_out and _is_taken(getter):
                    found[name] = PropertySource(getter, _source_of(value.setter))
        return dict(sorted(found.items()))

    @property
    def pre_hooks(self) -> Sequence[MethodSource]:
        return list(_sources_of_hooks(self._instance.forward_pre_hooks))

    @property
    def hooks(self) -> Sequence[MethodSource]:
        return list(_sources_of_hooks(self._instance.forward_hooks))

    def function(self, name: str) -> SugaredValue | None:
        value = self._instance.attributes.get(name)
        if isinstance(value, FunctionObject):
            return self._compiled(value)
        return self._known(value) if isinstance(value, NativeFunction) else None

    def _compiled(self, function: FunctionObject) -> SugaredValue | None:
        source = _source_of(function)
        if source is None:
            return None
        resolver = function.scope.resolver
        if source.resolver is resolver:
            return FunctionValue(resolver.static_method(source.definition))
        return FunctionValue(resolver.derived(source.definition, source.resolver))

    def _known(self, function: NativeFunction) -> SugaredValue | None:
        """A function of torch or ``math`` by the object that stands for it."""
        evaluator = self._construction.evaluator
        for module in (*_LIBRARY, function.path.rpartition(".")[0]):
            if module in PATHS and member(evaluator, module, function.name) is function:
                namespace = NamespaceValue(module, evaluator.toolchain.library)
                return _Member(namespace, function.name)
        if operator_function(function.name) is function:
            return BuiltinFunction(f"aten::{function.name}")
        return None

    def class_member(self, name: str) -> SugaredValue | None:
        value = self._class.find(name)
        if isinstance(value, StaticMethod) and isinstance(value.function, FunctionObject):
            return self._compiled(value.function)
        if isinstance(value, FunctionObject):
            return _left_to_python(value)
        return ConstantValue(value) if isinstance(value, bool | int | float | str) else None


class _Member(DeferredFunction):
    """A function of a module that tsc knows."""

    __slots__ = ("name", "namespace")

    def __init__(self, namespace: NamespaceValue, name: str) -> None:
        self.namespace = namespace
        self.name = name

    def meaning(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        return self.namespace.attribute(range, emitter, self.name)


def _left_to_python(function: FunctionObject) -> SugaredValue | None:
    """A method that ``@torch.jit.ignore`` or ``@torch.jit.unused`` keeps from being compiled."""
    definition = function.definition
    if not isinstance(definition, Def):
        return None
    resolver = function.scope.resolver
    types = ScriptTypeParser(resolver.resolve_type, resolver.qualified_name)
    decl = replace(definition.decl, params=definition.decl.params[1:])
    is_ignored = role_of(definition, resolver.names) is Role.LEFT_TO_PYTHON
    return python_function(function.name, decl, types.parse_type, is_ignored=is_ignored)


def _source_of(function: Any) -> MethodSource | None:
    if not isinstance(function, FunctionObject) or not isinstance(function.definition, Def):
        return None
    resolver: Resolver = function.scope.resolver
    definition = as_compiled(without_kind(function.definition), function.scope.resolver.names)
    return MethodSource(definition, resolver)


def _not_initialized(cls: ClassObject) -> CompileError:
    definition = cls.definition
    return CompileError(
        f"module '{cls.name}' has not been initialized, did you forget to call 'super().__init__()'?",
        definition.name.range if isinstance(definition, ClassDef) else UNKNOWN_RANGE,
        code=codes.CONSTRUCTOR_FAILS,
        hint="call it first in its own __init__",
    )


def _is_exported(value: Any) -> bool:
    if not isinstance(value, FunctionObject) or not isinstance(value.definition, Def):
        return False
    names = value.scope.resolver.names
    return any(decorator_path(each, names) in _EXPORTS for each in value.definition.decorators)


def _is_taken(getter: MethodSource) -> bool:
    """Whether a property is not left to Python by a decorator."""
    names = getattr(getter.resolver, "names", None)
    return names is None or role_of(getter.definition, names) is Role.COMPILED


def _sources_of_hooks(hooks: Sequence[Any]) -> Iterator[MethodSource]:
    for hook in hooks:
        source = _source_of(hook.function)
        if source is not None:
            yield source
        elif isinstance(hook.function, FunctionObject):
            raise CompileError(
                "a hook that is a lambda cannot be compiled",
                hook.function.definition.range,
                code=codes.INVALID_CLASS,
                hint="write it as a function, `def hook(self, input: Tuple[Tensor], output: Tensor)`",
            )
