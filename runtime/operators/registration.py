"""How a kernel becomes an operator: its schema text stands right above it.

    @operator("aten::relu(Tensor self) -> Tensor")
    def relu(self: Tensor) -> Tensor: ...

A kernel is called with one positional argument per schema argument, defaults filled in, and
returns the single return value, a tuple for several, ``None`` for ``()``. Its parameters bear the
names of the schema's arguments (a Python keyword gets a trailing underscore). Schema texts are
PyTorch's, and the overloads of one name are declared in PyTorch's order, in which they are tried.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Unpack

from tsc.compiler.schema import Effects, Layout, Operator, OperatorTable, Options
from tsc.runtime.operators.kernel_notes import Kernel

_ROOM = f"{__package__}."


class FamilyTable(OperatorTable):
    """A table that knows by the qualified name of an operator which family declares it."""

    __slots__ = ("families",)

    def __init__(self) -> None:
        super().__init__()
        self.families: dict[str, str] = {}

    def declare(self, text: str, *arguments: Any, **options: Any) -> Operator:
        operator = super().declare(text, *arguments, **options)
        self.families.setdefault(operator.qualified_name, _module_being_imported())
        return operator


def _module_being_imported() -> str:
    """The family, as ``pointwise.arithmetic``, whose body declares an operator, itself or through functions."""
    frame = sys._getframe(2)
    while frame.f_code.co_name != "<module>" and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_globals["__name__"].removeprefix(_ROOM)


table = FamilyTable()
"""Every operator of this runtime; the compiler is given it."""


def operator(*schema_texts: str, **options: Unpack[Options]) -> Callable[[Kernel], Kernel]:
    """Declare the decorated kernel under each of `schema_texts`, in the order they are written.

    `options` are what else is to be known of the operators (`tsc.compiler.schema.operator_facts`);
    a kernel that is made from a `ScalarExpression` brings that along.
    """

    def declare(kernel: Kernel) -> Kernel:
        expression = options.get("expression") or getattr(kernel, "expression", None)
        in_layout = _in_layout(kernel, options.get("layout"))
        for text in schema_texts:
            if expression is not None:
                options["expression"] = expression.of(text)
            table.declare(text, in_layout, **options)
        return kernel

    return declare


def _in_layout(kernel: Callable[..., Any], layout: Layout | None) -> Callable[..., Any]:
    if layout is None:
        return kernel
    from tsc.runtime.operators.result_layouts import with_layout  # with NumPy, as kernels are

    return with_layout(layout, kernel)


random_operator = partial(operator, effects=Effects.RANDOM)
"""As `operator`, of one that draws random numbers."""


def node_operator(*schema_texts: str, **options: Unpack[Options]) -> Callable[[Kernel], Kernel]:
    """Declare a factory ``make(node) -> kernel`` for operators that depend on their node.

    Such are the variadic ones (``prim::TupleConstruct``) and those that read attributes or types.
    """

    def declare(make: Kernel) -> Kernel:
        for text in schema_texts:
            table.declare(text, make, node_kernel=True, **options)
        return make

    return declare
