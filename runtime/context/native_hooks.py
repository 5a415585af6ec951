"""What is asked of native code for large arrays and lists: hooks as those of `hooks`, each with what hangs on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tsc.runtime.context.hooks import Hook


class NativeWindows(Protocol):
    """Convolutions and pooling by native code, of float32 and float64."""

    def convolve(
        self,
        a: Any,
        weight: Any,
        bias: Any,
        stride: Sequence[int],
        before: Sequence[int],
        dilation: Sequence[int],
        groups: int,
        counts: Sequence[int],
    ) -> Any:
        """`counts` windows of an array that has margins of zeros, `before` of them in front."""
        ...

    def pool(
        self,
        a: Any,
        kernel: Sequence[int],
        stride: Sequence[int],
        before: Sequence[int],
        dilation: Sequence[int],
        counts: Sequence[int],
        sizes: Any,
    ) -> Any:
        """Maxima over windows, or their sums divided by `sizes` if there are any."""
        ...


class WindowSteps(Protocol):
    """Convolutions and pooling as kernels of groups of operators."""

    def convolution_step(
        self,
        a: Any,
        weight: Any,
        result: Any,
        settings: Sequence[Sequence[int]],
        groups: int,
        *,
        has_bias: bool,
    ) -> Any:
        """The kernels that compute one into `result`, by stride, padding and dilation."""
        ...

    def pooling_step(
        self, a: Any, result: Any, settings: Sequence[Sequence[int]], *, averages: bool
    ) -> Any:
        """Those of pooling into `result`, by kernel, stride, padding and dilation."""
        ...


class NativeDense(Protocol):
    """Dense layers by native code, of float32 and float64."""

    def dense(self, rows: Any, weight: Any, bias: Any, result: Any) -> None:
        """Into `result`, rows times those of the weights, plus the bias if there is one."""
        ...


class NativeAttention(Protocol):
    """Attention by native code, of float32 and float64."""

    def attend(
        self,
        q: Any,
        k: Any,
        v: Any,
        lead: Sequence[int],
        scale: float,
        mask: Any,
        is_causal: bool,
    ) -> Any:
        """The outputs of queries, keys and values that broadcast to `lead`, with a mask of truth values or numbers."""
        ...


class NativeRecurrent(Protocol):
    """Recurrent layers by native code, of float32 and float64."""

    def run_steps(
        self,
        kind: str,
        gates: Any,
        weight: Any,
        bias: Any,
        state: Sequence[Any],
        spans: Sequence[tuple[int, int]],
    ) -> Any:
        """The outputs of steps, whose rows are spans of the gates of inputs; the state is moved."""
        ...


class NativeArrays(Protocol):
    """Functions of large arrays by native code, once that pays; before, NumPy is to do what they do."""

    def running(self, operator: str, rows: Any, carried: Any, result: Any) -> Any:
        """Running sums (``add``) or products (``mul``) of rows without gaps, or None."""
        ...

    def running_extremes(self, operator: str, rows: Any) -> Any:
        """The ``max`` or ``min`` so far in rows without gaps, and where it was met last, or None."""
        ...

    def add_rows(self, target: Any, names: Any, rows: Any) -> bool:
        """Adds rows to those of a matrix that are named, or says False."""
        ...

    def bag_sums(self, table: Any, names: Any, bounds: Any) -> Any:
        """Sums of the rows of a table that are named, from each bound to the next one."""
        ...

    def shuffle(self, numbers: Any, draws: Any) -> bool:
        """Exchanges each number with one from it on, by a draw modulo how many these are, or says False."""
        ...

    def normals(self, draws: Any) -> Any:
        """As many normal float32 numbers as there are draws of 32 bits."""
        ...

    def transposed_copy(self, matrix: Any) -> Any:
        """A copy in row-major order of a matrix whose columns lie without gaps, or None."""
        ...


class NativePlanes(Protocol):
    """Functions on whole planes of float32 and float64 by native code."""

    def uneven_means(self, planes: Any, counts: Sequence[int]) -> Any:
        """Means of windows that cover up to three axes evenly."""
        ...

    def put_between(self, phases: Sequence[Any], result: Any) -> None:
        """Into every so many elements of rows of images, which lie without gaps, those of phases in turn."""
        ...

    def weighted_sums(self, planes: Any, rows: Any, columns: Any) -> Any:
        """Sums along rows, then along columns, of what is at places, times its weights."""
        ...


class NativeOrders(Protocol):
    """Sorting and selecting by native code, with equal elements where PyTorch leaves them."""

    def sorted_rows(self, rows: Any, *, descending: bool) -> tuple[Any, Any]:
        """The elements of each row in order, and where each was; not stable."""
        ...

    def first_of_rows(
        self, rows: Any, count: int, *, largest: bool, in_order: bool
    ) -> tuple[Any, Any]:
        """The largest or smallest elements of each row, and where they are."""
        ...


class NativeBorders(Protocol):
    """Values from Python by native code."""

    def content_check(self, element: Any, nanoseconds: int) -> Callable[[list[Any]], bool] | None:
        """What tells whether a list has elements of a type, and copies the lists in it; None as long as there is no
        code. So many nanoseconds were spent without.
        """
        ...


class NativeNumbers(Protocol):
    """Arrays of Python's numbers by native code."""

    def array_filler(self, nanoseconds: int) -> Callable[[list[Any], Any], bool] | None:
        """What fills an array with the numbers of nested lists, or says False; None as long as there is no code. So
        many nanoseconds were spent without.
        """
        ...


native_windows: Hook[NativeWindows] = Hook()
"""For convolutions and pooling that are large enough for it."""

window_steps: Hook[WindowSteps] = Hook()
"""For convolutions in groups: most programs have none."""

native_dense: Hook[NativeDense] = Hook()
"""For products with weights that are large enough for it."""

native_recurrent: Hook[NativeRecurrent] = Hook()
"""For sequences that are long enough for it."""

native_attention: Hook[NativeAttention] = Hook()
"""For as many scores as are worth it."""

native_arrays: Hook[NativeArrays] = Hook()
"""For arrays that are gone through in ways that NumPy is slow at."""

native_orders: Hook[NativeOrders] = Hook()
"""For orders that are not stable, of many elements."""

native_planes: Hook[NativePlanes] = Hook()
"""For planes that are large enough for it."""

native_borders: Hook[NativeBorders] = Hook()
"""For lists from Python that are long enough for it."""

native_numbers: Hook[NativeNumbers] = Hook()
"""For tensors that are made of lists, of so many that it is worth it."""
