"""Modules that are traced: their parameters, buffers and submodules as an object of a class without methods yet."""

from __future__ import annotations

import inspect
import io
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any, Final

from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.sugared_values.concrete_module_types import ConcreteModuleType
from tsc.compiler.ir import Function
from tsc.compiler.types import ClassType, Type
from tsc.runtime.archives.loading import load
from tsc.runtime.live.compilation import compilation
from tsc.runtime.live.markers import modifier_of
from tsc.runtime.live.modules import LiveModule
from tsc.runtime.live.names import qualified_name
from tsc.runtime.live.torch_tensors import is_torch_tensor, shared_tensor
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule, wrapped
from tsc.runtime.scripting.concrete_types import ConcreteTypes
from tsc.runtime.scripting.module_source import MethodSource, ModuleSource, PropertySource
from tsc.runtime.tracing.errors import TracingError
from tsc.runtime.tracing.graph_writer import SCOPE
from tsc.runtime.tracing.method_blocks import ROOT
from tsc.runtime.tracing.recorder import TRACED_ATTRIBUTE, Recorder
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor

_KEPT: Final = ("training", "_is_full_backward_hook")


def is_module(value: Any) -> bool:
    """Whether an object is a module: PyTorch's, or one that holds parameters and modules as PyTorch's do."""
    return (
        not isinstance(value, type)
        and hasattr(value, "named_parameters")
        and hasattr(value, "_modules")
        and hasattr(value, "_parameters")
    )


class TracedModule(ModuleSource):
    """Adapts a module: what a trace needs of it is what it holds."""

    def __init__(self, module: Any) -> None:
        self.module = module
        if getattr(module, "_backward_hooks", None):
            raise TracingError(
                f"Modules that have backward hooks cannot be traced, remove the hooks of {module}"
            )

    @property
    def identity(self) -> object:
        return self.module

    @property
    def qualified_name(self) -> str:
        return qualified_name(type(self.module))

    @property
    def container(self) -> None:
        return None

    @cached_property
    def parameters(self) -> Mapping[str, Tensor | None]:
        return _tensors(self.module._parameters)

    @cached_property
    def buffers(self) -> Mapping[str, Tensor | None]:
        return _tensors(getattr(self.module, "_buffers", {}))

    @cached_property
    def modules(self) -> Mapping[str, ModuleSource | None]:
        found: dict[str, ModuleSource | None] = {
            name: source_of(each) for name, each in self.module._modules.items() if each is not None
        }
        for name, each in vars(self.module).items():
            if isinstance(each, ScriptModule) and name not in found:
                found[name] = ScriptedModule(each)
        return found

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        return {name: vars(self.module)[name] for name in _KEPT if name in vars(self.module)}

    @cached_property
    def constants(self) -> Mapping[str, Any]:
        return {}

    def annotation(self, name: str) -> Type | None:
        return None

    def method(self, name: str) -> MethodSource | None:
        return None

    @property
    def entry_points(self) -> Sequence[str]:
        return ()

    @property
    def properties(self) -> Mapping[str, PropertySource]:
        return {}

    @property
    def pre_hooks(self) -> Sequence[MethodSource]:
        return ()

    @property
    def hooks(self) -> Sequence[MethodSource]:
        return ()

    def function(self, name: str) -> None:
        return None

    def class_member(self, name: str) -> None:
        return None


class ScriptedModule(TracedModule):
    """A module that was compiled before: it is taken as it is."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.scripted = module if isinstance(module, ScriptModule) else scripted_by_pytorch(module)

    @property
    def made(self) -> ScriptObject:
        return self.scripted.script_object


class ExportingModule(LiveModule):
    """A module with exported methods, or in one: these are compiled, beside what is traced."""

    @property
    def module(self) -> Any:
        return self._module

    @cached_property
    def modules(self) -> Mapping[str, ModuleSource | None]:
        found = self._module._modules.items()
        return {
            name: None if each is None else ExportingModule(each, self._compilation)
            for name, each in found
        }

    @property
    def entry_points(self) -> Sequence[str]:
        return _exported(self._module)

    @property
    def pre_hooks(self) -> Sequence[MethodSource]:
        return ()

    @property
    def hooks(self) -> Sequence[MethodSource]:
        return ()


Source = TracedModule | ExportingModule


def source_of(module: Any) -> Source:
    if isinstance(module, ScriptModule) or hasattr(module, "_c"):
        return ScriptedModule(module)
    if _exported(module):
        return ExportingModule(module, compilation())
    return TracedModule(module)


def _exported(module: Any) -> list[str]:
    """The methods that ``@export`` marks."""
    names = dir(type(module))
    found = [(name, inspect.getattr_static(type(module), name, None)) for name in names]
    return [
        name
        for name, each in found
        if isinstance(each, FunctionType) and modifier_of(each) == "export"
    ]


def scripted_by_pytorch(module: Any) -> ScriptModule:
    """What ``torch.jit`` compiled, by way of an archive."""
    file = io.BytesIO()
    sys.modules["torch"].jit.save(module, file)
    return load(file.getvalue())


def function_scripted_by_pytorch(function: Any) -> ScriptFunction:
    """The same for a function, which an archive has as the ``forward`` of a module."""
    method = load(function.save_to_buffer()).forward.function
    graph = method.graph.copy()
    graph.erase_input(0)
    schema = method.schema.with_arguments(method.schema.arguments[1:])
    name = str(function.qualified_name)
    return ScriptFunction(Function(name, graph=graph, schema=schema.with_name(function.name)))


def _tensors(found: Mapping[str, Any]) -> dict[str, Tensor | None]:
    made: dict[str, Tensor | None] = {}
    seen: set[int] = set()
    for name, each in found.items():
        if each is None:
            continue
        if id(each) in seen:
            raise TracingError(
                "parameter sharing between modules cannot be traced: one parameter has two names"
            )
        seen.add(id(each))
        made[name] = shared_tensor(each) if is_torch_tensor(each) else each
    return made


class _TracedTypes(ConcreteTypes):
    """Each module has a type of its own: its methods are what it was seen to do. A shared one is one object."""

    def __init__(self, toolchain: Toolchain) -> None:
        super().__init__(toolchain)
        self._objects: dict[int, ScriptObject] = {}

    def _key(self, concrete: ConcreteModuleType, module: ModuleSource) -> Hashable:
        return id(module.identity)

    def type_of(self, module: ModuleSource) -> ConcreteModuleType:
        if isinstance(module, ScriptedModule):
            return ConcreteModuleType(module.made.script_type)
        return super().type_of(module)

    def object_of(self, module: ModuleSource) -> ScriptObject:
        if isinstance(module, ScriptedModule):
            return module.made
        known = self._objects.get(id(module.identity))
        if known is None:
            known = self._objects[id(module.identity)] = super().object_of(module)
        return known


class ModulePaths(dict[Any, str]):
    """The paths of submodules. `scripted` are those that were compiled before, as they are here."""

    def __init__(self) -> None:
        super().__init__()
        self.scripted: dict[Any, ScriptModule] = {}


class ModuleTree:
    """A module and all below it, with the objects that stand for them."""

    def __init__(self, module: Any) -> None:
        types = _TracedTypes(compilation().toolchain)
        self.source = source_of(module)
        self.made = types.object_of(self.source)
        types.compile(types.type_of(self.source))
        self.paths = ModulePaths()
        self._fill_paths(self.source, ROOT)

    @property
    def script_module(self) -> ScriptModule:
        return wrapped(self.made)

    @property
    def types(self) -> list[ClassType]:
        """The classes of the modules that were not compiled before."""
        return [
            made.script_type
            for source, made, _ in self._walk()
            if not isinstance(source, ScriptedModule)
        ]

    def _fill_paths(self, source: Source, path: str) -> None:
        """A module that is there several times has its last path, but in one parent the first one."""
        children: dict[Any, tuple[str, Source]] = {}
        for name, each in _inner(source):
            children.setdefault(each.module, (name, each))
        for name, each in children.values():
            self.paths[each.module] = f"{path}.{name}"
            if isinstance(each, ScriptedModule):
                self.paths.scripted[each.module] = each.scripted
            else:
                self._fill_paths(each, f"{path}.{name}")

    def _walk(self) -> Iterator[tuple[Source, ScriptObject, str]]:
        pending = [(self.source, self.made, ROOT)]
        seen: set[int] = set()
        while pending:
            source, made, path = pending.pop()
            if id(made) in seen:
                continue
            seen.add(id(made))
            yield source, made, path
            below = [
                (each, made.script_attributes[name], f"{path}.{name}")
                for name, each in _inner(source)
            ]
            pending += reversed(below)

    def begin(self, recorder: Recorder) -> None:
        """Make ``self`` the first input, and tell the recorder what all attributes are."""
        owner = recorder.graph.add_input("self", self.made.script_type)
        self._remember(recorder, self.source, self.made, owner)
        self._add_attributes(recorder, self.source, self.made, ROOT)

    def _add_attributes(
        self, recorder: Recorder, source: Source, made: ScriptObject, path: str
    ) -> None:
        inner = dict(_inner(source))
        originals = {} if isinstance(source, ScriptedModule) else _held(source.module)
        for name, attribute in made.script_type.attributes.items():
            node = recorder.graph.create(TRACED_ATTRIBUTE).set_attribute(SCOPE, f"{path}.{name}")
            value = recorder.graph.insert_node(node).output.set_type(attribute.type)
            if name in inner:
                below = made.script_attributes[name]
                self._remember(recorder, inner[name], below, value)
                self._add_attributes(recorder, inner[name], below, f"{path}.{name}")
            elif name in originals and recorder.knows(originals[name]):
                recorder.use_again(originals[name])
            elif name in originals:
                value.set_type(recorder.library.describe(originals[name]))
                recorder.remember(originals[name], value)

    def _remember(self, recorder: Recorder, source: Source, made: ScriptObject, value: Any) -> None:
        if not recorder.knows(made):
            recorder.remember(made, value)
            recorder.remember(source.module, value)


def _inner(source: Source) -> Iterator[tuple[str, Source]]:
    if isinstance(source, ScriptedModule):
        return
    for name, each in source.modules.items():
        if isinstance(each, Source):
            yield name, each


def _held(module: Any) -> dict[str, Any]:
    tensors = {**module._parameters, **getattr(module, "_buffers", {})}
    return {name: each for name, each in tensors.items() if each is not None}
