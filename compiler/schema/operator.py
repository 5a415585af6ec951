"""An operator: a schema, and what runs when it is called."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from tsc.compiler.schema.function_schema import FunctionSchema
from tsc.compiler.schema.schema_parser import SchemaError, parse_schema

Kernel = Callable[..., object]

_LOADING = RLock()
"""Held while a kernel is loaded, so that another thread that needs it waits for it."""


class Operator:
    """One overload. The schema is read from its text when it is first asked for.

    ``kernel`` means nothing to the compiler. With ``node_kernel`` it is a factory, called with the
    node to be run, that returns the kernel. ``gradient`` is TorchScript text.

    With ``load`` the kernel is still to come: ``load`` is called when the kernel is first asked
    for, and leads to ``provide`` or ``defer``.
    """

    __slots__ = (
        "_kernel",
        "_load",
        "_promised",
        "_schema",
        "gradient",
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
        gradient: str | None = None,
        load: Callable[[], object] | None = None,
    ) -> None:
        namespace, colons, rest = text.partition("(")[0].strip().rpartition("::")
        name, _, self.overload_name = rest.partition(".")
        self.name = f"{namespace}{colons}{name}"
        self.text = text
        self._kernel = kernel
        self._load = load
        self._promised = load is not None
        self.node_kernel = node_kernel
        self.gradient = gradient
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
            load, self._load = self._load, None
            load()
            if self._promised:
                raise SchemaError("the kernel that was promised is not there", self.text, 0)

    @property
    def is_promised(self) -> bool:
        """Whether the kernel is still to be provided."""
        return self._promised

    def provide(self, kernel: Kernel | None) -> None:
        """Give the kernel that ``load`` promised."""
        self._kernel = kernel
        self._load = None
        self._promised = False

    def defer(self, make: Callable[[], Kernel]) -> None:
        """Have the kernel made by ``make`` when it is first asked for."""
        self._load = lambda: self.provide(make())
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
