"""The order in which the evaluator searches classes for an attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsc.compiler.emit.classes.linearization import merged

if TYPE_CHECKING:
    from tsc.runtime.construction.values import ClassObject


def linearized(cls: ClassObject) -> tuple[ClassObject, ...]:
    """The class and all below it. Raises TypeError if the bases contradict each other."""
    order = merged([*(base.mro for base in cls.bases), cls.bases], id)
    if order is None:
        names = ", ".join(base.name for base in cls.bases)
        raise TypeError(
            f"Cannot create a consistent method resolution order (MRO) for bases {names}"
        )
    return (cls, *order)
