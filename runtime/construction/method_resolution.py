"""The order in which classes are searched: C3 linearization (Barrett et al., 1996), as in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime.construction.values import ClassObject


def linearized(cls: ClassObject) -> tuple[ClassObject, ...]:
    """The class and all below it. Raises TypeError if the bases contradict each other."""
    pending = [list(base.mro) for base in cls.bases] + [list(cls.bases)]
    result = [cls]
    while pending := [each for each in pending if each]:
        candidate = next((each[0] for each in pending if _is_free(each[0], pending)), None)
        if candidate is None:
            names = ", ".join(base.name for base in cls.bases)
            raise TypeError(
                f"Cannot create a consistent method resolution order (MRO) for bases {names}"
            )
        result.append(candidate)
        for each in pending:
            if each[0] is candidate:
                del each[0]
    return tuple(result)


def _is_free(candidate: ClassObject, pending: list[list[ClassObject]]) -> bool:
    return not any(candidate in each[1:] for each in pending)
