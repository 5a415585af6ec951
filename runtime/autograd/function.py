"""Functions whose gradient Python gives: classes with ``forward`` and ``backward``, as ``torch.autograd.Function``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING
from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.autograd.nodes import Node, edge_of
from tsc.runtime.autograd.recording import described, requiring
from tsc.runtime.autograd.saved import Saved, restored
from tsc.runtime.autograd.views import check_writable, rewrite
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import GradMode, is_grad_enabled
from tsc.runtime.context.gradient_state import note_write
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor


class FunctionContext:
    """What ``forward`` and ``backward`` know as ``ctx``; attributes of one's own can be set."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self._to_save: tuple[Any, ...] = ()
        self._restore: Callable[[], tuple[Any, ...]] | None = None
        self._without_gradient: tuple[Any, ...] = ()
        self._dirty: tuple[Any, ...] = ()
        self._materializes = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for ``backward``, which refuses those that were written to since."""
        self._to_save = tensors

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What was saved; in ``backward`` with its history, where gradients of gradients are wanted."""
        return self._to_save if self._restore is None else self._restore()

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Results that require no gradient."""
        self._without_gradient = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Inputs that ``forward`` writes to and returns."""
        self._dirty = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether ``backward`` gets zeros for undefined gradients; otherwise it gets None."""
        self._materializes = value


class Function:
    """The base of functions with a gradient of their own: ``forward`` and ``backward`` are static methods.

    ``forward(ctx, *args)`` computes, or ``forward(*args)`` beside ``setup_context(ctx, inputs, output)``;
    ``backward(ctx, *gradients)`` gives a gradient, or None, for each argument. ``apply`` calls and records them.
    """

    def __init__(self) -> None:
        raise ScriptError("RuntimeError", f"{type(self).__name__} is not made: call its apply(...)")

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """What the function computes."""
        message = "You must implement the forward function for custom autograd.Function."
        raise ScriptError("NotImplementedError", message)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of the arguments, given those of the results."""
        message = "You must implement the backward method for your custom autograd.Function to have gradients of it"
        raise ScriptError("NotImplementedError", message)

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Call the function."""
        return applied(cls, args)


def applied(function: Any, args: Sequence[Any]) -> Any:
    """What ``forward`` gives, recorded where an argument requires a gradient."""
    records = [requiring(each) if isinstance(each, Tensor) else None for each in args]
    context = FunctionContext(tuple(record is not None for record in records))
    with GradMode(False):
        if "setup_context" in dir(function) and _has_context_of_its_own(function):
            given = function.forward(*args)
            function.setup_context(context, tuple(args), given)
        else:
            given = function.forward(context, *args)
    results = list(given) if isinstance(given, tuple) else [given]
    edges = [
        edge_of(value, record, place)
        for place, (value, record) in enumerate(zip(args, records))
        if record is not None
    ]
    if edges and is_grad_enabled():
        _note(function, context, edges, args, results)
    return tuple(results) if isinstance(given, tuple) else results[0]


def _has_context_of_its_own(function: Any) -> bool:
    """Whether a class says itself how contexts are set up, which PyTorch's base class has a method for, too."""
    defined = [each for each in function.__mro__ if "setup_context" in vars(each)]
    return not defined[0].__module__.startswith("torch.")


def _note(
    function: Any,
    context: FunctionContext,
    edges: Sequence[Any],
    args: Sequence[Any],
    results: list[Any],
) -> None:
    dirty = [each for each in results if _is_in(each, context._dirty)]
    for each in dirty:
        check_writable(each)
    step = FunctionStep(function, context, len(args))
    for place, each in enumerate(results):
        if _is_in(each, args) and not _is_in(each, dirty):
            results[place] = Tensor(each.array)  # an argument that is handed back stays what it is
    node = Node(step, edges, (), [described(each) for each in results])
    for place, each in enumerate(results):
        if not isinstance(each, Tensor) or _is_in(each, context._without_gradient):
            continue
        if _is_in(each, dirty):
            note_write(storage_of(each.array))
            rewrite(each, node)
        elif CATEGORY[each.array.dtype] >= FLOATING:
            each.autograd = AutogradRecord(True, node, place)
    node.saved = {"tensors": [_saved(each, results) for each in context._to_save]}
    context._to_save = ()


def _is_in(value: Any, several: Sequence[Any]) -> bool:
    return isinstance(value, Tensor) and any(value is each for each in several)


def _saved(value: Any, results: Sequence[Any]) -> Any:
    if not isinstance(value, Tensor):
        return value
    place = next((k for k, each in enumerate(results) if each is value), -1)
    return Saved(value, place)


class FunctionStep:
    """A function of Python as a step of a recorded computation."""

    def __init__(self, function: Any, context: FunctionContext, arguments: int) -> None:
        self._function, self._context, self._arguments = function, context, arguments

    def name_of(self, node: Node) -> str:
        return f"{self._function.__name__}Backward"

    @property
    def takes_undefined(self) -> bool:
        return not self._context._materializes

    def gradients(self, node: Node, given: Sequence[Any], create_graph: bool) -> list[Any]:
        """What ``backward`` gives for the arguments that require one. Raises `ScriptError` for another number."""
        self._context._restore = lambda: tuple(restored(node.saved["tensors"], create_graph, node))
        found = self._function.backward(self._context, *given)
        gradients = found if isinstance(found, tuple) else (found,)
        extra = gradients[self._arguments :]
        if len(gradients) < self._arguments or any(each is not None for each in extra):
            message = (
                f"function {node.name} returned an incorrect number of gradients "
                f"(expected {self._arguments}, got {len(gradients)})"
            )
            raise ScriptError("RuntimeError", message)
        return [gradients[edge.argument] for edge in node.edges]
