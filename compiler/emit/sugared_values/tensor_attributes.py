"""The attributes of tensors and devices that are operators, and casts that look like methods."""

from __future__ import annotations

from tsc.compiler.types import DeviceObjType, TensorType, Type

# Method-style casts, `x.double()`, with the code of the dtype.
CAST_METHODS: dict[str, int] = {
    "byte": 0,
    "char": 1,
    "short": 2,
    "int": 3,
    "long": 4,
    "half": 5,
    "float": 6,
    "double": 7,
    "cfloat": 9,
    "cdouble": 10,
}

_PRIM_TENSOR_ATTRIBUTES = (
    *("dtype", "device", "grad", "data", "shape", "layout", "requires_grad", "name"),
    *("itemsize", "nbytes", "ndim", "T", "H"),
    *("is_cuda", "is_cpu", "is_xla", "is_xpu", "is_mps", "is_mtia", "is_ipu", "is_maia"),
    *("is_sparse", "is_sparse_csr", "is_mkldnn", "is_quantized", "is_vulkan", "is_meta"),
    "is_nested",
)
_ATEN_TENSOR_ATTRIBUTES = ("is_leaf", "retains_grad", "mT", "mH", "real", "imag")

_TENSOR_ATTRIBUTES: dict[str, str] = {
    **{name: f"prim::{name}" for name in _PRIM_TENSOR_ATTRIBUTES},
    **{name: f"aten::{name}" for name in _ATEN_TENSOR_ATTRIBUTES},
}
_DEVICE_ATTRIBUTES: dict[str, str] = {"type": "prim::type", "index": "prim::index"}


def attribute_operator(type: Type, name: str) -> str | None:
    """The builtin that ``value.name`` stands for, when it is not a method."""
    if isinstance(type, TensorType):
        return _TENSOR_ATTRIBUTES.get(name)
    if isinstance(type, DeviceObjType):
        return _DEVICE_ATTRIBUTES.get(name)
    return None
