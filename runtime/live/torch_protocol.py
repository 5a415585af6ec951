"""Functions of the user's PyTorch, called with tensors of tsc: ``torch.relu(tensor)`` runs here.

PyTorch hands such calls over, by its protocol ``__torch_function__``. The function is found by its name; tensors,
dtypes and devices of PyTorch among the arguments become tsc's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsc.compiler.types import Device
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.live.known_objects import known_path
from tsc.runtime.live.torch_names import function_at
from tsc.runtime.live.torch_tensors import is_torch_tensor, shared_tensor
from tsc.runtime.values.tensor import Tensor


def torch_function(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The result of a function of PyTorch. Raises `ScriptError` for one that tsc has not."""
    own_args = [_own(each) for each in args]
    own_kwargs = {name: _own(each) for name, each in kwargs.items() if name != "out" or each}
    name = getattr(func, "__name__", str(func))
    if type(func).__name__ in ("method_descriptor", "wrapper_descriptor"):
        return getattr(own_args[0], name)(*own_args[1:], **own_kwargs)
    found = function_at(_path(func, name))
    if found is None and own_args and isinstance(own_args[0], Tensor) and hasattr(Tensor, name):
        return getattr(own_args[0], name)(*own_args[1:], **own_kwargs)
    if found is None:
        raise ScriptError(
            "TypeError",
            f"{_path(func, name)} cannot be called with tensors of tsc\nhint: give it tensors of PyTorch, "
            "torch.from_numpy(tensor.numpy())",
        )
    return found(*own_args, **own_kwargs)


def _path(func: Any, name: str) -> str:
    return known_path(func) or f"torch.{name}"


def _own(value: Any) -> Any:
    """The same value without anything of PyTorch."""
    if is_torch_tensor(value):
        return shared_tensor(value)
    if isinstance(value, list | tuple) and not isinstance(value, str):
        return (
            [_own(each) for each in value] if isinstance(value, list) else tuple(map(_own, value))
        )
    kind = type(value)
    if kind.__module__ == "torch" and kind.__name__ == "dtype":
        return DTYPE_OF_NAME[str(value).removeprefix("torch.")]
    if kind.__module__ == "torch" and kind.__name__ == "device":
        return Device.parse(str(value))
    return value
