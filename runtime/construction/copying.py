"""``copy.copy`` and ``copy.deepcopy`` of the values of a program."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from tsc.runtime.construction.values import (
    BoundMethod,
    Buffer,
    Hook,
    InstanceObject,
    ModuleInstance,
    Parameter,
    PartialObject,
)
from tsc.runtime.values.tensor import Tensor


def deep_copy(value: Any, known: dict[int, Any] | None = None) -> Any:
    """A copy that shares nothing but classes and functions; what was one object stays one."""
    known = {} if known is None else known
    if id(value) not in known:
        known[id(value)] = value  # for what refers to itself before its copy is known
        known[id(value)] = _copied(value, known)
    return known[id(value)]


def _copied(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, Tensor):
        return _copied_tensor(value)
    if isinstance(value, ModuleInstance):
        return _copied_module(value, known)
    if isinstance(value, InstanceObject):
        copied = known[id(value)] = InstanceObject(value.cls)
        copied.attributes = _copied_items(value.attributes, known)
        return copied
    if isinstance(value, list):
        copied_list = known[id(value)] = []
        copied_list.extend(deep_copy(each, known) for each in value)
        return copied_list
    if isinstance(value, dict):
        return type(value)(_copied_items(value, known)) if _is_plain(value) else value
    if isinstance(value, tuple):
        items = [deep_copy(each, known) for each in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, set):
        return {deep_copy(each, known) for each in value}
    if isinstance(value, BoundMethod):
        return BoundMethod(deep_copy(value.receiver, known), value.function)
    if isinstance(value, PartialObject):
        arguments = tuple(deep_copy(each, known) for each in value.arguments)
        keywords = _copied_items(value.keywords, known)
        return PartialObject(deep_copy(value.function, known), arguments, keywords)
    return value


def _is_plain(value: dict[Any, Any]) -> bool:
    return type(value) in (dict, OrderedDict)


def _copied_items(items: dict[Any, Any], known: dict[int, Any]) -> dict[Any, Any]:
    return {deep_copy(key, known): deep_copy(item, known) for key, item in items.items()}


def _copied_tensor(value: Tensor) -> Tensor:
    plain = Tensor(value.array.copy(order="K"))
    if isinstance(value, Parameter):
        return Parameter(plain, value.requires_grad)
    if isinstance(value, Buffer):
        return Buffer(plain, value.persistent)
    plain.requires_grad = value.requires_grad
    return plain


def _copied_module(module: ModuleInstance, known: dict[int, Any]) -> ModuleInstance:
    copied = known[id(module)] = ModuleInstance(
        module.cls,
        training=module.training,
        non_persistent=set(module.non_persistent),
        initialized=module.initialized,
    )
    copied.attributes = _copied_items(module.attributes, known)
    copied.parameters = _copied_items(module.parameters, known)
    copied.buffers = _copied_items(module.buffers, known)
    copied.modules = _copied_items(module.modules, known)
    copied.forward_pre_hooks = _copied_hooks(module.forward_pre_hooks, known)
    copied.forward_hooks = _copied_hooks(module.forward_hooks, known)
    return copied


def _copied_hooks(hooks: list[Hook], known: dict[int, Any]) -> list[Hook]:
    return [Hook(deep_copy(each.function, known), each.with_kwargs) for each in hooks]


def shallow_copy(value: Any) -> Any:
    """A copy that holds the same values."""
    if isinstance(value, InstanceObject):
        return InstanceObject(value.cls, dict(value.attributes))
    if isinstance(value, ModuleInstance):
        return ModuleInstance(
            value.cls,
            dict(value.attributes),
            dict(value.parameters),
            dict(value.buffers),
            set(value.non_persistent),
            dict(value.modules),
            value.training,
            list(value.forward_pre_hooks),
            list(value.forward_hooks),
            value.initialized,
        )
    return value.copy() if isinstance(value, list | dict | set) else value
