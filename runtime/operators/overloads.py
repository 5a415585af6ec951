"""Overloads that run the kernel of another operator, with its arguments in other places, fewer or more of them.

overloads_of(convolution, "aten::_convolution(..., bool benchmark) -> Tensor")
overloads_of(rand_generator, "aten::rand(SymInt[] size, ...) -> Tensor", generator=None)
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from tsc.compiler.schema import Options, argument_names
from tsc.runtime.operators.registration import operator


def overloads_of(
    kernel: Callable[..., Any],
    *schema_texts: str,
    options: Options | None = None,
    extra: Callable[[], tuple[Any, ...]] | None = None,
    **fixed: Any,
) -> None:
    """Declare operators that run `kernel`.

    Its parameters get the arguments that are called the same, or what is `fixed` for them. Arguments
    that it does not take have no effect. What `extra` gives follows the results.
    """
    code = kernel.__code__
    parameters = code.co_varnames[: code.co_argcount]
    for text in schema_texts:
        names = [*argument_names(text), *fixed]
        take = itemgetter(*(names.index(each) for each in parameters))
        operator(text, **options or {})(_rearranged(kernel, take, tuple(fixed.values()), extra))


def _rearranged(
    kernel: Callable[..., Any],
    take: Callable[[tuple[Any, ...]], tuple[Any, ...]],
    fixed: tuple[Any, ...],
    extra: Callable[[], tuple[Any, ...]] | None,
) -> Callable[..., Any]:
    def overload(*arguments: Any) -> Any:
        return kernel(*take(arguments + fixed))

    if extra is None:
        return overload

    def overload_with_extra(*arguments: Any) -> Any:
        return *kernel(*take(arguments + fixed)), *extra()

    return overload_with_extra
