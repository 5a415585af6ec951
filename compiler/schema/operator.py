"""An operator: one record of all that is to be known of it."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Unpack

from tsc.compiler.schema.function_schema import FunctionSchema
from tsc.compiler.schema.operator_facts import Aliasing, Details, Effects, Facts, Layout
from tsc.compiler.schema.row_expression import RowExpression
from tsc.compiler.schema.scalar_expression import Promotion, ScalarExpression
from tsc.compiler.schema.schema_parser import SchemaError, parse_schema

Kernel = Callable[..., Any]

OWN_NAMESPACES = ("aten::", "prim::")
"""Of operators that users bring along, nothing is known: unless told otherwise, they may do anything."""

_LOADING = RLock()
"""Held while a kernel is loaded, so that another thread that needs it waits for it."""


class Operator:
    """One overload. The schema is read from its text when it is first asked for.

    ``kernel`` means nothing to the compiler. With ``node_kernel`` it is a factory, called with the
    node to be run, that returns the kernel. What else may be told is in `Facts` and `Details`.

    With ``load`` the kernel is still to come, and the details with it: ``load`` is called when one
    of them is first asked for, and leads to ``provide`` or ``defer``.
    """

    __slots__ = (
        "_details",
        "_kernel",
        "_load",
        "_promised",
        "_schema",
        "aliasing",
        "effects",
        "first_name",
        "name",
        "node_kernel",
        "overload_name",
        "text",
    )

    def __init__(
        self,
        text: str,
        kernel: Kernel | None = None,
        *,
        node_kernel: bool = False,
        effects: Effects | None = None,
        aliasing: Aliasing | None = None,
        first_name: str | None = None,
        load: Callable[[], object] | None = None,
        **details: Unpack[Details],
    ) -> None:
        namespace, colons, rest = text.partition("(")[0].strip().rpartition("::")
        name, _, self.overload_name = rest.partition(".")
        self.name = f"{namespace}{colons}{name}"
        self.text = text
        self._kernel = kernel
        self._load = load
        self._promised = load is not None
        self.node_kernel = node_kernel
        self.effects = effects or _usual_effects(text)
        self.aliasing = aliasing
        self.first_name = first_name
        self._details = details
        self._schema: FunctionSchema | None = None

    @property
    def schema(self) -> FunctionSchema:
        if self._schema is None:
            self._schema = parse_schema(self.text)
        return self._schema

    @property
    def kernel(self) -> Kernel | None:
        if self._kernel is None:
            with _LOADING:
                self._load_kernel()
        return self._kernel

    def _load_kernel(self) -> None:
        while self._load is not None:
            self._load_once()

    def _load_once(self) -> None:
        load, self._load = self._load, None
        if load is not None:
            load()
        if self._promised:
            raise SchemaError("the kernel that was promised is not there", self.text, 0)

    @property
    def facts(self) -> Facts:
        """The facts that are known without the kernel, where they are not the usual ones."""
        facts = Facts()
        if self.effects is not _usual_effects(self.text):
            facts["effects"] = self.effects
        if self.aliasing is not None:
            facts["aliasing"] = self.aliasing
        if self.first_name is not None:
            facts["first_name"] = self.first_name
        return facts

    @property
    def details(self) -> Details:
        """The facts that come with the kernel, as far as they were told."""
        if self._promised:
            with _LOADING:
                if self._promised:
                    self._load_once()
        return self._details

    @property
    def expression(self) -> ScalarExpression | None:
        """Of a pointwise operator: what it computes of one element of each operand."""
        details = self.details if self._promised else self._details
        return details.get("expression")

    @property
    def rows(self) -> RowExpression | None:
        """Of an operator that sums rows up, or looks for the largest of their elements: what it computes."""
        return self.details.get("rows")

    @property
    def computes_elements(self) -> bool:
        """Whether it computes tensors element by element, or of rows of elements."""
        found = self.expression
        if found is None:
            return self.rows is not None
        return found.promotion is not Promotion.NUMBERS

    @property
    def layout(self) -> Layout | None:
        """How the result lies in memory, where it is not as NumPy has it."""
        return self.details.get("layout")

    @property
    def fast_form(self) -> Callable[[Any], Any] | None:
        """Called with a node: a cheaper kernel that does for it, or None."""
        details = self.details if self._promised else self._details
        return details.get("fast_form")

    @property
    def gradient(self) -> str | None:
        """The gradient, as TorchScript text."""
        return self.details.get("gradient")

    @property
    def lowering(self) -> Callable[..., Any] | None:
        """What emits native code for a node."""
        return self.details.get("lowering")

    @property
    def is_promised(self) -> bool:
        """Whether the kernel is still to be provided."""
        return self._promised

    def provide(self, kernel: Kernel | None, **details: Unpack[Details]) -> None:
        """Give the kernel that ``load`` promised, and the details."""
        self._details = details
        self._kernel = kernel
        self._load = None
        self._promised = False

    def defer(self, make: Callable[[], Kernel]) -> None:
        """Have the kernel made by ``make`` when it is first asked for."""
        self._load = lambda: self.provide(make(), **self._details)
        self._promised = False

    @property
    def qualified_name(self) -> str:
        """Name and overload: "aten::add.Tensor"."""
        return f"{self.name}.{self.overload_name}" if self.overload_name else self.name

    @property
    def is_mutable(self) -> bool:
        return self.schema.is_mutable

    def __repr__(self) -> str:
        return f"Operator({self.text!r})"


def _usual_effects(text: str) -> Effects:
    """Unless told otherwise."""
    return Effects.PURE if text.startswith(OWN_NAMESPACES) else Effects.SIDE_EFFECT
