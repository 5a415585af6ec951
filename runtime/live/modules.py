"""``torch.nn.Module`` objects of the user's PyTorch, as scripting sees them: looked at, never imported."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Final

from tsc.compiler.emit.names.overloads import method_variants
from tsc.compiler.emit.protocols import SugaredValue
from tsc.compiler.emit.sugared_values import FunctionValue
from tsc.compiler.emit.sugared_values.concrete_module_types import CONTAINERS, Container
from tsc.compiler.emit.sugared_values.module_value import ConstantValue
from tsc.compiler.emit.sugared_values.python_function import DroppedFunctionValue
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, Error
from tsc.compiler.types import Type
from tsc.runtime.live.annotations import is_final
from tsc.runtime.live.compilation import Compilation, compilation
from tsc.runtime.live.known_objects import known_path
from tsc.runtime.live.markers import modifier_of
from tsc.runtime.live.meanings import LiveFunctionValue
from tsc.runtime.live.names import qualified_name
from tsc.runtime.live.python_calls import PythonCallValue
from tsc.runtime.live.resolver import LiveResolver
from tsc.runtime.live.scope import scope_of_class
from tsc.runtime.live.source_texts import NoSource, function_tree
from tsc.runtime.live.torch_tensors import is_torch_tensor
from tsc.runtime.live.values import NoConstant, constant_of, program_value
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule, describe_methods
from tsc.runtime.scripting.module_source import MethodSource, ModuleSource, PropertySource
from tsc.runtime.scripting.script import script_module
from tsc.runtime.values.tensor import Tensor

_CONTAINER_MODULE: Final = "torch.nn.modules.container"
_OF_PYTORCH: Final = (
    *("_version", "_parameters", "_buffers", "_non_persistent_buffers_set", "_backward_hooks"),
    *("_backward_pre_hooks", "_forward_hooks", "_forward_hooks_with_kwargs"),
    *("_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs"),
    *("_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks"),
    *("_load_state_dict_post_hooks", "_modules", "_initializing", "dump_patches"),
)
"""Attributes by which PyTorch keeps a module together: no program sees them."""

_LEFT_OUT: Final = ("ignore", "unused", "_drop", "copy")


def scripted_module(module: Any) -> ScriptModule:
    """Compile a module of PyTorch and all below it; parameters and buffers share their memory.

    Raises `CompileError`, and `Error` if it is scripted already or has no source.
    """
    if hasattr(module, "_c"):
        raise Error(
            "the module was scripted by torch.jit already\nhint: give tsc.script the nn.Module "
            "itself; or save it with torch.jit.save, and load it with tsc.load"
        )
    made = script_module(LiveModule(module, compilation()), compilation().toolchain)
    describe_methods(made, {name: getattr(type(module), name, None) for name in made.methods})
    return made


class LiveModule(ModuleSource):
    """Adapts an object with ``_parameters``, ``_buffers`` and ``_modules``."""

    def __init__(self, module: Any, using: Compilation) -> None:
        self._module = module
        self._compilation = using

    @property
    def identity(self) -> object:
        return self._module

    @property
    def _class(self) -> type:
        return type(self._module)

    @property
    def qualified_name(self) -> str:
        return qualified_name(self._class)

    @property
    def container(self) -> Container | None:
        for each in self._class.__mro__:
            if each.__module__ == _CONTAINER_MODULE and each.__name__ in CONTAINERS:
                return CONTAINERS[each.__name__]
        return None

    def length(self) -> int:
        return len(self._module)

    # -- What it holds ---------------------------------------------------------------------------

    @cached_property
    def parameters(self) -> Mapping[str, Tensor | None]:
        return self._tensors(self._module._parameters)

    @cached_property
    def buffers(self) -> Mapping[str, Tensor | None]:
        return self._tensors(self._module._buffers)

    def _tensors(self, found: Mapping[str, Any]) -> Mapping[str, Tensor | None]:
        return {
            name: program_value(each, self._compilation, UNKNOWN_RANGE)
            for name, each in found.items()
            if name not in self._ignored
        }

    @cached_property
    def modules(self) -> Mapping[str, ModuleSource | None]:
        return {
            name: None if each is None else LiveModule(each, self._compilation)
            for name, each in self._module._modules.items()
            if name not in self._ignored
        }

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        return {
            name: program_value(_bare(value), self._compilation, UNKNOWN_RANGE)
            for name, value in vars(self._module).items()
            if name not in _OF_PYTORCH and not name.startswith("__") and name not in self._ignored
        }

    @property
    def _ignored(self) -> Sequence[str]:
        return getattr(self._module, "__jit_ignored_attributes__", ())

    @cached_property
    def constants(self) -> Mapping[str, Any]:
        names = list(getattr(self._module, "__constants__", ()))
        names += [name for name, each in self._annotations.items() if is_final(each)]
        found: dict[str, Any] = {}
        for name in dict.fromkeys(names):
            if hasattr(self._module, name) and name not in self._held:
                value = getattr(self._module, name)
                found[name] = program_value(value, self._compilation, UNKNOWN_RANGE)
        return found

    @property
    def _held(self) -> set[str]:
        module = self._module
        return {*module._parameters, *module._buffers, *module._modules}

    # -- Annotations -----------------------------------------------------------------------------

    @cached_property
    def _annotated_class(self) -> type | None:
        """The nearest class that annotates anything: the only one whose annotations count."""
        return next((each for each in self._class.__mro__ if inspect.get_annotations(each)), None)

    @property
    def _annotations(self) -> Mapping[str, Any]:
        owner = self._annotated_class
        return {} if owner is None else inspect.get_annotations(owner)

    def annotation(self, name: str) -> Type | None:
        owner, annotation = self._annotated_class, self._annotations.get(name)
        value = vars(self._module).get(name)
        if _is_typed(value):
            return self._type(self._class, value.type)
        if owner is None or annotation is None or is_final(annotation) or name == "forward":
            return None
        return self._type(owner, annotation)

    def _type(self, owner: type, annotation: Any) -> Type | None:
        resolver = LiveResolver(scope_of_class(owner, {}), self._compilation)
        try:
            return self._compilation.type_of_annotation(annotation, resolver, UNKNOWN_RANGE)
        except CompileError:
            return None  # annotations for Python's sake: the value tells the type

    # -- What it does ----------------------------------------------------------------------------

    def method(self, name: str) -> MethodSource | None:
        function = self._method(name)
        if function is None or modifier_of(function) in _LEFT_OUT:
            return None
        return self._source(function)

    def _method(self, name: str) -> FunctionType | None:
        """A method as Python finds it: of the module itself if it was set there, or of its class."""
        found = vars(self._module).get(name)
        if isinstance(found, MethodType) and found.__self__ is self._module:
            found = found.__func__
        else:
            found = inspect.getattr_static(self._class, name, None)
        if isinstance(found, classmethod):
            found = found.__func__  # PyTorch gives it the module, too
        return found if isinstance(found, FunctionType) else None

    def _source(self, function: FunctionType) -> MethodSource:
        return MethodSource(*self._compilation.definition(function))

    def overloads(self, name: str) -> Sequence[MethodSource]:
        """The signatures that PyTorch's ``_overload_method`` noted for a method."""
        function = self._method(name)
        noted = getattr(sys.modules.get("torch._jit_internal"), "_overloaded_methods", {})
        if function is None:
            return ()
        for owner in self._class.__mro__:
            if function in vars(owner).values():
                break
        else:
            return ()
        key = f"{function.__module__}.{function.__name__}"
        declared = noted.get(f"__torch__.{key}", noted.get(key, {})).get(owner.__name__, ())
        if not declared:
            return ()
        source = self._source(function)
        variants = method_variants(source.definition, [function_tree(each) for each in declared])
        return [MethodSource(each, source.resolver) for each in variants]

    @property
    def entry_points(self) -> Sequence[str]:
        names = ["forward"] if self._has_forward else []
        for name in dir(self._class):
            value = inspect.getattr_static(self._class, name, None)
            if isinstance(value, FunctionType) and modifier_of(value) == "export":
                names.append(name)
        return list(dict.fromkeys(names))

    @property
    def _has_forward(self) -> bool:
        """Not that of ``nn.Module`` itself, which only raises, nor one that is left to Python."""
        function = self._method("forward")
        if function is None or function.__name__ == "_forward_unimplemented":
            return False
        return modifier_of(function) not in _LEFT_OUT

    @property
    def properties(self) -> Mapping[str, PropertySource]:
        left_out = (*getattr(self._class, "__jit_unused_properties__", ()), *self._ignored)
        found: dict[str, PropertySource] = {}
        for name, value in inspect.getmembers(self._class, lambda each: type(each) is property):
            if name in left_out or modifier_of(value.fget) in _LEFT_OUT:
                continue
            setter = None if value.fset is None else self._source(value.fset)
            found[name] = PropertySource(self._source(value.fget), setter)
        return found

    @property
    def pre_hooks(self) -> Sequence[MethodSource]:
        return list(self._hooks(self._module._forward_pre_hooks))

    @property
    def hooks(self) -> Sequence[MethodSource]:
        return list(self._hooks(self._module._forward_hooks))

    def _hooks(self, hooks: Mapping[Any, Any]) -> Iterator[MethodSource]:
        for hook in hooks.values():
            if isinstance(hook, FunctionType):
                yield self._source(hook)

    def function(self, name: str) -> SugaredValue | None:
        value = vars(self._module).get(name)
        if isinstance(value, ScriptFunction):
            return FunctionValue(value.function)
        if isinstance(value, FunctionType | BuiltinFunctionType) or known_path(value) is not None:
            is_constant = isinstance(self.attributes.get(name), int | str)
            return None if is_constant else LiveFunctionValue(value, self._compilation)
        return None

    def class_member(self, name: str) -> SugaredValue | None:
        found = inspect.getattr_static(self._class, name, None)
        if isinstance(found, staticmethod):
            return LiveFunctionValue(found.__func__, self._compilation)
        if isinstance(found, FunctionType):
            return self._left_to_python(found)
        if found is None or is_torch_tensor(found):
            return None
        try:
            return ConstantValue(constant_of(found, self._compilation, UNKNOWN_RANGE))
        except NoConstant:
            return None

    def _left_to_python(self, function: FunctionType) -> SugaredValue | None:
        """A method that a decorator keeps from being compiled."""
        try:
            definition, resolver = self._compilation.definition(function)
        except NoSource:
            return None
        decl = replace(definition.decl, params=definition.decl.params[1:])
        types = resolver.types.parse_type
        if modifier_of(function) == "ignore":
            return PythonCallValue(function, decl, types, self._compilation)
        return DroppedFunctionValue(function.__name__, decl, types)


def _is_typed(value: Any) -> bool:
    """Whether a value is a ``torch.jit.Attribute``, which says the type beside it."""
    return isinstance(value, tuple) and known_path(type(value)) == "torch.jit.Attribute"


def _bare(value: Any) -> Any:
    return value.value if _is_typed(value) else value
