"""Further spellings: other names, in-place forms and overloads of operators declared elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.runtime.arrays.dtypes import LONG, scalar_name
from tsc.runtime.arrays.type_promotion import (
    COMPUTE_DTYPE,
    Number,
    checked_number_array,
    result_dtype,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation import creation
from tsc.runtime.operators.creation.creation import OPTIONS
from tsc.runtime.operators.layout import joining, shape, tensor_conversion
from tsc.runtime.operators.out_variants import (
    FACTORY,
    SAME,
    SILENT_FACTORY,
    castable,
    out_forms,
)
from tsc.runtime.operators.reduction import reduction
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, wrap

# -- Other names -------------------------------------------------------------------------------

operator("aten::_stack(Tensor[] tensors, int dim=0) -> Tensor")(joining.stack)
operator("aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor")(shape.view)
operator("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")(joining.chunk)
operator("aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]")(
    joining.split
)
operator("aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]")(
    joining.split_with_sizes
)
for _code, _name in enumerate(("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double")):

    def _make_cast(code: int) -> Callable[..., Tensor]:
        def cast(self: Tensor, non_blocking: bool = False) -> Tensor:
            return tensor_conversion.to_dtype(self, code)

        return cast

    operator(f"aten::_cast_{_name}(Tensor self, bool non_blocking=False) -> Tensor")(
        _make_cast(_code)
    )

# -- Overloads ---------------------------------------------------------------------------------


def _each(function: Callable[[Tensor], Tensor]) -> Callable[[list[Tensor]], list[Tensor]]:
    def on_list(tensors: list[Tensor]) -> list[Tensor]:
        return [function(tensor) for tensor in tensors]

    return on_list


operator("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]")(_each(shape.atleast_1d))
operator("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]")(_each(shape.atleast_2d))
operator("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]")(_each(shape.atleast_3d))


@operator(
    "aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self,"
    " Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]"
)
def tensor_split_tensor(
    self: Tensor, tensor_indices_or_sections: Tensor, dim: int = 0
) -> list[Tensor]:
    parts = tensor_indices_or_sections.array
    expected = "tensor_split expected tensor_indices_or_sections to"
    if parts.dtype is not LONG:
        message = f"{expected} have dtype of long, but got {scalar_name(parts.dtype)}"
        raise ScriptError("RuntimeError", message)
    if parts.ndim > 1:
        raise ScriptError(
            "RuntimeError",
            f"{expected} be a zero-dimensional or one-dimensional tensor, but got a tensor with "
            f"{parts.ndim} dims",
        )
    if parts.ndim == 0:
        return joining.tensor_split(self, int(parts), dim)
    return joining.tensor_split_indices(self, parts.tolist(), dim)


def _split_along(name: str, axis: int, least: int) -> None:
    def sections_of(self: Tensor, sections: int) -> list[Tensor]:
        dim = _axis(self, name, axis, least)
        extent = self.array.shape[dim]
        if sections == 0 or extent % sections:
            raise ScriptError(
                "RuntimeError",
                f"torch.{name} attempted to split along dimension {dim}, but the size of the "
                f"dimension {extent} is not divisible by the split_size {sections}!",
            )
        return joining.tensor_split(self, sections, dim)

    def at_indices(self: Tensor, indices: list[int]) -> list[Tensor]:
        return joining.tensor_split_indices(self, indices, _axis(self, name, axis, least))

    operator(f"aten::{name}.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]")(sections_of)
    operator(f"aten::{name}.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")(at_indices)


def _axis(tensor: Tensor, name: str, axis: int, least: int) -> int:
    ndim = tensor.array.ndim
    if ndim < least:
        raise ScriptError(
            "RuntimeError",
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor "
            f"with {ndim} dimensions!",
        )
    return 0 if axis == 1 and ndim == 1 else axis


_split_along("hsplit", 1, 1)
_split_along("vsplit", 0, 2)
_split_along("dsplit", 2, 3)


@operator(f"aten::range.step(Scalar start, Scalar end, Scalar step=1, *, {OPTIONS}) -> Tensor")
def range_step(start, end, step=1, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    """Numbers from `start` up to and including `end`, in the default dtype."""
    target = creation.numpy_dtype(dtype)
    start, end, step = creation.checked_range("range_cpu", target, start, end, step)
    count = int((end - start) / step) + 1
    if target.kind in "iu":
        start, step = int(start), int(step)
    return Tensor((start + np.arange(count) * step).astype(target))


@operator(f"aten::range(Scalar start, Scalar end, *, {OPTIONS}) -> Tensor")
def range_(start, end, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    return range_step(start, end, 1, dtype)


@operator("aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)")
def fill_diagonal_(self: Tensor, fill_value: Number, wrap: bool = False) -> Tensor:
    a = self.array
    if a.ndim < 2:
        raise ScriptError("RuntimeError", "dimensions must larger than 1")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ScriptError("RuntimeError", "all dimensions of input must be of equal length")
    np.fill_diagonal(a, checked_number_array(fill_value, a.dtype), wrap)
    return self


@operator("aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor")
def sum_to_size(self: Tensor, size: list[int]) -> Tensor:
    a = self.array
    lead = a.ndim - len(size)
    if lead < 0 or any(n not in (1, m) for n, m in zip(size, a.shape[lead:])):
        raise ScriptError(
            "RuntimeError",
            f"size {{{list(size)}}} is not expandable to size {{{list(a.shape)}}}.",
        )
    if not size:
        return reduction.sum_(self)
    axes = [*range(lead), *(lead + k for k, n in enumerate(size) if n == 1 != a.shape[lead + k])]
    return Tensor(
        np.asarray(reduction.sum_dim(self, axes, True).array if axes else a).reshape(size)
    )


@operator("aten::isreal(Tensor self) -> Tensor")
def isreal(self: Tensor) -> Tensor:
    return wrap(np.isreal(self.array))


@operator("aten::_is_all_true(Tensor self) -> Tensor")
def is_all_true(self: Tensor) -> Tensor:
    return wrap(self.array.all())


@operator("aten::_is_any_true(Tensor self) -> Tensor")
def is_any_true(self: Tensor) -> Tensor:
    return wrap(self.array.any())


_ISIN = "bool assume_unique=False, bool invert=False"


def _is_in(elements: np.ndarray, tested: np.ndarray, invert: bool) -> Tensor:
    for dtype in (elements.dtype, tested.dtype):
        if dtype.kind in "bc":
            message = f"Unsupported input type encountered for isin(): {scalar_name(dtype)}"
            raise ScriptError("RuntimeError", message)
    meeting = result_dtype((elements, tested))
    dtype = COMPUTE_DTYPE.get(meeting, meeting)
    return wrap(np.isin(elements.astype(dtype), tested.astype(dtype), invert=invert))


@operator(f"aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, {_ISIN}) -> Tensor")
def isin(
    elements: Tensor, test_elements: Tensor, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    return _is_in(elements.array, test_elements.array, invert)


@operator(f"aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, {_ISIN}) -> Tensor")
def isin_number(
    elements: Tensor, test_element: Number, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    return _is_in(elements.array, np.array(test_element), invert)


@operator(f"aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, {_ISIN}) -> Tensor")
def number_isin(
    element: Number, test_elements: Tensor, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    return _is_in(np.array(element), test_elements.array, invert)


@operator(
    "aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"
)
def linalg_diagonal(A: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    return shape.diagonal(A, offset, dim1, dim2)


out_forms(
    SAME,
    """
    isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor
    _unsafe_view unsafe_split.Tensor unsafe_split_with_sizes
    """,
)
out_forms(FACTORY, "range.step:out")
out_forms(SILENT_FACTORY, "range:out_")
out_forms(
    castable("torch.cat(): input types can't be cast to the desired output type {out}"),
    "_stack",
)
