"""What a tensor says about itself: sizes, strides, dtype, device, kind."""

from __future__ import annotations

import numpy as np

from tsc.compiler.types import Device
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import (
    BOOL,
    BYTE,
    CATEGORY,
    CODE_OF_NUMPY,
    COMPLEX,
    FLOATING,
    NUMPY_OF_CODE,
    PROMOTED,
)
from tsc.runtime.arrays.storage import element_strides, resized, storage_of, storage_offset
from tsc.runtime.arrays.type_promotion import Number, can_cast, result_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.layout.tensor_conversion import is_in_format
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import functional_forms
from tsc.runtime.values.nested_tensors import NestedTensor
from tsc.runtime.values.tensor import Tensor

CPU = Device("cpu")
STRIDED = 0


@operator("aten::size.int(Tensor self, int dim) -> int")
def size_of(self: Tensor, dim: int) -> int:
    shape = self.array.shape
    if 0 <= dim < len(shape):
        return shape[dim]
    if not shape:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    return shape[wrap_dimension(dim, len(shape))]


@operator("aten::size(Tensor self) -> int[]")
def size(self: Tensor) -> list[int]:
    return list(self.array.shape)


@operator("aten::sym_size.int(Tensor self, int dim) -> SymInt")
def sym_size_of(self: Tensor, dim: int) -> int:
    return size_of(self, dim)


@operator("aten::sym_size(Tensor self) -> SymInt[]")
def sym_size(self: Tensor) -> list[int]:
    return list(self.array.shape)


@operator("aten::stride.int(Tensor self, int dim) -> int")
def stride_of(self: Tensor, dim: int) -> int:
    strides = element_strides(self.array)
    if not strides:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    return strides[wrap_dimension(dim, len(strides))]


@operator("aten::stride(Tensor self) -> int[]")
def stride(self: Tensor) -> list[int]:
    return list(element_strides(self.array))


@operator("aten::storage_offset(Tensor self) -> int")
def offset_in_storage(self: Tensor) -> int:
    return storage_offset(self.array)


@operator("aten::dim(Tensor self) -> int")
def dim(self: Tensor) -> int:
    return self.ndim


@operator("aten::numel(Tensor self) -> int")
def numel(self: Tensor) -> int:
    return self.array.size


@operator("aten::len.Tensor(Tensor t) -> int")
def length(t: Tensor) -> int:
    if t.array.ndim == 0:
        raise ScriptError("RuntimeError", "len() of a 0-d tensor")
    return t.array.shape[0]


@operator("aten::_shape_as_tensor(Tensor self) -> Tensor")
def shape_as_tensor(self: Tensor) -> Tensor:
    return Tensor(np.array(self.array.shape, np.int64))


@operator("aten::element_size(Tensor self) -> int")
def element_size(self: Tensor) -> int:
    return self.array.itemsize


@operator("prim::itemsize(Tensor a) -> int")
def itemsize(a: Tensor) -> int:
    return a.array.itemsize


@operator("prim::nbytes(Tensor a) -> int")
def nbytes(a: Tensor) -> int:
    return a.array.nbytes


@operator("aten::is_same_size(Tensor self, Tensor other) -> bool")
def is_same_size(self: Tensor, other: Tensor) -> bool:
    return self.array.shape == other.array.shape


@operator("aten::is_contiguous(Tensor self) -> bool")
def is_contiguous(self: Tensor) -> bool:
    return self.array.flags.c_contiguous


@operator("aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool")
def is_contiguous_as(self: Tensor, memory_format: int) -> bool:
    return is_in_format(self.array, memory_format)


@operator("aten::is_set_to(Tensor self, Tensor tensor) -> bool")
def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    a, b = self.array, tensor.array
    return (
        storage_of(a) is storage_of(b)
        and storage_offset(a) == storage_offset(b)
        and (a.shape, a.strides) == (b.shape, b.strides)
    )


@operator("aten::is_floating_point(Tensor self) -> bool")
def is_floating_point(self: Tensor) -> bool:
    return CATEGORY[self.array.dtype] == FLOATING


@operator("aten::is_complex(Tensor self) -> bool")
def is_complex(self: Tensor) -> bool:
    return CATEGORY[self.array.dtype] == COMPLEX


@operator("aten::is_signed(Tensor self) -> bool")
def is_signed(self: Tensor) -> bool:
    return self.array.dtype not in (BOOL, BYTE)


@operator("aten::is_conj(Tensor self) -> bool", "aten::is_neg(Tensor self) -> bool")
def is_lazy_view(self: Tensor) -> bool:
    return False


@operator("aten::is_pinned(Tensor self, Device? device=None) -> bool")
def is_pinned(self: Tensor, device: Device | None = None) -> bool:
    return False


@operator("aten::get_device(Tensor self) -> int")
def get_device(self: Tensor) -> int:
    return -1


@operator("prim::is_nested(Tensor a) -> bool")
def is_nested(a: Tensor) -> bool:
    return isinstance(a, NestedTensor)


@operator("prim::device(Tensor a) -> Device")
def device(a: Tensor) -> Device:
    return CPU


@operator("prim::dtype(Tensor a) -> int")
def dtype(a: Tensor) -> int:
    return a.dtype.code


@operator("prim::data(Tensor(a) a) -> Tensor(a)")
def data(a: Tensor) -> Tensor:
    return Tensor(a.array)


@operator("aten::data(Tensor self) -> Tensor")
def data_of(self: Tensor) -> Tensor:
    return Tensor(self.array)


@operator("prim::name(Tensor a) -> str?")
def name(a: Tensor) -> None:
    return None


@operator("prim::is_cpu(Tensor a) -> bool")
def is_cpu(a: Tensor) -> bool:
    return True


@operator(
    *(
        f"prim::is_{kind}(Tensor a) -> bool"
        for kind in (
            *("cuda", "ipu", "maia", "meta", "mkldnn", "mps", "mtia"),
            *("vulkan", "xla", "xpu"),
        )
    )
)
def is_another_kind(a: Tensor) -> bool:
    """Every tensor of this runtime is a dense one on the CPU."""
    return False


@operator("aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType")
def result_type(tensor: Tensor, other: Tensor) -> int:
    return CODE_OF_NUMPY[result_dtype((tensor.array, other.array))]


@operator("aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType")
def result_type_number(tensor: Tensor, other: Number) -> int:
    return CODE_OF_NUMPY[result_dtype((tensor.array, other))]


@operator("aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType")
def number_result_type(scalar: Number, tensor: Tensor) -> int:
    return CODE_OF_NUMPY[result_dtype((scalar, tensor.array))]


@operator("aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType")
def numbers_result_type(scalar1: Number, scalar2: Number) -> int:
    return CODE_OF_NUMPY[result_dtype((scalar1, scalar2))]


@operator("aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType")
def promote_types(type1: int, type2: int) -> int:
    return CODE_OF_NUMPY[PROMOTED[NUMPY_OF_CODE[type1], NUMPY_OF_CODE[type2]]]


@operator("aten::can_cast(ScalarType from_, ScalarType to) -> bool")
def can_cast_dtypes(from_: int, to: int) -> bool:
    return can_cast(NUMPY_OF_CODE[from_], NUMPY_OF_CODE[to])


@operator(
    "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None)"
    " -> Tensor(a!)"
)
def resize_(self: Tensor, size: list[int], memory_format: int | None = None) -> Tensor:
    """Another shape over the same memory, which grows where it must."""
    if any(extent < 0 for extent in size):
        raise ScriptError("RuntimeError", "numel: integer multiplication overflow")
    if self.array.shape != tuple(size):
        self.array = resized(self.array, tuple(size))
    return self


@operator(
    "aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None)"
    " -> Tensor(a!)"
)
def resize_as_(self: Tensor, the_template: Tensor, memory_format: int | None = None) -> Tensor:
    return resize_(self, list(the_template.array.shape), memory_format)


functional_forms("resize_ resize_as_")
out_forms(SAME, "resize resize_as")
