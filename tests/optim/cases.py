"""Optimizers with options, and parameters that they change by given gradients, in tsc or in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

STEPS = 40
RECORDED_AT = (1, 2, 40)
CASES = (
    "SGD()",
    "SGD(lr=0.1, momentum=0.9)",
    "SGD(lr=0.1, momentum=0.9, dampening=0.2, weight_decay=0.1)",
    "SGD(lr=0.1, momentum=0.9, nesterov=True)",
    "SGD(weight_decay=0.3, maximize=True)",
    "Adam()",
    "Adam(lr=0.05, betas=(0.5, 0.6), eps=0.001)",
    "Adam(lr=0.05, weight_decay=0.1)",
    "Adam(lr=0.05, amsgrad=True, maximize=True)",
    "Adam(lr=0.05, weight_decay=0.1, decoupled_weight_decay=True)",
    "AdamW()",
    "AdamW(lr=0.05, amsgrad=True, weight_decay=0.2)",
    "RMSprop()",
    "RMSprop(centered=True)",
    "RMSprop(momentum=0.9, weight_decay=0.1)",
    "RMSprop(centered=True, momentum=0.8, alpha=0.8, maximize=True)",
)
SHAPES = ((3, 2), (2,), ())


def parameters(library: Any, dtype: str = "float32") -> list[Any]:
    """Leaves that require gradients."""
    made = [library.from_numpy(_numbers(shape, 0).astype(dtype)) for shape in SHAPES]
    for each in made:
        each.requires_grad = True
    return made


def give_gradients(library: Any, given: list[Any], step: int) -> None:
    for k, parameter in enumerate(given):
        array = _numbers(SHAPES[k], step + 1).astype(str(parameter.dtype).removeprefix("torch."))
        parameter.grad = library.from_numpy(array)


def _numbers(shape: tuple[int, ...], step: int) -> np.ndarray:
    count = int(np.prod(shape))
    return np.cos(np.arange(count) * 0.7 + step * 1.3 + len(shape)).reshape(shape)


def made(library: Any, case: str, given: Any) -> Any:
    """The optimizer of a case."""
    name, _, options = case.partition("(")
    return getattr(library.optim, name)(given, **eval(f"dict({options}"))


def trajectory(library: Any, case: str, dtype: str = "float32") -> list[Any]:
    """The parameters after the recorded steps, and the state in the end, as lists."""
    given = parameters(library, dtype)
    optimizer = made(library, case, given)
    told: list[Any] = []
    for step in range(STEPS):
        give_gradients(library, given, step)
        optimizer.step()
        if step + 1 in RECORDED_AT:
            told.append([each.tolist() for each in given])
    return [*told, as_lists(optimizer.state_dict())]


def as_lists(value: Any) -> Any:
    """A state with lists for tensors and tuples, and texts for keys, as JSON has it."""
    if isinstance(value, dict):
        return {str(key): as_lists(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_lists(each) for each in value]
    return value.tolist() if hasattr(value, "tolist") else value
