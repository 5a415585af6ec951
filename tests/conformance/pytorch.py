"""PyTorch's side: the samples of its operator database, and what `torch.jit.script` makes of them."""

from __future__ import annotations

import math  # noqa: F401  PyTorch resolves names of scripts in this module
import random
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any, List, Optional  # noqa: F401, UP035

import numpy as np
import torch
from torch import Tensor  # noqa: F401
from torch.testing._internal.common_methods_invocations import op_db

from .comparison import Described, Outcome, difference
from .forms import Operator
from .scripts import Sample

DTYPES = (torch.float32, torch.int64, torch.bool)
SEED = 20


class Refused(Exception):
    """PyTorch does not compile or run a script, or its result is no dense value."""


@cache
def entries() -> dict[str, list[Any]]:
    """The entries of the database by the name of their operator."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    names: dict[str, list[Any]] = {}
    for entry in op_db:
        names.setdefault(entry.name, []).append(entry)
    return names


def samples(name: str, seed: int = SEED) -> Iterator[Sample]:
    """The samples of an operator, the same in every run with that seed."""
    for entry in entries()[name]:
        operator = described_operator(entry)
        for dtype in DTYPES:
            if entry.supports_dtype(dtype, "cpu"):
                for sample in _drawn(entry, dtype, seed):
                    yield Sample(operator, str(dtype), sample.input, sample.args, sample.kwargs)


def _drawn(entry: Any, dtype: torch.dtype, seed: int) -> Iterator[Any]:
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)
    drawn = entry.sample_inputs("cpu", dtype)
    while True:
        try:
            sample = next(drawn, None)
        except Exception:  # noqa: BLE001  a generator of samples may itself need an absent library
            return
        if sample is None:
            return
        yield sample


def described_operator(entry: Any) -> Operator:
    """The forms in which PyTorch has the operator."""
    name: str = entry.name
    own = "." not in name
    in_place = name if name.endswith("_") and own else f"{name}_"
    return Operator(
        name,
        function=_function_name(name),
        method=name if own and hasattr(torch.Tensor, name) else None,
        in_place=in_place if own and hasattr(torch.Tensor, in_place) else None,
        in_place_flag=not own and entry.inplace_variant is not None,
        symbol=getattr(entry.operator_variant, "__name__", None),
        in_place_symbol=getattr(entry.inplace_operator_variant, "__name__", None),
    )


def _function_name(name: str) -> str | None:
    if name.startswith("torch.ops.aten."):
        return name.removesuffix(".default")
    if name.startswith("torch."):
        return name
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not None:
        return f"torch.{name}"
    methods = (name, f"{name}_")
    if hasattr(torch.ops.aten, name) and not any(hasattr(torch.Tensor, each) for each in methods):
        return f"torch.ops.aten.{name}"
    return None


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


class Reference:
    """Scripts compiled by PyTorch, each once."""

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}

    def outcome(
        self, text: str, tensors: tuple[torch.Tensor, ...], compare_values: bool
    ) -> Outcome:
        """What the script returns, and the tensors afterwards.

        Raises:
            Refused: see there; also if a second run gives something else.
        """
        function = self._function(text)
        if isinstance(function, str):
            raise Refused(function)
        first, again = (self._run(function, tensors) for _ in range(2))
        if compare_values and difference(first.result, again.result) is not None:
            raise Refused("two runs with the same seed differ")
        return first

    def _function(self, text: str) -> Any:
        if text not in self._compiled:
            try:
                self._compiled[text] = torch.jit.CompilationUnit(text).f
            except Exception as error:  # noqa: BLE001  any failure of the reference is a refusal
                self._compiled[text] = _summary(error)
        return self._compiled[text]

    def _run(self, function: Any, tensors: tuple[torch.Tensor, ...]) -> Outcome:
        arguments = [copied(tensor) for tensor in tensors]
        torch.manual_seed(SEED)
        try:
            result = function(*arguments)
            return Outcome(described(result), described(arguments))
        except Exception as error:  # noqa: BLE001  any failure of the reference is a refusal
            raise Refused(_summary(error)) from None


def _summary(error: Exception) -> str:
    """The line of a message that says most: the last, which names the error, or the first."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["?"]
    return lines[-1] if lines[0].startswith("The following operation failed") else lines[0]


def storage_array(tensor: torch.Tensor) -> np.ndarray:
    """A copy of the whole storage of a dense tensor, in its dtype."""
    storage = tensor.untyped_storage()
    flat = torch.empty(0, dtype=tensor.dtype).set_(storage)
    return flat.resolve_conj().numpy().copy()


def copied(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor of the same values, strides and offset, over a storage of its own."""
    if tensor.layout is not torch.strided or tensor.is_conj() or tensor.is_neg():
        return tensor.detach().clone()
    storage = torch.from_numpy(storage_array(tensor))
    return storage.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """The values of a tensor in an array with the same strides, in a copy of the whole storage."""
    if tensor.layout is not torch.strided or tensor.is_conj() or tensor.is_neg():
        return tensor.detach().resolve_conj().resolve_neg().clone().numpy()
    storage = storage_array(tensor)
    size = storage.itemsize
    strides = tuple(stride * size for stride in tensor.stride())
    offset = tensor.storage_offset() * size
    return np.ndarray(tensor.shape, storage.dtype, storage, offset, strides)


def described(value: Any) -> Any:
    """A result in the common form.

    Raises:
        Refused: a tensor that is not dense on the CPU.
    """
    if isinstance(value, torch.Tensor):
        if value.layout is not torch.strided or value.device.type != "cpu":
            raise Refused("the result is not dense")
        plain = value.detach().resolve_conj().resolve_neg()
        if plain.dtype in (torch.bfloat16, torch.float16):
            plain = plain.float()
        if plain.dtype is torch.complex32:
            plain = plain.to(torch.complex64)
        return Described(str(value.dtype), plain.numpy().copy())
    if isinstance(value, list):
        return [described(each) for each in value]
    if isinstance(value, tuple):
        return tuple(described(each) for each in value)
    if isinstance(value, (torch.dtype, torch.device)):
        return str(value)
    return value
