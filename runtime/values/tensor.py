"""The tensor: a NumPy array with PyTorch's dtypes, sharing memory between views.

A `Tensor` is only its array; dtype, shape and strides are read from it. The array may have zero
dimensions but is never a NumPy scalar. Operators live in `runtime.operators`; the Python operators
of a tensor (``a + b``, ``a[0]``) come from `TensorOperators` and call the same kernels.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from tsc.compiler.types import TENSOR, Device, Type
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import is_grad_enabled, is_inference_mode_enabled
from tsc.runtime.context.gradient_state import leaves
from tsc.runtime.context.hooks import eager_operators, tape
from tsc.runtime.values.autograd_record import AutogradRecord, new_leaf
from tsc.runtime.values.tensor_operators import TensorOperators
from tsc.runtime.values.text.tensor_constant_text import constant_text
from tsc.runtime.values.text.tensor_printing import format_tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

np.empty(31 << 20, np.uint8)
"""Allocated and freed at once: having seen a large piece freed, glibc's malloc keeps the memory of
temporaries up to that size, where it would give each back to the system and fetch it anew."""

ndarray = np.ndarray
asarray = np.asarray


def _array_of(data: object) -> Array:
    """The elements of nested lists as float32; arrays of NumPy's other classes as they are."""
    if isinstance(data, ndarray):
        return cast("Array", data)
    if isinstance(data, list | tuple):
        try:
            return np.array(cast("list[Any]", data), np.float32)
        except (TypeError, ValueError) as error:
            raise ScriptError("TypeError", f"no numbers to make a tensor of: {error}") from None
    raise ScriptError(
        "TypeError",
        f"new(): data must be a sequence, not {type(data).__name__}: tsc.tensor({data!r:.40}) makes a tensor of it",
    )


class Tensor(TensorOperators):
    """A tensor over `array`, an ``np.ndarray`` of one of the dtypes in `dtypes`.

    Lists of numbers are what Python's ``torch.Tensor`` makes of them: float32.
    """

    __slots__ = ("__weakref__", "array", "autograd")

    has_array: ClassVar[bool] = True
    """Whether it has elements in an array; those that are kept but not computed with have none."""

    def __init__(self, array: Array) -> None:
        self.array = array if array.__class__ is ndarray else _array_of(array)
        self.autograd: AutogradRecord | None = None

    @property
    def dtype(self) -> DType:
        return DTYPE_OF_NUMPY[self.array.dtype]

    @property
    def shape(self) -> tuple[int, ...]:
        """While a trace runs, the sizes are tensors: what is computed from them is recorded."""
        if trace_state.running and (recorder := trace_state.current()) is not None:
            return recorder.sizes(self)
        return self.array.shape

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def device(self) -> Device:
        return Device("cpu")

    @property
    def requires_grad(self) -> bool:
        record = self.autograd
        if record is None:
            return False
        return record.requires if record.base is None else tape().requires(self)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if self.grad_fn is not None:
            if not value:
                message = "you can only change requires_grad flags of leaf variables: take x.detach(), which is one"
                raise ScriptError("RuntimeError", message)
            return
        if value and not (self.dtype.is_floating_point or self.dtype.is_complex):
            message = (
                "only Tensors of floating point and complex dtype can require gradients, not "
                f"of {self.dtype}"
            )
            raise ScriptError("RuntimeError", message)
        if value and self.is_inference() and not is_inference_mode_enabled():
            message = (
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed: "
                "take a clone of it, which is a usual tensor"
            )
            raise ScriptError("RuntimeError", message)
        if value != self.requires_grad:
            self._set_leaf(value)

    def _set_leaf(self, requires: bool) -> None:
        """Begin or cease to require a gradient; views of it, and the gradient there is, remain known."""
        known, self.autograd = self.autograd, new_leaf() if requires else None
        if known is not None and (
            known.grad is not None
            or known.generation
            or known.base is not None
            or known.inference is not None
            or known.kind is not None
        ):
            made = self.autograd = self.autograd or AutogradRecord(False)
            made.grad, made.base, made.kind = known.grad, known.base, known.kind
            made.generation, made.seen = known.generation, known.seen
            made.inference = known.inference

    def is_inference(self) -> bool:
        """Whether it was made in ``inference_mode``, or looks into what was."""
        return self.autograd is not None and self.autograd.inference is not None

    @property
    def is_leaf(self) -> bool:
        """Whether it is no result of a computation that is recorded."""
        return self.grad_fn is None

    @property
    def grad(self) -> Tensor | None:
        """The gradient that ``backward`` summed up here."""
        return None if self.autograd is None else self.autograd.grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        tape().set_gradient(self, value)

    @property
    def grad_fn(self) -> Any:
        """The step of the computation that gave this result; None for a leaf."""
        record = self.autograd
        if record is None or not self.requires_grad:
            return None
        return record.node if record.base is None else tape().history(self)

    def constant_text(self) -> str:
        """How graphs show it where it is a constant, such as the default of a parameter."""
        return constant_text(self.array)

    def constant_type(self) -> Type:
        return TENSOR

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tensor | Sequence[Tensor] | None = None,
    ) -> None:
        """Sum up in the leaves, or in `inputs`, the gradient of this tensor; `gradient` is that of what follows.

        Raises:
            ScriptError: nothing was recorded, the graph was let go of, or an operator has no gradient.
        """
        tape().backward([self], [gradient], retain_graph, create_graph, inputs)

    def retain_grad(self) -> None:
        """Have the gradient of this result kept in `grad`, as that of a leaf is."""
        tape().retain_grad(self)

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was called; a leaf keeps its gradient anyway, and says no."""
        return self.autograd is not None and self.autograd.retains

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Have `hook` called with the gradient of this tensor; what it returns, unless None, replaces it.

        The result's ``remove()`` takes the hook back.
        """
        return tape().register_hook(self, hook)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if self.autograd is not None and self.autograd.node is not None:
            message = "Only Tensors created explicitly by the user support the deepcopy protocol: take x.detach()"
            raise ScriptError("RuntimeError", message)
        made = memo[id(self)] = type(self)(copy.deepcopy(self.array, memo))
        made.autograd = copy.deepcopy(self.autograd, memo)
        return made

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The array itself: it shares memory with the tensor.

        Raises:
            ScriptError: gradients are recorded, and what NumPy computes would not be; `force` asks for it nevertheless.
        """
        if self.autograd is not None and not force:
            self._refuse_to_leave()
        if trace_state.running:
            trace_state.leave("numpy", self)
        return self.array

    def _refuse_to_leave(self) -> None:
        """Raise `ScriptError` where what is computed from it is recorded."""
        if is_grad_enabled() and self.requires_grad:
            message = (
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead: "
                "what NumPy computes is not recorded"
            )
            raise ScriptError("RuntimeError", message)

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        if self.autograd is not None:
            self._refuse_to_leave()
        if trace_state.running:
            trace_state.leave("numpy", self)
        return np.array(self.array, dtype=dtype, copy=copy)

    def __array_wrap__(
        self, array: np.ndarray, _context: object = None, _return_scalar: bool = False
    ) -> Tensor:
        """``np.sin(tensor)`` is a tensor."""
        return wrap(array)

    def item(self) -> bool | int | float | complex:
        """The Python number of a tensor with one element."""
        if trace_state.running:
            trace_state.leave("item", self)
        if self.array.size != 1:
            message = f"a Tensor with {self.array.size} elements cannot be converted to Scalar"
            raise ScriptError("RuntimeError", message)
        value = self.array.item()
        return value if type(value) in _NUMBERS else float(value)

    def tolist(self) -> object:
        """Nested lists of Python numbers; a number for a 0-dim tensor."""
        if trace_state.running:
            trace_state.leave("tolist", self)
        if self.array.dtype.kind == "V":
            return self.array.astype(np.float32).tolist()
        return self.array.tolist()

    def __index__(self) -> int:
        if trace_state.running:
            trace_state.leave("__index__", self)
        if self.array.size != 1 or self.array.dtype.kind not in "iub":
            message = "only an integer tensor of one element can be converted to an index"
            raise ScriptError("TypeError", message)
        return int(self.array.item())

    def __format__(self, form: str) -> str:
        """That of the number for a tensor without dimensions."""
        return format(self.item(), form) if self.array.ndim == 0 else format(str(self), form)

    def __len__(self) -> int:
        if self.array.ndim == 0:
            raise ScriptError("TypeError", "len() of a 0-d tensor")
        if trace_state.running:
            trace_state.leave("__len__", self)
        return len(self.array)

    def __iter__(self) -> Iterator[Tensor]:
        if self.array.ndim == 0:
            raise ScriptError("TypeError", "iteration over a 0-d tensor")
        if trace_state.running and (recorder := trace_state.current()) is not None:
            return iter(recorder.rows(self))
        if leaves:
            return iter(eager_operators().call("unbind", self))
        return (wrap(row) for row in self.array)

    def __repr__(self) -> str:
        try:
            node = self.grad_fn
        except ScriptError:
            name = "Invalid"  # a view that must not be used: it can be looked at, as in PyTorch
        else:
            name = None if node is None else node.name
        return format_tensor(self.array, requires_grad=self.requires_grad, grad_fn=name)

    __hash__ = object.__hash__


_NUMBERS = frozenset({bool, int, float, complex})


def wrap(result: np.ndarray | np.generic) -> Tensor:
    """A tensor over what a NumPy function returned, an array or (for 0-dim results) a scalar."""
    return Tensor(result if type(result) is ndarray else asarray(result))
