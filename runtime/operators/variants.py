"""Further forms of declared operators: in place, on a copy, under a second name; for ``out=`` see `out_variants`.

A family lists what forms its operators have. Schemas are derived by rule (`derived_schemas`); kernels are made from
those of the operators when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from tsc.compiler.schema import Details, Facts, Layout, Operator
from tsc.runtime.arrays.dimensions import check_no_partial_overlap, check_not_expanded
from tsc.runtime.arrays.type_promotion import check_can_cast
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.derived_schemas import (
    NAMELESS,
    copying_schema,
    declared,
    forms,
    functional_schema,
    in_place_name,
    in_place_schema,
    renamed_schema,
)
from tsc.runtime.operators.kernel_notes import Kernel, noted
from tsc.runtime.operators.registration import operator, table
from tsc.runtime.operators.result_layouts import with_layout
from tsc.runtime.values.tensor import Tensor


def store(target: Tensor, result: np.ndarray, operands: Sequence[Any] = ()) -> Tensor:
    """Write `result` into `target`, which has its shape; the dtype category may not go down.

    Tensors among the `operands` may not share a part of the memory of `target`.
    """
    array = target.array
    for operand in operands:
        if type(operand) is Tensor:
            check_no_partial_overlap(array, operand.array)
    check_can_cast(result.dtype, array.dtype)
    if array.shape != result.shape:
        message = (
            f"output with shape {list(array.shape)} doesn't match the broadcast shape "
            f"{list(result.shape)}"
        )
        raise ScriptError("RuntimeError", message)
    check_not_expanded(array)
    array[...] = result
    return target


def in_place_forms(listing: str) -> None:
    """Declare in-place forms that store what their functional operators return; for the list see `forms`."""
    for functional, overload, _ in forms(listing):
        text = in_place_schema(functional.text, overload)
        table.defer(text, partial(_in_place, functional), **_in_place_facts(functional))


def in_place_form(functional_name: str) -> Callable[[Kernel], Kernel]:
    """Declare the decorated kernel as the in-place form of a functional operator, named as in `forms`."""
    functional, overload, _ = next(forms(functional_name))
    text = in_place_schema(functional.text, overload)
    return operator(text, **_in_place_facts(functional))


def in_place_views(listing: str) -> None:
    """Declare forms that make their tensor look at its memory as the views in the list would."""
    for view, overload, _ in forms(listing):
        text = in_place_schema(view.text, overload)
        table.defer(text, partial(_looking_again, view), **_in_place_facts(view))


def functional_forms(
    listing: str, order: Literal["C", "K"] = "C", **options: Unpack[Details]
) -> None:
    """Declare operators that run what writes to its first argument on a copy, which has this memory order."""
    make = partial(_on_copy, order=order, layout=options.get("layout"))
    for writing, _, _ in forms(listing):
        text = functional_schema(writing.text)
        table.defer(text, partial(make, writing), effects=writing.effects, **options)


def copying_forms(listing: str) -> None:
    """Declare operators that copy what the views in the list would show."""
    for view, _, _ in forms(listing):
        table.defer(copying_schema(view.text), partial(_copying, view))


def second_name(name: str, first: str, overloads: str = NAMELESS) -> None:
    """Declare overloads of the operator `first` under another name, too."""
    for overload in overloads.split():
        original = declared(first if overload == NAMELESS else f"{first}.{overload}")
        facts: Facts = {
            "effects": original.effects,
            "first_name": original.first_name or original.name,
        }
        text = renamed_schema(original.text, name)
        table.defer(text, partial(kernel_of, original), **facts, **original.details)


def _in_place_facts(functional: Operator) -> Facts:
    """The first name of the in-place form of an operator that has one."""
    first = functional.first_name
    return Facts() if first is None else {"first_name": in_place_name(first)}


def kernel_of(original: Operator) -> Callable[..., Any]:
    """The kernel of an operator of this runtime, which has one."""
    kernel: Any = original.kernel
    return kernel


def _plain_kernel(functional: Operator) -> Callable[..., Any]:
    """The kernel whose results still lie in memory as they were computed."""
    kernel = kernel_of(functional)
    return getattr(kernel, "plain", kernel)


def _in_place(functional: Operator) -> Callable[..., Tensor]:
    kernel = _plain_kernel(functional)

    def in_place(self: Tensor, *arguments: Any) -> Tensor:
        return store(self, kernel(self, *arguments).array, arguments)

    return noted(in_place, functional=kernel)


def _looking_again(view: Operator) -> Callable[..., Tensor]:
    function = kernel_of(view)

    def in_place(self: Tensor, *arguments: Any) -> Tensor:
        self.array = function(self, *arguments).array
        return self

    return noted(in_place, functional=function)


def _on_copy(
    writing: Operator, order: Literal["C", "K"], layout: Layout | None
) -> Callable[..., Tensor]:
    write = kernel_of(writing)

    def on_copy(self: Tensor, *arguments: Any) -> Tensor:
        return write(Tensor(self.array.copy(order=order)), *arguments)

    noted(on_copy, functional=write)
    return on_copy if layout is None else with_layout(layout, on_copy)


def _copying(view: Operator) -> Callable[..., Tensor | list[Tensor]]:
    function = kernel_of(view)

    def copy(*arguments: Any) -> Tensor | list[Tensor]:
        shown = function(*arguments)
        if type(shown) is list:
            return [Tensor(each.array.copy()) for each in shown]
        return Tensor(shown.array.copy())

    return copy
