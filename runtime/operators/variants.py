"""In-place forms of an operator, made from its functional kernel; for ``out=`` see `out_variants`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tsc.runtime.arrays.dimensions import check_no_partial_overlap, check_not_expanded
from tsc.runtime.arrays.type_promotion import check_can_cast
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.out_variants import CASTABLE, OutRule, declare_out_variants
from tsc.runtime.operators.registration import Kernel, operator, table
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


def in_place_variant(schema_text: str, kernel: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Declare `schema_text`, which writes what `kernel` returns into its first argument."""

    def in_place(self: Tensor, *arguments: Any) -> Tensor:
        return store(self, kernel(self, *arguments).array, arguments)

    in_place.functional = kernel
    table.declare(schema_text, in_place)
    return in_place


def operator_and_out(
    schema_text: str, out_overload: str = "", rule: OutRule = CASTABLE
) -> Callable[[Kernel], Kernel]:
    """Declare the decorated kernel under `schema_text`, and in the ``out=`` form of that schema.

    The form takes an output for each result, by its name: ``aten::f(Tensor self) -> Tensor`` makes
    ``aten::f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)``.
    """

    def declare(kernel: Kernel) -> Kernel:
        operator(schema_text)(kernel)
        declare_out_variants(rule, _out_schema(schema_text, out_overload))
        return kernel

    return declare


def _out_schema(schema_text: str, out_overload: str) -> str:
    """The schema of the ``out=`` form."""
    signature, _, results = schema_text.rpartition(" -> ")
    head, _, arguments = signature.removesuffix(")").partition("(")
    name, _, overload = head.partition(".")
    names = [each.strip().removeprefix("Tensor").strip() for each in results.strip("()").split(",")]
    outputs = [f"Tensor({letter}!) {each or 'out'}" for letter, each in zip("abcdef", names)]
    marker = "" if "*, " in arguments else "*, "
    joined = ", ".join(outputs)
    returned = f"({joined})" if len(outputs) > 1 else "Tensor(a!)"
    chosen = out_overload or (f"{overload}_out" if overload else "out")
    return f"{name}.{chosen}({arguments}, {marker}{joined}) -> {returned}"
