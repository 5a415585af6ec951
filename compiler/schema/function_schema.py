"""What a function or an operator takes and returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tsc.compiler.schema.argument import Argument
from tsc.compiler.types import MethodSchema
from tsc.compiler.value_classes import value_class


@value_class
class FunctionSchema:
    """A schema: ``aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor``.

    ``name`` is "aten::add" and ``overload_name`` "Tensor"; a script function has a plain name.
    """

    name: str
    overload_name: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    is_vararg: bool = False
    is_varret: bool = False

    @property
    def qualified_name(self) -> str:
        """Name and overload: "aten::add.Tensor"."""
        return f"{self.name}.{self.overload_name}" if self.overload_name else self.name

    @property
    def is_of_operator(self) -> bool:
        """Whether it is an operator's, whose name has a namespace: "aten::add"."""
        return "::" in self.name

    @property
    def is_mutable(self) -> bool:
        """Whether a call writes to an argument."""
        return any(argument.is_write for argument in self.arguments)

    @property
    def positional(self) -> tuple[Argument, ...]:
        """The arguments that need not be named; they are the first."""
        arguments = self.arguments
        if not arguments or not arguments[-1].kwarg_only:
            return arguments
        return tuple(argument for argument in arguments if not argument.kwarg_only)

    def argument_index(self, name: str) -> int | None:
        for index, argument in enumerate(self.arguments):
            if argument.name == name:
                return index
        return None

    def argument(self, name: str) -> Argument | None:
        index = self.argument_index(name)
        return None if index is None else self.arguments[index]

    def with_name(self, name: str, overload_name: str = "") -> FunctionSchema:
        return replace(self, name=name, overload_name=overload_name)

    def with_arguments(self, arguments: Iterable[Argument]) -> FunctionSchema:
        return replace(self, arguments=tuple(arguments))

    def is_subtype_of(self, other: MethodSchema, *, as_method: bool) -> bool:
        """Whether a function of this schema may stand for one of the other.

        ``as_method`` leaves the first argument, ``self``, out of the comparison.
        """
        if not isinstance(other, FunctionSchema):
            return False
        start = 1 if as_method else 0
        mine, theirs = self.arguments[start:], other.arguments[start:]
        if len(mine) < len(theirs) or len(self.returns) != len(other.returns):
            return False
        return (
            all(_accepts(a, b) for a, b in zip(mine, theirs))
            and all(argument.has_default for argument in mine[len(theirs) :])
            and all(a.type.is_subtype_of(b.type) for a, b in zip(self.returns, other.returns))
        )

    def __str__(self) -> str:
        return f"{self.qualified_name}({self._arguments_text()}) -> {self._returns_text()}"

    def _arguments_text(self) -> str:
        parts: list[str] = []
        positional = True
        for argument in self.arguments:
            if positional and argument.kwarg_only:
                parts.append("*")
                positional = False
            parts.append(str(argument))
        if self.is_vararg:
            parts.append("...")
        return ", ".join(parts)

    def _returns_text(self) -> str:
        parts = [str(returned) for returned in self.returns]
        if self.is_varret:
            parts.append("...")
        text = ", ".join(parts)
        bare = len(parts) == 1 and not text.startswith("(")
        return text if bare else f"({text})"


def _accepts(mine: Argument, theirs: Argument) -> bool:
    return (
        mine.name == theirs.name
        and mine.kwarg_only == theirs.kwarg_only
        and (mine.has_default or not theirs.has_default)
        and theirs.type.is_subtype_of(mine.type)
    )
