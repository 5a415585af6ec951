"""``state_dict`` and ``load_state_dict``: tensors of a tree of modules by their dotted names."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np

from tsc.runtime.construction.module_tree import joined, named_modules
from tsc.runtime.construction.values.modules import ModuleInstance, Parameter
from tsc.runtime.operators.layout.tensor_conversion import copy_into
from tsc.runtime.python_api.module_state import IncompatibleKeys, fit
from tsc.runtime.values.tensor import Tensor


def state_dict(
    module: ModuleInstance, prefix: str = "", keep_vars: bool = False
) -> OrderedDict[str, Tensor]:
    """The parameters and persistent buffers of a tree, sharing its memory."""
    found: OrderedDict[str, Tensor] = OrderedDict()
    for path, each in named_modules(module, remove_duplicate=False):
        for name, value in _own_state(each).items():
            found[prefix + joined(path, name)] = value if keep_vars else Tensor(value.array)
    return found


def _own_state(module: ModuleInstance) -> dict[str, Tensor]:
    own = {name: value for name, value in module.parameters.items() if value is not None}
    buffers = {
        name: value
        for name, value in module.buffers.items()
        if value is not None and name not in module.non_persistent
    }
    return {**own, **buffers}


def load_state_dict(
    module: ModuleInstance, state: Mapping[str, Any], strict: bool = True, assign: bool = False
) -> IncompatibleKeys:
    """Copy tensors into those of a tree. Raises RuntimeError listing all that does not fit."""
    if not isinstance(state, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state)}.")
    owned = {
        joined(path, name): (each, name, tensor)
        for path, each in named_modules(module, remove_duplicate=False)
        for name, tensor in _own_state(each).items()
    }
    own = {key: tensor for key, (_, _, tensor) in owned.items()}
    optional = [key for key, (each, name, _) in owned.items() if _is_optional(each, name)]
    found = fit(own, state, strict=strict, optional=optional)
    if found.problems:
        raise RuntimeError(found.complaint(module.cls.name))
    for key, array in found.arrays.items():
        if assign:
            _assign(*owned[key], array)
        else:
            copy_into(own[key].array, array)
    return found.keys


def _is_optional(module: ModuleInstance, name: str) -> bool:
    """Batch normalization counted no batches in its first version."""
    is_norm = any(each.name == "_NormBase" for each in module.cls.mro)
    return is_norm and name == "num_batches_tracked"


def _assign(module: ModuleInstance, name: str, own: Tensor, array: np.ndarray) -> None:
    if isinstance(own, Parameter):
        module.parameters[name] = Parameter(Tensor(array), own.requires_grad)
    else:
        module.buffers[name] = Tensor(array)
