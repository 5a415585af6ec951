"""Attributes: what ``value.name`` gives, and what assigning to it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tsc.compiler.source import UNKNOWN_RANGE
from tsc.compiler.types import Device, EnumMember
from tsc.runtime.construction.absent import instead_of
from tsc.runtime.construction.calls import new_instance, type_name
from tsc.runtime.construction.errors import ConstructionError
from tsc.runtime.construction.host_methods import host_attribute
from tsc.runtime.construction.values import (
    MISSING,
    BoundMethod,
    ClassMethod,
    ClassObject,
    ExceptionObject,
    FunctionObject,
    InstanceObject,
    ModuleInstance,
    Namespace,
    NativeFunction,
    PartialObject,
    PropertyObject,
    SourceModule,
    StaticMethod,
    SuperObject,
    TypeForm,
)

if TYPE_CHECKING:
    from tsc.runtime.construction.evaluator import Evaluator


def get_attribute(evaluator: Evaluator, value: Any, name: str) -> Any:
    """``value.name``; raises AttributeError if there is none."""
    found = find_attribute(evaluator, value, name)
    if found is MISSING:
        raise AttributeError(_no_attribute(value, name))
    return found


def has_attribute(evaluator: Evaluator, value: Any, name: str) -> bool:
    return find_attribute(evaluator, value, name) is not MISSING


def find_attribute(evaluator: Evaluator, value: Any, name: str) -> Any:
    """``value.name``, or `MISSING`."""
    if isinstance(value, ModuleInstance):
        return _of_module(evaluator, value, name)
    if isinstance(value, InstanceObject):
        return _of_instance(evaluator, value, name)
    if isinstance(value, ClassObject):
        return _of_class(evaluator, value, name)
    if isinstance(value, SuperObject):
        return _of_super(evaluator, value, name)
    if isinstance(value, Namespace):
        from tsc.runtime.construction.namespaces import member

        return member(evaluator, value.path, name)
    if isinstance(value, EnumMember):
        return _of_enum_member(evaluator, value, name)
    if isinstance(value, FunctionObject | NativeFunction | BoundMethod | PropertyObject):
        return _of_function(value, name)
    if isinstance(value, ExceptionObject):
        return value.arguments if name == "args" else value.attributes.get(name, MISSING)
    if isinstance(value, PartialObject):
        parts = {"func": value.function, "args": value.arguments, "keywords": value.keywords}
        return parts.get(name, MISSING)
    if isinstance(value, TypeForm):
        return MISSING
    if isinstance(value, SourceModule):
        found = value.scope.find(name, UNKNOWN_RANGE)
        return (value.file(name) or MISSING) if found is MISSING else found
    if name == "__class__" or isinstance(value, Device):
        return _of_plain(evaluator, value, name)
    return host_attribute(evaluator, value, name)


def _no_attribute(value: Any, name: str) -> str:
    if isinstance(value, ClassObject):
        return f"type object '{value.name}' has no attribute '{name}'"
    if isinstance(value, SourceModule):
        return f"module '{value.path}' has no attribute '{name}'"
    if isinstance(value, Namespace):
        from tsc.runtime.construction.namespaces import similar

        near, instead = similar(value.path, name), instead_of(value.path, name)
        hint = f": did you mean '{near}'?" if near else ""
        hint = f": {instead}" if instead else hint
        return f"module '{value.path}' has no attribute '{name}' that tsc knows{hint}"
    return f"'{type_name(value)}' object has no attribute '{name}'"


def bind(evaluator: Evaluator, found: Any, receiver: Any, cls: ClassObject) -> Any:
    """What an attribute of a class is for an instance."""
    if isinstance(found, FunctionObject | NativeFunction):
        return BoundMethod(receiver, found)
    if isinstance(found, StaticMethod):
        return found.function
    if isinstance(found, ClassMethod):
        return BoundMethod(cls, found.function)
    if isinstance(found, PropertyObject):
        return evaluator.call(found.getter, [receiver])
    if isinstance(found, InstanceObject) and found.cls.find("__get__") is not MISSING:
        return evaluator.call_method(found, "__get__", receiver, cls)
    return found


def _of_module(evaluator: Evaluator, module: ModuleInstance, name: str) -> Any:
    found = module.cls.find(name)
    if isinstance(found, PropertyObject):
        return evaluator.call(found.getter, [module])
    if name == "training":
        return module.training
    for values in (module.attributes, module.parameters, module.buffers, module.modules):
        if name in values:
            return values[name]
    if found is not MISSING:
        return bind(evaluator, found, module, module.cls)
    special = _SPECIAL_OF_MODULES.get(name)
    if special is not None:
        return special(module)
    return _from_getter(evaluator, module, name)


def _from_getter(evaluator: Evaluator, value: ModuleInstance | InstanceObject, name: str) -> Any:
    """What the class's ``__getattr__`` gives for a name that is not there."""
    getter = value.cls.find("__getattr__")
    if getter is MISSING:
        return MISSING
    try:
        return evaluator.call(getter, [value, name])
    except ConstructionError as error:
        if error.kind == "AttributeError":
            return MISSING
        raise


_SPECIAL_OF_MODULES = {
    "__class__": lambda module: module.cls,
    "__dict__": lambda module: module.attributes,
    "_parameters": lambda module: module.parameters,
    "_buffers": lambda module: module.buffers,
    "_modules": lambda module: module.modules,
    "_non_persistent_buffers_set": lambda module: module.non_persistent,
    "_forward_hooks": lambda module: dict(enumerate(module.forward_hooks)),
    "_forward_pre_hooks": lambda module: dict(enumerate(module.forward_pre_hooks)),
}


def _of_instance(evaluator: Evaluator, instance: InstanceObject, name: str) -> Any:
    found = instance.cls.find(name)
    if isinstance(found, PropertyObject):
        return evaluator.call(found.getter, [instance])
    if name in instance.attributes:
        return instance.attributes[name]
    if found is not MISSING:
        return bind(evaluator, found, instance, instance.cls)
    if name == "__class__":
        return instance.cls
    if name == "__dict__":
        return instance.attributes
    return _from_getter(evaluator, instance, name)


def _of_class(evaluator: Evaluator, cls: ClassObject, name: str) -> Any:
    found = cls.find(name)
    if isinstance(found, StaticMethod):
        return found.function
    if isinstance(found, ClassMethod):
        return BoundMethod(cls, found.function)
    if found is not MISSING:
        return found
    if name in ("__name__", "__qualname__"):
        return cls.name
    if name == "__mro__":
        return cls.mro
    if name == "__bases__":
        return cls.bases
    if name == "__setattr__":
        return NativeFunction(name, _set_plainly)
    if name == "__new__" and not cls.instances:
        return NativeFunction(name, new_instance)
    return _static_host_method(cls, name)


def _set_plainly(evaluator: Evaluator, value: Any, name: str, item: Any) -> None:
    """``object.__setattr__(value, name, item)``"""
    set_attribute(evaluator, value, name, item, own=False)


def _static_host_method(cls: ClassObject, name: str) -> Any:
    """``str.lower``, ``dict.fromkeys``"""
    if name == "fromkeys" and cls.instances and issubclass(cls.instances[0], dict):
        return NativeFunction(
            name, lambda evaluator, keys, value=None: dict.fromkeys(evaluator.iterate(keys), value)
        )
    if cls.instances and not name.startswith("_"):
        return NativeFunction(
            name,
            lambda evaluator, value, *arguments, **keywords: evaluator.call(
                get_attribute(evaluator, value, name), arguments, keywords
            ),
        )
    return MISSING


def _of_super(evaluator: Evaluator, value: SuperObject, name: str) -> Any:
    receiver = value.receiver
    cls = receiver if isinstance(receiver, ClassObject) else _class_of(evaluator, receiver)
    found = cls.find(name, value.after)
    if found is MISSING:
        if name == "__init__":
            return NativeFunction("__init__", lambda _evaluator: None)
        if name == "__new__":
            return NativeFunction(name, new_instance)
        if name == "__setattr__":
            return BoundMethod(receiver, NativeFunction(name, _set_plainly))
        if name == "__getattr__":
            return BoundMethod(receiver, NativeFunction(name, _refuse_attribute))
        return MISSING
    if isinstance(receiver, ClassObject) and isinstance(found, FunctionObject | NativeFunction):
        return found
    return bind(evaluator, found, receiver, cls)


def _refuse_attribute(_evaluator: Evaluator, value: Any, name: str) -> Any:
    raise AttributeError(_no_attribute(value, name))


def _class_of(evaluator: Evaluator, value: Any) -> ClassObject:
    from tsc.runtime.construction.python_types import class_of

    return class_of(evaluator, value)


def _of_enum_member(evaluator: Evaluator, member: EnumMember, name: str) -> Any:
    if name in ("name", "value"):
        return getattr(member, name)
    cls = _class_of(evaluator, member)
    if name == "__class__":
        return cls
    found = cls.find(name)
    return MISSING if found is MISSING else bind(evaluator, found, member, cls)


def _of_function(value: Any, name: str) -> Any:
    if isinstance(value, PropertyObject):
        if name == "setter":
            return NativeFunction(
                name, lambda _evaluator, setter: PropertyObject(value.getter, setter)
            )
        return MISSING
    if name == "__name__":
        inner = value.function if isinstance(value, BoundMethod) else value
        return getattr(inner, "name", "function")
    if name == "__self__" and isinstance(value, BoundMethod):
        return value.receiver
    return MISSING


def _of_plain(evaluator: Evaluator, value: Any, name: str) -> Any:
    if name == "__class__":
        return _class_of(evaluator, value)
    return getattr(value, name) if name in ("type", "index") else MISSING


# -- Changes -----------------------------------------------------------------------------------


def set_attribute(
    evaluator: Evaluator, value: Any, name: str, item: Any, *, own: bool = True
) -> None:
    """``value.name = item``; `own` says that the class's ``__setattr__`` counts."""
    if isinstance(value, ModuleInstance | InstanceObject):
        setter = value.cls.find("__setattr__") if own else MISSING
        if setter is not MISSING:
            evaluator.call(setter, [value, name, item])
            return
        found = value.cls.find(name)
        if isinstance(found, PropertyObject):
            if found.setter is None:
                raise AttributeError(
                    f"property '{name}' of '{value.cls.name}' object has no setter"
                )
            evaluator.call(found.setter, [value, item])
            return
        if isinstance(found, InstanceObject) and found.cls.find("__set__") is not MISSING:
            evaluator.call_method(found, "__set__", value, item)
            return
        if isinstance(value, ModuleInstance):
            from tsc.runtime.construction.registration import set_module_attribute

            set_module_attribute(value, name, item)
            return
        if value.is_frozen and own:
            raise AttributeError(f"cannot assign to field '{name}'")
        value.attributes[name] = item
    elif (isinstance(value, ClassObject) and value.definition is not None) or isinstance(
        value, ExceptionObject
    ):
        value.attributes[name] = item
    else:
        _set_host_attribute(value, name, item)


def _set_host_attribute(value: Any, name: str, item: Any) -> None:
    from tsc.runtime.values.tensor import Tensor

    if isinstance(value, Tensor) and name == "requires_grad":
        value.requires_grad = bool(item)
    elif isinstance(value, Tensor) and name == "data" and isinstance(item, Tensor):
        value.array = item.array
    elif isinstance(value, Tensor) and not name.startswith("__") and item is not None:
        pass  # PyTorch lets a tensor carry any attribute; nothing here asks for one
    else:
        raise AttributeError(f"'{type_name(value)}' object has no attribute '{name}' to set")


def delete_attribute(evaluator: Evaluator, value: Any, name: str) -> None:
    """``del value.name``"""
    if isinstance(value, ModuleInstance):
        for values in (value.parameters, value.buffers, value.modules, value.attributes):
            if name in values:
                del values[name]
                value.non_persistent.discard(name)
                return
    elif _is_changeable(value) and name in value.attributes:
        del value.attributes[name]
        return
    raise AttributeError(_no_attribute(value, name))


def _is_changeable(value: Any) -> bool:
    own_class = isinstance(value, ClassObject) and value.definition is not None
    return own_class or isinstance(value, InstanceObject)
