"""Samples as TorchScript functions: one text for each form in which an operator can be called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .forms import Operator, Written, forms_of
from .literals import LiteralWriter, NotExpressible


@dataclass(frozen=True)
class Sample:
    """What an operator is called with; `operator` is its name in PyTorch's database."""

    operator: Operator
    dtype: str
    input: Any
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] | None = None


@dataclass(frozen=True)
class Script:
    """The source of a function ``f``, and the tensors it takes."""

    text: str
    tensors: tuple[Any, ...]


# Keywords with values that change nothing; TorchScript's schemas do not have them.
_IDLE = {"requires_grad": False, "as_tuple": False}


def scripts(
    sample: Sample, is_tensor: Callable[[Any], bool], typed: bool = False
) -> Iterator[Script]:
    """The sample as function, method, in-place and operator call, as far as there are such forms.

    `typed`: see `LiteralWriter`.
    """
    writer = LiteralWriter(is_tensor, typed)
    try:
        written = Written(
            writer.text(sample.input),
            tuple(map(writer.text, sample.args)),
            {name: writer.text(value) for name, value in _telling(sample.kwargs).items()},
            is_tensor(sample.input),
        )
    except NotExpressible:
        return
    parameters = ", ".join(f"x{index}" for index in range(len(writer.tensors)))
    for body in forms_of(sample.operator, written):
        yield Script(f"def f({parameters}):\n    {body}\n", tuple(writer.tensors))


def _telling(keywords: dict[str, Any] | None) -> dict[str, Any]:
    given = keywords or {}
    return {
        name: value
        for name, value in given.items()
        if name not in _IDLE or value is not _IDLE[name]
    }
