"""``state_dict`` and ``load_state_dict``: tensors of a tree of modules by their dotted names."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from runtime.construction.module_tree import joined, named_modules
from runtime.construction.values import ModuleInstance, Parameter
from runtime.operators.tensor_conversion import copy_into
from runtime.tensor import Tensor


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` found in one place only."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


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
    problems: list[str] = []
    missing: list[str] = []
    expected: set[str] = set()
    for path, each in named_modules(module, remove_duplicate=False):
        for name, own in _own_state(each).items():
            key = joined(path, name)
            expected.add(key)
            if key not in state:
                if not _is_optional(each, name):
                    missing.append(key)
                continue
            problem = _load(each, name, own, state[key], key, assign)
            if problem is not None:
                problems.append(problem)
    unexpected = [key for key in state if key not in expected]
    if strict:
        if unexpected:
            problems.insert(0, f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
        if missing:
            problems.insert(0, f"Missing key(s) in state_dict: {_quoted(missing)}. ")
    if problems:
        listed = "\n\t".join(problems)
        raise RuntimeError(f"Error(s) in loading state_dict for {module.cls.name}:\n\t{listed}")
    return IncompatibleKeys(missing, unexpected)


def _is_optional(module: ModuleInstance, name: str) -> bool:
    """Batch normalization counted no batches in its first version."""
    is_norm = any(each.name == "_NormBase" for each in module.cls.mro)
    return is_norm and name == "num_batches_tracked"


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _load(
    module: ModuleInstance, name: str, own: Tensor, given: Any, key: str, assign: bool
) -> str | None:
    """Take one tensor over; what is wrong with it, if anything is."""
    if not isinstance(given, Tensor | np.ndarray):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(given)}"
        )
    value = given if isinstance(given, Tensor) else Tensor(given)
    array = value.array
    if own.array.ndim == 0 and array.shape == (1,):
        array = array[0:1].reshape(())
    if own.array.shape != array.shape:
        return (
            f"size mismatch for {key}: copying a param with shape torch.Size({list(array.shape)}) "
            f"from checkpoint, the shape in current model is torch.Size({list(own.array.shape)})."
        )
    if not assign:
        copy_into(own.array, array)
    elif isinstance(own, Parameter):
        requires_grad = own.requires_grad
        module.parameters[name] = Parameter(Tensor(array), requires_grad)
    else:
        module.buffers[name] = Tensor(array)
    return None
