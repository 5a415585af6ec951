"""Modules: ``self`` in their methods, their submodules, and the containers, which are unrolled."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import cast

from tsc.compiler.emit.calls.builtin_calls import emit_function_call
from tsc.compiler.emit.construction import insert_tuple, unpack_tuple
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values import objects
from tsc.compiler.emit.sugared_values.concrete_module_types import ConcreteModuleType, Container
from tsc.compiler.emit.sugared_values.module_hints import member_hint
from tsc.compiler.emit.sugared_values.python_function import PythonFunctionValue
from tsc.compiler.emit.sugared_values.simple_value import MethodValue, SimpleValue
from tsc.compiler.emit.sugared_values.tuple_value import TupleValue, UnrolledMethod, pairs
from tsc.compiler.ir import Function, Value, constant_value
from tsc.compiler.source import SourceRange, codes, extensions
from tsc.compiler.types import NONE, ClassType, InterfaceType, TupleType, Type

_FORWARD = "forward"
_DICT_METHODS = ("keys", "values", "items")
_TRAVERSALS = ("children", "named_children", "modules", "named_modules", "named_buffers")


class ModuleValue(SugaredValue):
    """A module, of which the compiler knows more than its type says."""

    __slots__ = ("concrete", "self_value")

    def __init__(self, self_value: Value, concrete: ConcreteModuleType) -> None:
        self.self_value = self_value
        self.concrete = concrete

    @property
    def kind(self) -> str:
        return "module"

    @property
    def type(self) -> ClassType:
        return self.concrete.type

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        return self.self_value

    # -- Attributes ------------------------------------------------------------------------------

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        found = self._own(range, emitter, name) or self._of_container(range, emitter, name)
        found = found or self._method(name) or self._member(name)
        if found is not None:
            return found
        failed = self.concrete.failed.get(name)
        if failed is not None:
            raise self._refusal(
                range,
                f"Module '{self.type.name}' has no attribute '{name}' ({failed.reason})",
                code=codes.UNKNOWN_ATTRIBUTE,
                hint=failed.way_out,
            )
        known = [*self.type.attributes, *self.type.constants, *self.type.methods]
        raise self._refusal(
            range,
            f"Module '{self.type.name}' has no attribute '{name}'",
            code=codes.UNKNOWN_ATTRIBUTE,
            hint=member_hint(name, known),
        )

    def _member(self, name: str) -> SugaredValue | None:
        """What else the class has; a method left to Python gets the module."""
        member = self.concrete.find_member(name)
        if isinstance(member, PythonFunctionValue):
            return member.bound_to(self.self_value)
        return member

    def _own(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        """A submodule, a parameter, a buffer, a plain attribute, a constant, or a function."""
        type = self.type.attribute_type(name)
        if type is not None:
            value = objects.insert_get_attribute(emitter, self.self_value, name, type)
            module = self.concrete.modules.get(name)
            if module is None or isinstance(type, InterfaceType):
                return SimpleValue(value)
            return ModuleValue(value, module)
        if name in self.type.constants:
            constant = self.type.constants[name]
            return SimpleValue(_constant_of_module(emitter, constant, range))
        if name in self.type.properties:
            getter = self.type.properties[name].getter
            read = objects.call_method(range, emitter, self.self_value, getter, [], [])
            return SimpleValue(read)
        return self.concrete.functions.get(name)

    def _method(self, name: str) -> SugaredValue | None:
        known = self.type.methods.get(name)
        methods = self.concrete.find_methods(name) if known is None else (known,)
        return MethodValue(self.self_value, *methods) if methods else None

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        if objects.has_attribute(self.type, name) or name in self.concrete.functions:
            return True
        if self.concrete.find_methods(name):
            return True
        member = self.concrete.find_member(name)
        return member is not None and not isinstance(member, ConstantValue)

    def set_attribute(self, range: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        objects.set_attribute(range, emitter, self.self_value, name, value)

    # -- Calls -----------------------------------------------------------------------------------

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        forward = self._method(_FORWARD)
        if forward is None:
            raise self._refusal(
                range,
                f"Module '{self.type.name}' has no method 'forward': it cannot be called",
                code=codes.NOT_CALLABLE,
                hint="loop over it, or index it, if it is a container",
            )
        if not self.type.forward_pre_hooks and not self.concrete.type.forward_hooks:
            return forward.call(range, emitter, args, kwargs, binders)
        return self._call_with_hooks(range, emitter, forward, args, kwargs)

    def _call_with_hooks(
        self,
        range: SourceRange,
        emitter: Emitter,
        forward: SugaredValue,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
    ) -> SugaredValue:
        """A hook before may replace the arguments, which it sees as a tuple; one after, the result."""
        given = insert_tuple(emitter.graph, [each.value for each in args])
        is_replaced = False
        for name in self.type.forward_pre_hooks:
            changed = self._hook(range, emitter, name, [given])
            if changed.type == NONE:
                continue
            if not isinstance(changed.type, TupleType):
                changed = insert_tuple(emitter.graph, [changed])
            given, is_replaced = changed, True
        if is_replaced:
            args = [NamedValue(part, range) for part in unpack_tuple(emitter.graph, given)]
        result = forward.call(range, emitter, args, kwargs, 1).as_value(range, emitter)
        for name in self.type.forward_hooks:
            changed = self._hook(range, emitter, name, [given, result])
            result = result if changed.type == NONE else changed
        return SimpleValue(result)

    def _hook(
        self, range: SourceRange, emitter: Emitter, name: str, values: Sequence[Value]
    ) -> Value:
        """A hook is called as a function of the module."""
        hook = self.type.methods[name]
        assert isinstance(hook, Function)
        args = [NamedValue(value, range) for value in (self.self_value, *values)]
        return emit_function_call(range, emitter, [hook], args, [])

    # -- Containers ------------------------------------------------------------------------------

    @property
    def _keys(self) -> tuple[str, ...]:
        return self.concrete.elements

    def _elements(self, range: SourceRange, emitter: Emitter) -> list[SugaredValue]:
        found: list[SugaredValue] = []
        for name in self._keys:
            element = self._own(range, emitter, name)
            assert element is not None
            found.append(element)
        return found

    def _names(self, range: SourceRange, emitter: Emitter) -> list[SugaredValue]:
        insert = emitter.graph.insert_constant
        return [SimpleValue(insert(name, range=range)) for name in self._keys]

    def _of_container(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        """A method that the compiler carries out itself: ``items()``, ``children()``."""
        if self._has_keys and name in _DICT_METHODS:
            self._note_dict_of_parameters(range, emitter)
            return UnrolledMethod(self._listed(range, emitter, name))
        if name in _TRAVERSALS:
            return UnrolledMethod(_traversed(range, emitter, self, name))
        return None

    def _listed(self, range: SourceRange, emitter: Emitter, name: str) -> TupleValue:
        if name == "keys":
            return TupleValue(self._names(range, emitter))
        if name == "values":
            return TupleValue(self._elements(range, emitter))
        return pairs(self._names(range, emitter), self._elements(range, emitter))

    def as_tuple(
        self, range: SourceRange, emitter: Emitter, size_hint: int | None = None
    ) -> list[SugaredValue]:
        if self.concrete.container is None:
            return super().as_tuple(range, emitter, size_hint)
        objects.use_as_container(emitter, range, "module cannot be used as a tuple")
        return self._members(range, emitter)

    def as_tuple_value(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        return TupleValue(self.as_tuple(range, emitter))

    def _members(self, range: SourceRange, emitter: Emitter) -> list[SugaredValue]:
        """What a loop over a container meets: the keys of a dict, the elements of what else there is."""
        if self._has_keys:
            return self._names(range, emitter)
        return self._elements(range, emitter)

    @property
    def _has_keys(self) -> bool:
        return self.concrete.container is not None and self.concrete.container.has_keys

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        if self.concrete.container is None:
            raise self._refusal(
                range,
                "Only constant Sequential, ModuleList, ModuleDict, or ParameterList can be used "
                "as an iterable",
                code=codes.NOT_ITERABLE,
            )
        self._note_dict_of_parameters(range, emitter)
        return TupleValue(self._members(range, emitter))

    def _note_dict_of_parameters(self, range: SourceRange, emitter: Emitter) -> None:
        if self.concrete.container is Container.PARAMETER_DICT:
            objects.use_as_container(
                emitter, range, "a ParameterDict can only be indexed by literal keys"
            )

    def get_item(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        container = self.concrete.container
        if container is None:
            raise self._refusal(
                range,
                f"'{self.type.message_text}' object is not subscriptable",
                code=codes.NOT_SUBSCRIPTABLE,
            )
        if container.has_keys:
            return self._value_of_key(range, emitter, index, type_hint)
        if isinstance(constant_value(index), int):
            return TupleValue(self._elements(range, emitter)).get_item(range, emitter, index)
        return self._any_element(range, emitter, index, type_hint, "integer literals")

    def _value_of_key(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None
    ) -> SugaredValue:
        key = constant_value(index)
        if not isinstance(key, str):
            return self._any_element(range, emitter, index, type_hint, "string literals")
        if key not in self._keys:
            raise self._refusal(
                range, f"Key Error, {key}", code=codes.UNKNOWN_ATTRIBUTE, hint=self._key_hint(key)
            )
        found = self._own(range, emitter, key)
        assert found is not None
        return found

    def _key_hint(self, key: str) -> str | None:
        similar = get_close_matches(key, self._keys, 1)
        return f"did you mean '{similar[0]}'?" if similar else None

    def _any_element(
        self,
        range: SourceRange,
        emitter: Emitter,
        index: Value,
        type_hint: Type | None,
        literals: str,
    ) -> SugaredValue:
        """An element that is only known when the program runs: all of them share an interface."""
        if not isinstance(type_hint, InterfaceType):
            raise self._refusal(
                range,
                f"{self.type.name} indexing is only supported with {literals}",
                code=codes.INVALID_TUPLE_INDEX,
                hint="enumeration is supported, e.g. 'for index, v in enumerate(self): ...'; or "
                "annotate the variable with an interface that all elements have",
            )
        for name in self._keys:
            element = self.type.attributes[name].type
            if not element.is_subtype_of(type_hint):
                raise self._refusal(
                    range,
                    f"Attribute {name} is not of annotated type {type_hint.message_text}",
                    code=codes.ANNOTATION_MISMATCH,
                )
        found = objects.index_modules(range, emitter, self.self_value, index, type_hint)
        return SimpleValue(found)

    def slice(self, range: SourceRange, emitter: Emitter, bounds: slice) -> SugaredValue:
        """``self.layers[a:b]``, whose bounds are constants."""
        if self.concrete.container not in (Container.LIST, Container.SEQUENTIAL):
            raise self._refusal(
                range, f"'{self.type.name}' has no slices", code=codes.NOT_SUBSCRIPTABLE
            )
        elements = self._elements(range, emitter)[bounds]
        if not emitter.acceptance.allows(extensions.MODULE_CONTAINERS, range):
            elements = [SimpleValue(each.as_value(range, emitter)) for each in elements]
        return TupleValue(elements)


class ConstantValue(SugaredValue):
    """A constant in the body of a module's class."""

    __slots__ = ("constant",)

    def __init__(self, constant: object) -> None:
        self.constant = constant

    @property
    def kind(self) -> str:
        return "constant"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        refusal = "a constant in the body of a module's class is no attribute of the module"
        emitter.acceptance.use(extensions.CLASS_CONSTANTS, range, refusal)
        return emitter.graph.insert_constant(self.constant, range=range)


def _traversed(range: SourceRange, emitter: Emitter, module: ModuleValue, name: str) -> TupleValue:
    """What ``children()`` and ``modules()`` give, with or without names."""
    if name == "named_buffers":
        own = [each.name for each in module.type.attributes.values() if each.is_buffer]
        found = [(each, module.attribute(range, emitter, each)) for each in own]
    elif name.endswith("children"):
        found = list(_children(range, emitter, module))
    else:
        found = list(_descendants(range, emitter, module, ""))
    values: list[SugaredValue] = [value for _, value in found]
    if not name.startswith("named_"):
        return TupleValue(values)
    insert = emitter.graph.insert_constant
    return pairs([SimpleValue(insert(path, range=range)) for path, _ in found], values)


def _children(
    range: SourceRange, emitter: Emitter, module: ModuleValue
) -> list[tuple[str, ModuleValue]]:
    found: list[tuple[str, ModuleValue]] = []
    for name in module.concrete.modules:
        child = module.attribute(range, emitter, name)
        if isinstance(child, ModuleValue):
            found.append((name, child))
    return found


def _descendants(
    range: SourceRange, emitter: Emitter, module: ModuleValue, path: str
) -> list[tuple[str, ModuleValue]]:
    found = [(path, module)]
    for name, child in _children(range, emitter, module):
        found += _descendants(range, emitter, child, f"{path}.{name}" if path else name)
    return found


def _constant_of_module(emitter: Emitter, constant: object, range: SourceRange) -> Value:
    """A constant; a tuple is made of constants, as PyTorch makes it, which decides their order in the graph."""
    if type(constant) is not tuple:
        return emitter.graph.insert_constant(constant, range=range)
    elements = cast("tuple[object, ...]", constant)
    return insert_tuple(
        emitter.graph, [_constant_of_module(emitter, each, range) for each in elements]
    )
