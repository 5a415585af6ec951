"""From modules to their types: attributes inferred from values, methods declared, types shared.

Modules whose attributes, constants and submodules have the same types share one type, as in PyTorch;
a class of which there are several types has them told apart by ``___torch_mangle_0`` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, cast

from tsc.compiler.budget import charge_nodes
from tsc.compiler.compile import Toolchain, define_function
from tsc.compiler.emit.classes.script_classes import as_method
from tsc.compiler.emit.protocols import Resolver, SugaredValue
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.emit.sugared_values.bound_resolver import BoundResolver
from tsc.compiler.emit.sugared_values.concrete_module_types import (
    ConcreteModuleType,
    Container,
    FailedAttribute,
)
from tsc.compiler.emit.sugared_values.module_value import ModuleValue
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import Def
from tsc.compiler.ir import MANGLED, Function, Value
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, Source, codes
from tsc.compiler.types import (
    NONE,
    TENSOR,
    ClassAttribute,
    ClassProperty,
    ClassType,
    InterfaceType,
    TupleType,
    Type,
)
from tsc.runtime.python_api.ivalue import converter, inferred
from tsc.runtime.scripting.hook_checks import check_hooks, check_pre_hook
from tsc.runtime.scripting.module_source import MethodSource, ModuleSource
from tsc.runtime.scripting.strictness import check_scripted_by_pytorch
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.value_types import Mismatch

Define = Callable[[Def, Resolver, Toolchain, Function], None]

_SEQUENTIAL_FORWARD = """
def forward(self, input):
    for module in self:
        input = module(input)
    return input
"""


class MethodResolver(BoundResolver):
    """The resolver of a method of a module: its ``self`` is more than a value."""

    __slots__ = ("concrete",)

    def __init__(self, base: Resolver, concrete: ConcreteModuleType) -> None:
        super().__init__(base, {})
        self.concrete = concrete

    def sugared_self(self, value: Value) -> SugaredValue | None:
        return ModuleValue(value, self.concrete) if value.type is self.concrete.type else None


class ConcreteTypes:
    """The types of all modules of one compilation, and the objects that they become.

    `define` compiles a method when it is needed.
    """

    def __init__(self, toolchain: Toolchain, define: Define = define_function) -> None:
        self._toolchain = toolchain
        self._define = define
        self._shared: dict[Hashable, ConcreteModuleType] = {}
        self._types: dict[int, ConcreteModuleType] = {}
        self._names: set[str] = set()
        self._mangled = 0

    # -- Types -----------------------------------------------------------------------------------

    def type_of(self, module: ModuleSource) -> ConcreteModuleType:
        """The type of a module, with all of its methods declared."""
        known = self._types.get(id(module.identity))
        if known is None:
            known = self._types[id(module.identity)] = self._inferred(module)
        return known

    def _inferred(self, module: ModuleSource) -> ConcreteModuleType:
        if self._toolchain.strict:
            check_scripted_by_pytorch(module)
        concrete = ConcreteModuleType(ClassType(module.qualified_name, is_module=True))
        concrete.container = module.container
        self._add_attributes(concrete, module)
        key = self._key(concrete, module)
        shared = self._shared.get(key)
        if shared is not None:
            return shared
        concrete.type.qualified_name = self._unused_name(module.qualified_name)
        self._shared[key] = concrete
        self._declare_methods(concrete, module)
        return concrete

    def _unused_name(self, name: str) -> str:
        path, _, last = name.rpartition(".")
        while name in self._names:
            name = f"{path}.{MANGLED}{self._mangled}.{last}"
            self._mangled += 1
        self._names.add(name)
        return name

    def _key(self, concrete: ConcreteModuleType, module: ModuleSource) -> Hashable:
        """What two modules of the same type have in common."""
        type = concrete.type
        functions = tuple((name, module.attributes.get(name)) for name in concrete.functions)
        return (
            type.qualified_name,
            tuple(type.attributes.values()),
            tuple((name, repr(value)) for name, value in type.constants.items()),
            tuple(concrete.modules.items()),
            tuple(concrete.failed),
            concrete.container,
            tuple((name, id(value)) for name, value in functions),
            tuple(id(each.definition) for each in (*module.pre_hooks, *module.hooks)),
        )

    # -- Attributes ------------------------------------------------------------------------------

    def _add_attributes(self, concrete: ConcreteModuleType, module: ModuleSource) -> None:
        type = concrete.type
        for name, value in module.parameters.items():
            own = _type_of_tensor(module, name, value)
            type.add_attribute(ClassAttribute(name, own, is_parameter=True))
        for name, value in module.buffers.items():
            own = _type_of_tensor(module, name, value)
            type.add_attribute(ClassAttribute(name, own, is_buffer=True))
        for name, submodule in module.modules.items():
            if submodule is None:
                type.add_attribute(ClassAttribute(name, module.annotation(name) or NONE))
            else:
                concrete.modules[name] = self.type_of(submodule)
        self._add_constants(concrete, module.constants)
        for name, value in module.attributes.items():
            if name not in type.attributes and name not in type.constants:
                self._add_plain_attribute(concrete, module, name, value)
        for name, submodule in concrete.modules.items():
            declared = module.annotation(name)
            own = declared if isinstance(declared, InterfaceType) else submodule.type
            type.add_attribute(ClassAttribute(name, own))

    def _add_constants(self, concrete: ConcreteModuleType, constants: Mapping[str, Any]) -> None:
        known = (*concrete.type.attributes, *concrete.modules)
        for name, value in constants.items():
            if name not in known:
                is_plain = self._toolchain.strict and isinstance(value, tuple)
                value = list(value) if is_plain else value  # PyTorch forgets the names of fields
                concrete.type.constants[name] = _as_constant(name, value, concrete.type)

    def _add_plain_attribute(
        self, concrete: ConcreteModuleType, module: ModuleSource, name: str, value: Any
    ) -> None:
        function = module.function(name)
        if function is not None:
            concrete.functions[name] = function
            return
        declared = module.annotation(name)
        try:
            own = declared or self._inferred_type(value)
        except Mismatch as reason:
            why = f"it has no type in TorchScript: {reason}"
            concrete.failed[name] = FailedAttribute(why, _way_out(name, value))
            return
        concrete.type.add_attribute(ClassAttribute(name, own))

    def _inferred_type(self, value: Any) -> Type:
        """PyTorch knows no names of a tuple that nobody annotated."""
        type = inferred(value)[1]
        return _without_names(type) if self._toolchain.strict else type

    # -- Methods ---------------------------------------------------------------------------------

    def _declare_methods(self, concrete: ConcreteModuleType, module: ModuleSource) -> None:
        type = concrete.type
        concrete.find_methods = partial(self._find_methods, concrete, module)
        concrete.find_member = module.class_member
        for name, each in module.properties.items():
            getter = self._declare(concrete, f"__{name}_getter", each.getter)
            setter = each.setter and self._declare(concrete, f"__{name}_setter", each.setter)
            type.properties[name] = ClassProperty(getter, setter)
        for name in module.entry_points:
            concrete.find_methods(name)
        for hook in module.pre_hooks:
            check_pre_hook(hook)
        type.forward_pre_hooks = self._declare_hooks(concrete, module.pre_hooks)
        type.forward_hooks = self._declare_hooks(concrete, module.hooks)
        self._declare_methods_of_container(concrete, module)

    def _declare_hooks(
        self, concrete: ConcreteModuleType, hooks: Sequence[MethodSource]
    ) -> tuple[str, ...]:
        names: list[str] = []
        for hook in hooks:
            name = hook.definition.name.name
            if name not in concrete.type.methods:
                self._declare(concrete, name, hook)
            names.append(name)
        return tuple(names)

    def _find_methods(
        self, concrete: ConcreteModuleType, module: ModuleSource, name: str
    ) -> Sequence[Function]:
        """A method by its name, or all its overloads, declared if they are not yet."""
        overloads = module.overloads(name)
        if not overloads:
            method = self._find_method(concrete, module, name)
            return () if method is None else (method,)
        known = concrete.type.methods
        named = [(each.definition.name.name, each) for each in overloads]
        return [
            cast("Function", known.get(name)) or self._declare(concrete, name, each)
            for name, each in named
        ]

    def _find_method(
        self, concrete: ConcreteModuleType, module: ModuleSource, name: str
    ) -> Function | None:
        known = concrete.type.methods.get(name)
        if isinstance(known, Function):
            return known
        source = module.method(name)
        if source is None and name == "forward" and concrete.container is Container.SEQUENTIAL:
            source = MethodSource(_definition(_SEQUENTIAL_FORWARD), _no_names())
        return None if source is None else self._declare(concrete, name, source)

    def _declare(self, concrete: ConcreteModuleType, name: str, source: MethodSource) -> Function:
        definition = as_method(source.definition, name, concrete.type)
        resolver = MethodResolver(source.resolver, concrete)
        define = partial(self._define, definition, resolver, self._toolchain)
        qualified_name = f"{concrete.type.qualified_name}.{name}"
        function = Function(qualified_name, define, range=definition.range)
        concrete.type.methods[name] = function
        return function

    def _declare_methods_of_container(
        self, concrete: ConcreteModuleType, module: ModuleSource
    ) -> None:
        """``len`` and ``in``: PyTorch's archives have them as methods."""
        container = concrete.container
        if container is None or container.holds_parameters:
            return
        text = f"def __len__(self) -> int:\n    return {module.length()}\n"
        self._declare(concrete, "__len__", MethodSource(_definition(text), _no_names()))
        if container.has_keys:
            keys = ", ".join(f"{name!r}" for name in concrete.elements)
            test = f"key in [{keys}]" if keys else "False"
            text = f"def __contains__(self, key: str) -> bool:\n    return {test}\n"
            self._declare(concrete, "__contains__", MethodSource(_definition(text), _no_names()))

    def compile(self, concrete: ConcreteModuleType) -> None:
        """Compile all methods of a type, those of its submodules first."""
        for each in self._types_below(concrete):
            for method in _methods(each):
                method.ensure_defined()
            check_hooks(each.type)

    def methods_below(self, concrete: ConcreteModuleType) -> Iterator[Function]:
        """All methods of a type, those of its submodules first."""
        for each in self._types_below(concrete):
            yield from _methods(each)

    def _types_below(self, concrete: ConcreteModuleType) -> Iterator[ConcreteModuleType]:
        """A type behind those of its submodules."""
        pending = [(concrete, False)]
        seen: set[ConcreteModuleType] = set()
        while pending:
            current, is_next = pending.pop()
            if is_next:
                yield current
            elif current not in seen:
                seen.add(current)
                pending.append((current, True))
                pending += [(each, False) for each in reversed(current.modules.values())]

    # -- Objects ---------------------------------------------------------------------------------

    def object_of(self, module: ModuleSource) -> ScriptObject:
        """The module as an object of its type. A shared submodule becomes several objects that share tensors."""
        type = self.type_of(module).type
        charge_nodes(1)
        made = ScriptObject(type)
        values: dict[str, Any] = {**module.attributes, **module.buffers, **module.parameters}
        for name in type.attributes:
            if name in module.modules:
                submodule = module.modules[name]
                value = None if submodule is None else self.object_of(submodule)
            else:
                value = _converted(values.get(name), name, type)
            made.script_attributes[name] = value
        return made


def _converted(value: Any, name: str, type: ClassType) -> Any:
    """What a program gets for the value of an attribute. Raises `CompileError` if it is of another type."""
    wanted = type.attributes[name].type
    try:
        return converter(wanted)(value)
    except Mismatch as problem:
        raise CompileError(
            f"'{name}' of module '{type.name}' cannot be a {wanted.annotation}: {problem}",
            UNKNOWN_RANGE,
            code=codes.INVALID_CLASS,
            hint="what is annotated or registered has to be of the type that is said",
        ) from None


def _methods(concrete: ConcreteModuleType) -> Iterator[Function]:
    for method in list(concrete.type.methods.values()):
        assert isinstance(method, Function)
        yield method


def _without_names(type: Type) -> Type:
    if type.contained:
        type = type.with_contained([_without_names(each) for each in type.contained])
    return TupleType(type.elements) if isinstance(type, TupleType) else type


def _type_of_tensor(module: ModuleSource, name: str, value: Tensor | None) -> Type:
    return module.annotation(name) or (NONE if value is None else TENSOR)


def _as_constant(name: str, value: Any, type: ClassType) -> object:
    """The value of a ``Final``: lists become tuples."""
    if isinstance(value, list | tuple) and not hasattr(value, "script_type"):
        return tuple([_as_constant(name, item, type) for item in value])
    try:
        return inferred(value)[0]
    except Mismatch:
        raise CompileError(
            f"'{name}' of module '{type.name}' is no constant: it is a {value.__class__.__name__}",
            UNKNOWN_RANGE,
            code=codes.INVALID_CLASS,
            hint="constants are numbers, strings, dtypes, devices, None, and tuples of them",
        ) from None


@cache
def _no_names() -> Resolver:
    """The resolver of a text without names of its own."""
    return SourceResolver(parse_source(Source("", "<container>")), {}, lambda _name: None)


def _definition(text: str) -> Def:
    (definition,) = parse_source(Source(text.lstrip(), "<container>")).definitions
    return definition


def _way_out(name: str, value: Any) -> str | None:
    """What to write in place of an attribute whose value has no type."""
    if value in ([], {}):
        type = "List[Tensor]" if isinstance(value, list) else "Dict[str, Tensor]"
        return f"annotate it in the class, above __init__, as in `{name}: {type}`"
    if isinstance(value, list | dict):
        return _way_out_of_modules(name, value)
    if _can_be_called(value):
        return f"write a method, as in `def {name}(self, x): ...`"
    return "keep what forward needs of it in attributes of their own"


def _way_out_of_modules(name: str, value: list[Any] | dict[Any, Any]) -> str | None:
    """A plain list of layers is none of the module's children."""
    is_list = isinstance(value, list)
    first = value[0] if is_list else next(iter(value.values()))
    if not _can_be_called(first):
        return None
    container = "nn.ModuleList([...])" if is_list else "nn.ModuleDict({...})"
    return f"put the layers into a container, as in `self.{name} = {container}`"


def _can_be_called(value: Any) -> bool:
    """Whether it is a layer or a function: one of Python, or one of a source text."""
    return callable(value) or hasattr(value, "call")
