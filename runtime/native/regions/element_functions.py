"""Functions of a module that work on single elements of tensors: small, and put where they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir

from tsc.runtime.arrays.dtypes import BOOL, DOUBLE, LONG
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE, LOW_PRECISION
from tsc.runtime.native.expressions.expression_lowering import Operand, lowered
from tsc.runtime.native.expressions.instructions import (
    Element,
    Instructions,
    NotLowered,
    NumberElement,
)
from tsc.runtime.native.regions.forms import INTEGER, REAL, Form, Native, NotNative
from tsc.runtime.native.regions.list_sorting import ListSorting
from tsc.runtime.native.regions.llvm_types import element_type
from tsc.runtime.native.regions.tensor_rules import Computation

_NUMBERS: Final[dict[Form, np.dtype]] = {REAL: DOUBLE, INTEGER: LONG}
_Body = Callable[[Instructions, Sequence[str]], Element | None]


class _WrittenFunction(ir.Function):
    """A function whose text is written already."""

    text: Any

    def __str__(self) -> Any:
        return self.text


class ElementFunctions(ListSorting):
    """Emits operations on elements."""

    def load_element(self, dtype: np.dtype, place: Native) -> Native:
        def body(code: Instructions, given: Sequence[str]) -> Element:
            return code.load(given[0], dtype)

        return self._called(f"element_load_{dtype}", element_type(dtype), [place], body)

    def store_element(self, dtype: np.dtype, value: Native, place: Native) -> None:
        def body(code: Instructions, given: Sequence[str]) -> None:
            code.store(Element(given[0], dtype), given[1])

        self._called(f"element_store_{dtype}", ir.VoidType(), [value, place], body)

    def cast_element(self, value: Native, source: np.dtype, dtype: np.dtype) -> Native:
        """An element in another dtype."""
        if source == dtype:
            return value

        def body(code: Instructions, given: Sequence[str]) -> Element:
            return code.cast(Element(given[0], source), dtype)

        return self._called(f"element_{source}_{dtype}", element_type(dtype), [value], body)

    def computed_element(
        self, computation: Computation, operands: Mapping[str, tuple[Native, Form | np.dtype] | Any]
    ) -> Native:
        """What is computed of elements (with their dtype), numbers (with their form), and what is known."""
        places = {name: each for name, each in operands.items() if isinstance(each, tuple)}

        def body(code: Instructions, given: Sequence[str]) -> Element:
            named: dict[str, Any] = {**operands}
            for text, (name, (_, kind)) in zip(given, places.items()):
                named[name] = _operand(text, kind)
            return _computed(code, computation, named)

        self.computations += 1
        type = element_type(computation.result)
        values = [value for value, _ in places.values()]
        return self._called(f"element_computed_{self.computations}", type, values, body)

    computations = 0

    def _called(
        self, name: str, result: ir.Type, operands: Sequence[Native], body: _Body
    ) -> Native:
        function = self.module.globals.get(name)
        if function is None:
            function = self._written(name, result, [each.type for each in operands], body)
        return self.builder.call(function, operands)

    def _written(
        self, name: str, result: ir.Type, parameters: Sequence[ir.Type], body: _Body
    ) -> ir.Function:
        code = Instructions()
        given = [f"%given{place}" for place in range(len(parameters))]
        try:
            made = body(code, given)
        except NotLowered:
            raise NotNative("what is computed of these dtypes has no native code") from None
        for declaration in sorted(code.intrinsics):
            self._declare(declaration)
        taken = ", ".join(f"{type} {each}" for type, each in zip(parameters, given))
        end = "ret void" if made is None else f"ret {result} {made.name}"
        head = f"define internal {result} @{name}({taken}) alwaysinline nounwind {{"
        return self._function_of_text(
            name,
            ir.FunctionType(result, parameters),
            "\n".join([head, *code.lines, f"  {end}", "}"]),
        )

    def _declare(self, declaration: str) -> None:
        """An intrinsic, whose parameters are of the type of its result."""
        type, name = declaration.removeprefix("declare ").partition("(")[0].split(" @")
        if name in self.module.globals:
            return
        known = element_type(np.dtype({"float": "float32"}.get(type, "float64")))
        count = declaration.count(type) - 1
        self._function_of_text(name, ir.FunctionType(known, [known] * count), declaration)

    def _function_of_text(self, name: str, type: ir.FunctionType, text: str) -> ir.Function:
        function = _WrittenFunction(self.module, type, name)
        function.text = text
        return function


def _operand(text: str, kind: Form | np.dtype) -> Operand:
    if isinstance(kind, np.dtype):
        return Element(text, kind)
    if kind not in _NUMBERS:
        raise NotLowered
    return NumberElement(text, _NUMBERS[kind])


def _computed(
    code: Instructions, computation: Computation, operands: Mapping[str, Operand]
) -> Element:
    expression, result = computation.operator.expression, computation.result
    assert expression is not None
    made = lowered(
        code,
        expression.term,
        operands,
        computation.computed,
        rounds_numbers=expression.rounds_numbers,
    )
    if result == BOOL or result not in LOW_PRECISION:
        return code.cast(made, result)
    return code.rounded(code.cast(made, COMPUTE_DTYPE[result]), result)
