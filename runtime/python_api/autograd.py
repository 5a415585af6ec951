"""``tsc.autograd``: gradients of tensors, under the names of ``torch.autograd``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tsc.compiler.emit.names.absent_names import absent_member
from tsc.runtime.autograd import tape
from tsc.runtime.autograd.function import Function
from tsc.runtime.context import grad_mode
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor import Tensor

__all__ = [
    "Function",
    "backward",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
]

enable_grad = grad_mode.EnableGrad
inference_mode = grad_mode.InferenceMode
no_grad = grad_mode.NoGrad
set_grad_enabled = grad_mode.SetGradEnabled


def __getattr__(name: str) -> Any:
    """Other names of ``torch.autograd`` are told apart from typos."""
    absence = absent_member("torch.autograd", name)
    reason = "" if absence is None else f". {absence}"
    raise AttributeError(f"module 'tsc.autograd' has no attribute {name!r}{reason}")


Tensors = Tensor | Sequence[Tensor]


def backward(
    tensors: Tensors,
    grad_tensors: Tensors | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
) -> None:
    """Sum up the gradients of `tensors` in the leaves they were computed from, or in `inputs` alone.

    Raises:
        ScriptError: nothing was recorded, the graph was let go of, or an operator has no gradient.
    """
    given = None if grad_tensors is None else _several(grad_tensors)
    tape.backward(_several(tensors), given, retain_graph, create_graph, inputs)


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Tensors | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs` with respect to `inputs`, None for what was not used if that is allowed.

    Raises:
        ScriptError: as `backward` does, or an input was not used.
    """
    given = None if grad_outputs is None else _several(grad_outputs)
    found = tape.grad(
        _several(outputs), _several(inputs), given, retain_graph, create_graph, allow_unused
    )
    return tuple(found)


def _several(tensors: Any) -> list[Any]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


# -- Checking --------------------------------------------------------------------------------------


def gradcheck(
    func: Callable[..., Any],
    inputs: Tensors,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Whether the gradients of ``func(*inputs)`` are what small changes of the inputs suggest.

    Inputs that require gradients are best float64. Complex numbers change in both of their parts.

    Raises:
        ScriptError: they are not, unless `raise_exception` is False.
    """
    arguments = _several(inputs)
    checked = [each for each in arguments if isinstance(each, Tensor) and each.requires_grad]
    for number, result in enumerate(_floating(func(*arguments))):
        for place in range(result.array.size):
            weight = np.zeros_like(result.array)
            weight.reshape(-1)[place] = 1
            problem = _problem_at(func, arguments, checked, number, Tensor(weight), eps, atol, rtol)
            if problem is not None:
                if raise_exception:
                    raise ScriptError("RuntimeError", problem)
                return False
    return True


def gradgradcheck(func: Callable[..., Any], inputs: Tensors, **options: Any) -> bool:
    """`gradcheck` of the gradients of ``func``."""
    arguments = _several(inputs)
    checked = [each for each in arguments if isinstance(each, Tensor) and each.requires_grad]

    def first_order(*given: Any) -> tuple[Tensor, ...]:
        results = [each for each in _floating(func(*given)) if each.requires_grad]
        weights = [_weights(each) for each in results]
        wanted = [each for each, old in zip(given, arguments) if any(old is k for k in checked)]
        found = grad(results, wanted, weights, create_graph=True, allow_unused=True)
        return tuple(each for each in found if each is not None and each.requires_grad)

    return gradcheck(first_order, arguments, **options)


def _weights(tensor: Tensor) -> Tensor:
    numbers = np.cos(np.arange(tensor.array.size) * 0.7 + 0.3)
    return Tensor(numbers.reshape(tensor.array.shape).astype(tensor.array.dtype))


def _floating(value: Any) -> list[Tensor]:
    if isinstance(value, (list, tuple)):
        return [tensor for each in value for tensor in _floating(each)]
    if not isinstance(value, Tensor):
        return []
    return [value] if value.dtype.is_floating_point or value.dtype.is_complex else []


def _problem_at(
    func: Callable[..., Any],
    arguments: list[Any],
    checked: list[Tensor],
    number: int,
    weight: Tensor,
    eps: float,
    atol: float,
    rtol: float,
) -> str | None:
    """What is wrong with the gradient of one element of one result."""
    result = _floating(func(*arguments))[number]
    found: Sequence[Tensor | None] = [None] * len(checked)
    if result.requires_grad:
        found = grad(result, checked, weight, allow_unused=True)
    for k, (tensor, gradient) in enumerate(zip(checked, found)):
        expected = _measured(func, arguments, tensor, number, weight.array, eps)
        got = np.zeros_like(expected) if gradient is None else gradient.array
        if not np.allclose(got, expected, rtol, atol, equal_nan=True):
            return (
                f"Jacobian mismatch for output {number} with respect to input {k}:\n"
                f"numerical: {expected}\nanalytical: {got}"
            )
    return None


def _measured(
    func: Callable[..., Any],
    arguments: list[Any],
    tensor: Tensor,
    number: int,
    weight: np.ndarray,
    eps: float,
) -> np.ndarray:
    """The gradient of one element of a result by differences."""
    flat = tensor.array.reshape(-1) if tensor.array.flags.c_contiguous else tensor.array.flat
    slopes = np.zeros(tensor.array.shape, tensor.array.dtype)
    steps = (eps, 1j * eps) if tensor.dtype.is_complex else (eps,)

    def value_at(place: int, number_there: Any) -> Any:
        flat[place] = number_there
        array = _floating(func(*arguments))[number].array
        return np.vdot(weight, array).real

    for place in range(tensor.array.size):
        before = flat[place]
        for step in steps:
            slope = (value_at(place, before + step) - value_at(place, before - step)) / (2 * eps)
            slopes.reshape(-1)[place] += slope * (step / eps)
            flat[place] = before
    return slopes
