"""Alias annotations: ``(a)``, ``(a!)``, ``(a -> *)``, ``(*)``, ``(a|b)``, inside containers too."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tsc.compiler.value_classes import value_class

WILDCARD: Final = "*"


@value_class
class AliasInfo:
    """Which alias sets a value may belong to before and after a call, and whether it is written.

    ``contained`` holds the annotation of the elements, as in ``Tensor(a!)[]``.
    """

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_write: bool = False
    contained: tuple[AliasInfo, ...] = ()

    @property
    def is_wildcard(self) -> bool:
        return WILDCARD in self.before

    @property
    def is_wildcard_after(self) -> bool:
        return WILDCARD in self.after

    @property
    def writes(self) -> bool:
        """Whether the value or something it contains is written."""
        return self.is_write or any(inner.writes for inner in self.contained)

    def around(self, inner: AliasInfo) -> AliasInfo:
        """This annotation on a container whose elements have the other."""
        return replace(self, contained=(*self.contained, inner))

    def __str__(self) -> str:
        text = "|".join(self.before) + ("!" if self.is_write else "")
        if self.after != self.before:
            text += " -> " + "|".join(self.after)
        return f"({text})"
