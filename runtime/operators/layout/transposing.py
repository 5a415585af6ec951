"""Views with the dimensions in another order: permute, transpose, movedim."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension, wrap_dimensions
from tsc.runtime.arrays.storage import with_strides_if_empty
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_views, second_name
from tsc.runtime.values.tensor import Tensor, asarray, wrap


@operator("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)")
def permute(self: Tensor, dims: list[int]) -> Tensor:
    a = self.array
    if len(dims) != a.ndim:
        raise ScriptError(
            "RuntimeError",
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {a.ndim} is not "
            f"equal to len(dims) = {len(dims)}",
        )
    wrapped = [wrap_dimension(dim, a.ndim) for dim in dims]
    if len(set(wrapped)) != len(wrapped):
        raise ScriptError("RuntimeError", "permute(): duplicate dims are not allowed.")
    return Tensor(with_strides_if_empty(a).transpose(wrapped))


@operator("aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)")
@operator(
    "aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", first_name="aten::transpose"
)
def transpose(self: Tensor, dim0: int, dim1: int) -> Tensor:
    a = self.array
    first, second = wrap_dimension(dim0, a.ndim), wrap_dimension(dim1, a.ndim)
    return Tensor(with_strides_if_empty(a).swapaxes(first, second) if a.ndim else a.view())


@operator(
    "aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
    first_name="aten::transpose",
)
def swapaxes(self: Tensor, axis0: int, axis1: int) -> Tensor:
    return transpose(self, axis0, axis1)


@operator("aten::t(Tensor(a) self) -> Tensor(a)")
def t(self: Tensor) -> Tensor:
    a = self.array
    if a.ndim > 2:
        message = f"t() expects a tensor with <= 2 dimensions, and this one has {a.ndim}"
        raise ScriptError("RuntimeError", message)
    return Tensor(with_strides_if_empty(a).T)


@operator(
    "aten::numpy_T(Tensor(a) self) -> Tensor(a)",
)
def numpy_transpose(self: Tensor) -> Tensor:
    return Tensor(with_strides_if_empty(self.array).T)


@operator("aten::numpy_T.a(Tensor(a) self) -> Tensor(a)")
def numpy_transpose_method(self: Tensor) -> Tensor:
    return Tensor(with_strides_if_empty(self.array).T)


@operator(
    "aten::matrix_H(Tensor(a) self) -> Tensor(a)",
    "aten::matrix_H.a(Tensor(a) self) -> Tensor(a)",
)
def matrix_adjoint(self: Tensor) -> Tensor:
    """``x.H``: a matrix, conjugated and transposed."""
    if self.array.ndim not in (0, 2):
        raise ScriptError(
            "RuntimeError",
            "tensor.H is only supported on matrices, and this tensor has "
            f"{self.array.ndim} dimensions. Take tensor.mH of batches of matrices.",
        )
    return Tensor(asarray(self.array.conj()).T if self.array.dtype.kind == "c" else self.array.T)


@operator("aten::mH(Tensor(a) self) -> Tensor(a)", "aten::mH.a(Tensor(a) self) -> Tensor(a)")
def batched_adjoint(self: Tensor) -> Tensor:
    """``x.mH``: each matrix of a batch, conjugated and transposed."""
    if self.array.ndim == 0:
        return wrap(self.array.conj()) if self.array.dtype.kind == "c" else self
    if self.array.ndim < 2:
        raise ScriptError(
            "RuntimeError",
            "tensor.mH is only supported on matrices or batches of matrices. "
            f"Got {self.array.ndim}-D tensor.",
        )
    swapped = with_strides_if_empty(self.array).swapaxes(-1, -2)
    return Tensor(swapped.conj() if swapped.dtype.kind == "c" else swapped)


@operator("aten::mT(Tensor(a) self) -> Tensor(a)", "aten::mT.a(Tensor(a) self) -> Tensor(a)")
def matrix_transpose(self: Tensor) -> Tensor:
    if self.array.ndim == 0:
        return self
    if self.array.ndim < 2:
        raise ScriptError(
            "RuntimeError",
            "tensor.mT is only supported on matrices or batches of matrices. "
            f"Got {self.array.ndim}-D tensor.",
        )
    return Tensor(with_strides_if_empty(self.array).swapaxes(-1, -2))


@operator("aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)")
def movedim(self: Tensor, source: int, destination: int) -> Tensor:
    return movedim_list(self, [source], [destination])


@operator(
    "aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
)
def movedim_list(self: Tensor, source: list[int], destination: list[int]) -> Tensor:
    a = self.array
    if len(source) != len(destination):
        raise ScriptError(
            "RuntimeError",
            "movedim: Invalid source or destination dims: source "
            f"({list(source)} dims) should contain the same number of dims as destination "
            f"({list(destination)} dims)",
        )
    moved_from = wrap_dimensions(source, a.ndim)
    moved_to = wrap_dimensions(destination, a.ndim)
    moved = np.moveaxis(with_strides_if_empty(a), moved_from, moved_to) if a.ndim else a.view()
    return Tensor(moved)


in_place_views("transpose.int:- t swapaxes swapdims")
second_name("adjoint", "mH")
second_name("moveaxis", "movedim", "intlist int")
