"""Modules that are not part of TorchScript: sibling source files, and those that are unknown."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.emit.protocols import Emitter, Resolver, SugaredValue
from tsc.compiler.source import CompileError, SourceRange, codes


class SourceModuleValue(SugaredValue):
    """Another source file, or a folder of them; its names are what they are there.

    ``submodule`` gives the file of that name in the folder, if there is one.
    """

    __slots__ = ("name", "resolver", "submodule")

    def __init__(
        self, name: str, resolver: Resolver, submodule: Callable[[str], SugaredValue | None]
    ) -> None:
        self.name = name
        self.resolver = resolver
        self.submodule = submodule

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return f"module '{self.name}'"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        found = self.resolver.resolve_value(name, emitter, range) or self.submodule(name)
        if found is None:
            raise CompileError(
                f"{self.kind} has no attribute {name}",
                range,
                code=codes.UNKNOWN_IMPORT,
                subject=f"{self.name}.{name}",
            )
        return found

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        return self.resolver.resolve_value(name, emitter, range) is not None


class UnknownModuleValue(SugaredValue):
    """A module that TorchScript does not know; importing it is fine, using it is not."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def kind(self) -> str:
        return "python value of type 'module'"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        raise CompileError(
            f"module '{self.name}' is not available in TorchScript, so neither is "
            f"'{self.name}.{name}'",
            range,
            code=codes.UNAVAILABLE_MODULE,
            hint=self._way_out(emitter, name),
            subject=self.name,
        )

    def _way_out(self, emitter: Emitter, name: str) -> str:
        if self.name == "numpy" and f"aten::{name}" in emitter.operators:
            return f"torch has an operator of that name: torch.{name}"
        return "programs can use torch, math, the typing module and other source files"
