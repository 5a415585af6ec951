"""Calls as the Edge dialect has them: one dtype, tensors in the place of numbers, copies in the place of views."""

from __future__ import annotations

from typing import Any, Final

from tsc.compiler.exir.verification.edge_operators import (
    IMPLICIT_DTYPES,
    TO_FLOATING,
    WITH_NUMBERS,
    edge_name,
)
from tsc.compiler.schema import Operator
from tsc.compiler.types import NUMBER, OptionalType, TypeKind
from tsc.compiler.types.tensor_options import MEMORY_FORMATS, Device
from tsc.runtime.arrays.dtypes import CODE_OF_NUMPY
from tsc.runtime.arrays.type_promotion import floating_dtype, result_dtype
from tsc.runtime.exporting.data_numbers import RecordedNumber, hinted
from tsc.runtime.exporting.decomposition.calls import Calls, find
from tsc.runtime.exporting.decomposition.functional_tensors import FunctionalTensor
from tsc.runtime.operators.layout.dim_orders import own_order

_CHANNELS_LAST: Final = {
    MEMORY_FORMATS["channels_last"]: [0, 2, 3, 1],
    MEMORY_FORMATS["channels_last_3d"]: [0, 2, 3, 4, 1],
}
_ORDERED: Final = {
    "aten::clone": "dim_order_ops::_clone_dim_order",
    "aten::_to_copy": "dim_order_ops::_to_dim_order_copy",
}
"""Operators that are told a memory format, and those that are told an order of dimensions."""
_NUMBERS: Final = (NUMBER, OptionalType(NUMBER))
_CONDITIONS: Final = {"aten::where.self": 1}
"""How many tensors in front are conditions, whose dtype meets no other one."""


class EdgeCalls(Calls):
    """Records calls in the forms of the Edge dialect."""

    def _recorded(self, operator: Operator, values: list[Any]) -> Any:
        name = operator.qualified_name
        edge = edge_name(name)
        if edge != name:
            return super()._recorded(find(edge), values)
        if name in _ORDERED:
            return self._laid_out(find(_ORDERED[name]), operator, values)
        values = self._without_formats(operator, values)
        if name in IMPLICIT_DTYPES | TO_FLOATING | WITH_NUMBERS:
            values = self._of_one_dtype(operator, values)
        return super()._recorded(operator, values)

    # -- Dtypes ----------------------------------------------------------------------------------

    def _of_one_dtype(self, operator: Operator, values: list[Any]) -> list[Any]:
        """All tensors converted to the dtype in which they meet, numbers as tensors of it."""
        code = self._common_dtype(operator, values)
        skipped = _CONDITIONS.get(operator.qualified_name, 0)
        found = list(values[:skipped])
        for argument, value in zip(operator.schema.arguments[skipped:], values[skipped:]):
            if argument.type.kind is TypeKind.TensorType and value is not None:
                found.append(self._converted(value, code))
            elif isinstance(value, list) and any(isinstance(e, FunctionalTensor) for e in value):
                found.append([self._converted(each, code) for each in value])
            else:
                found.append(value)
        return found

    def _common_dtype(self, operator: Operator, values: list[Any]) -> int:
        skipped = _CONDITIONS.get(operator.qualified_name, 0)
        operands: list[Any] = []
        with_numbers = operator.qualified_name in WITH_NUMBERS
        for argument, value in zip(operator.schema.arguments[skipped:], values[skipped:]):
            is_met = argument.type.kind is TypeKind.TensorType or (
                with_numbers and argument.type in _NUMBERS and not argument.kwarg_only
            )
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, FunctionalTensor):
                    operands.append(each.value.array)
                elif is_met and each is not None:
                    operands.append(hinted(each))
        dtype = result_dtype(operands)
        if operator.qualified_name in TO_FLOATING:
            dtype = floating_dtype(dtype)
        return CODE_OF_NUMPY[dtype]

    def _converted(self, value: Any, code: int) -> Any:
        if isinstance(value, FunctionalTensor):
            return value if value.code == code else self("_to_copy", value, dtype=code)
        if isinstance(value, bool | int | float | complex):
            options = {"layout": 0, "device": Device("cpu"), "pin_memory": False}
            return self("full", [], value, dtype=code, **options)
        if isinstance(value, RecordedNumber):
            return self("scalar_tensor", value, dtype=code)
        return self("scalar_tensor", value, dtype=code)

    # -- Memory ----------------------------------------------------------------------------------

    def _laid_out(self, ordered: Operator, operator: Operator, values: list[Any]) -> Any:
        """A copy that is told the order of its dimensions."""
        named = {each.name: value for each, value in zip(operator.schema.arguments, values)}
        memory_format = named.pop("memory_format", None)
        array = values[0].value.array
        named["dim_order"] = _order(memory_format, array)
        given = [named.get(each.name, each.default) for each in ordered.schema.arguments]
        return super()._recorded(ordered, given)

    def _without_formats(self, operator: Operator, values: list[Any]) -> list[Any]:
        """Tensors that are made anew lie row by row."""
        names = [each.name for each in operator.schema.arguments]
        return [
            None if name == "memory_format" else value
            for name, value in zip(names, values, strict=True)
        ]


def _order(memory_format: int | None, array: Any) -> list[int]:
    """What a memory format says of a tensor: its own order, if it keeps that."""
    order = _CHANNELS_LAST.get(memory_format) if memory_format is not None else None
    if order is not None and len(order) == array.ndim:
        return list(order)
    if memory_format in (None, MEMORY_FORMATS["preserve_format"]):
        return own_order(array)
    return list(range(array.ndim))
