"""What a module does with what is assigned to it: parameters, buffers, submodules, and the rest."""

from __future__ import annotations

from typing import Any

from tsc.runtime.construction.calls import type_name
from tsc.runtime.construction.values import MISSING, Buffer, ModuleInstance, Parameter
from tsc.runtime.values.tensor import Tensor


def set_module_attribute(module: ModuleInstance, name: str, value: Any) -> None:
    """``module.name = value``"""
    if isinstance(value, Parameter):
        _check_initialized(module, "parameters")
        _remove(name, module.attributes, module.buffers, module.modules)
        module.non_persistent.discard(name)
        register_parameter(module, name, value)
    elif name in module.parameters:
        if value is not None:
            raise _wrong_kind(value, "parameter", name, "torch.nn.Parameter or None")
        register_parameter(module, name, None)
    elif isinstance(value, ModuleInstance):
        _check_initialized(module, "module")
        _remove(name, module.attributes, module.parameters, module.buffers)
        module.non_persistent.discard(name)
        module.modules[name] = value
    elif name in module.modules:
        if value is not None:
            raise _wrong_kind(value, "child module", name, "torch.nn.Module or None")
        module.modules[name] = None
    elif isinstance(value, Buffer) or name in module.buffers:
        _set_buffer(module, name, value)
    elif name == "training":
        module.training = value
    else:
        module.attributes[name] = value


def _set_buffer(module: ModuleInstance, name: str, value: Any) -> None:
    if value is not None and not isinstance(value, Tensor):
        raise _wrong_kind(value, "buffer", name, "torch.nn.Buffer, torch.Tensor or None")
    if isinstance(value, Buffer):
        _remove(name, module.attributes, module.parameters, module.modules)
        register_buffer(module, name, value, value.persistent)
    else:
        module.buffers[name] = value


def register_parameter(module: ModuleInstance, name: Any, value: Any) -> None:
    """``module.register_parameter(name, value)``"""
    _check_initialized(module, "parameter")
    _check_name(module, name, "parameter", module.parameters)
    if value is not None and not isinstance(value, Parameter):
        raise TypeError(
            f"cannot assign '{full_type_name(value)}' object to parameter '{name}' "
            "(torch.nn.Parameter or None required)"
        )
    module.parameters[name] = value


def register_buffer(module: ModuleInstance, name: Any, value: Any, persistent: bool = True) -> None:
    """``module.register_buffer(name, value, persistent)``"""
    _check_initialized(module, "buffer")
    _check_name(module, name, "buffer", module.buffers)
    if value is not None and not isinstance(value, Tensor):
        raise TypeError(
            f"cannot assign '{full_type_name(value)}' object to buffer '{name}' "
            "(torch Tensor or None required)"
        )
    module.buffers[name] = value
    if persistent:
        module.non_persistent.discard(name)
    else:
        module.non_persistent.add(name)


def register_module(module: ModuleInstance, name: Any, value: Any) -> None:
    """``module.add_module(name, value)``"""
    if value is not None and not isinstance(value, ModuleInstance):
        raise TypeError(f"{full_type_name(value)} is not a Module subclass")
    _check_initialized(module, "module")
    _check_name(module, name, "module", module.modules)
    module.modules[name] = value


def _check_initialized(module: ModuleInstance, what: str) -> None:
    if not module.initialized:
        raise AttributeError(f"cannot assign {what} before Module.__init__() call")


def _check_name(module: ModuleInstance, name: Any, what: str, own: dict[str, Any]) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {full_type_name(name)}")
    if "." in name:
        got = f", got: {name}" if what == "module" else ""
        raise KeyError(f'{what} name can\'t contain "."{got}')
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')
    if name not in own and _has(module, name):
        raise KeyError(f"attribute '{name}' already exists")


def _has(module: ModuleInstance, name: str) -> bool:
    places = (module.attributes, module.parameters, module.buffers, module.modules)
    known = any(name in each for each in places) or name == "training"
    return known or module.cls.find(name) is not MISSING


def _wrong_kind(value: Any, what: str, name: str, expected: str) -> TypeError:
    return TypeError(
        f"cannot assign '{full_type_name(value)}' as {what} '{name}' ({expected} expected)"
    )


def full_type_name(value: Any) -> str:
    """The name of a type as messages of PyTorch have it: ``torch.FloatTensor``, ``str``."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return f"torch.{value.dtype.scalar_name}Tensor"
    if isinstance(value, ModuleInstance):
        return value.cls.qualified_name.removeprefix("__torch__.")
    return type_name(value)


def _remove(name: str, *places: dict[str, Any]) -> None:
    for each in places:
        each.pop(name, None)
