"""Tensors and what describes them, as programs may use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from tsc.runtime.construction.host.host_value import HostValue
from tsc.runtime.construction.torch_functions import tensor_method
from tsc.runtime.construction.values.modules import Buffer, Parameter
from tsc.runtime.construction.values.operators import Operator
from tsc.runtime.construction.values.protocol import MISSING, Evaluator
from tsc.runtime.construction.values.value import Value
from tsc.runtime.python_api.eager import call
from tsc.runtime.values.tensor import Tensor


class DataType(HostValue):
    """``torch.dtype``"""

    __slots__ = ()
    fields = frozenset(("is_floating_point", "is_complex", "itemsize"))

    def is_same(self, other: Any) -> bool:
        return self.host == other


class TensorDevice(HostValue):
    """``torch.device``"""

    __slots__ = ()
    fields = frozenset(("type", "index"))


class WithoutGradients(HostValue):
    """``torch.no_grad()``: no gradients are recorded anyway."""

    __slots__ = ()

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """``@torch.no_grad()``"""
        if len(arguments) != 1:
            super().call(evaluator, arguments, keywords)
        evaluator.step()
        return arguments[0]

    def context_manager(self, evaluator: Evaluator) -> AbstractContextManager[Any]:
        return self.host


def _requires_grad(_evaluator: Evaluator, value: Tensor, requires_grad: bool = True) -> Tensor:
    value.requires_grad = requires_grad
    return value


def _type(_evaluator: Evaluator, value: Tensor, dtype: Any = None) -> Any:
    return f"torch.{value.dtype.scalar_name}Tensor" if dtype is None else call("to", value, dtype)


def _to(_evaluator: Evaluator, value: Tensor, *arguments: Any, **keywords: Any) -> Any:
    return call("to", value, *arguments, **keywords)


def _same(_evaluator: Evaluator, value: Tensor, *_arguments: Any, **_keywords: Any) -> Tensor:
    return value


class TensorValue(HostValue):
    """``torch.Tensor``, parameters and buffers among them"""

    __slots__ = ()
    fields = frozenset(
        [
            "shape",
            "dtype",
            "device",
            "ndim",
            "requires_grad",
            "grad",
            "T",
            "mT",
            "H",
            "real",
            "imag",
        ]
    )
    methods = frozenset(
        [
            "size",
            "stride",
            "item",
            "tolist",
            "bool",
            "byte",
            "char",
            "short",
            "int",
            "long",
            "half",
            "bfloat16",
            "float",
            "double",
        ]
    )
    own_methods = {"requires_grad_": _requires_grad, "type": _type, "to": _to, "cpu": _same}
    constants = {
        **dict.fromkeys(("is_cuda", "is_quantized", "is_sparse", "is_mkldnn", "is_meta"), False),
        "is_leaf": True,
    }

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        if name in self.fields:
            return getattr(self.host, name)
        if name in self.constants:
            return self.constants[name]
        if name == "data":
            return Tensor(self.host.array)
        found = super().find_attribute(evaluator, name)
        return tensor_method(self.host, name) if found is MISSING else found

    def set_attribute(self, evaluator: Evaluator, name: str, item: Any) -> None:
        """PyTorch lets a tensor carry any attribute; nothing here asks for one."""
        if name == "requires_grad":
            self.host.requires_grad = bool(item)
        elif name == "data" and isinstance(item, Tensor):
            self.host.array = item.array
        elif name.startswith("__") or item is None:
            super().set_attribute(evaluator, name, item)

    def set_item(self, evaluator: Evaluator, key: Any, item: Any) -> None:
        self.host[key] = item

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        return iter(self.host)

    def contains(self, evaluator: Evaluator, item: Any) -> bool:
        return bool((self.host == item).any())

    def combined_in_place(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        if operator.apply_in_place is None or isinstance(other, Value):
            return NotImplemented
        return operator.apply_in_place(self.host, other)

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        plain = Tensor(self.host.array.copy(order="K"))
        plain.requires_grad = self.host.requires_grad
        return plain


class ParameterValue(TensorValue):
    """``nn.Parameter``"""

    __slots__ = ()

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        return Parameter(super().deep_copy(known, copied), self.host.requires_grad)


class BufferValue(TensorValue):
    """``nn.Buffer``"""

    __slots__ = ()

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        return Buffer(super().deep_copy(known, copied), self.host.persistent)
