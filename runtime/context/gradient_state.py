"""What tells in one look whether anything is to be recorded for gradients: all that code without them ever looks at.

``if gradient_state.leaves:`` is one test of a set. While no tensor of the process requires a gradient, nothing is
recorded, and programs run by plans that know nothing of gradients.
"""

from __future__ import annotations

from typing import Any, Final
from weakref import ref

leaves: Final[set[ref[Any]]] = set()
"""What tensors carry that require a gradient by themselves, as long as it is alive.

For each thread in which ``no_grad`` holds there is one more: of views that are made then it is noted.
"""


class Version:
    """How often the memory of saved tensors was written to. It is counted as long as somebody keeps the count."""

    __slots__ = ("__weakref__", "count", "storage")

    def __init__(self, storage: int) -> None:
        self.storage = storage
        self.count = 0

    def __del__(self) -> None:
        watched.pop(self.storage, None)


watched: Final[dict[int, ref[Any]]] = {}
"""The versions of the memory that is watched, by the identity of the array that owns it."""


class InferenceBlock:
    """One block of ``inference_mode``, and what is made in it: as long as any of that lives, so does the block.

    It stands among the leaves and the watched, for such tensors are not written to outside of the mode.
    """

    __slots__ = ("__weakref__", "_key")

    def __init__(self) -> None:
        self._key = -id(self)
        leaves.add(ref(self, leaves.discard))
        watched[self._key] = ref(self)

    def __del__(self) -> None:
        watched.pop(self._key, None)


def version_of(storage: Any) -> Version:
    """The count of writes to the memory of an array, which must live as long as the count."""
    known = watched.get(id(storage))
    version = None if known is None else known()
    if version is None:
        version = Version(id(storage))
        watched[version.storage] = ref(version)
    return version


def note_write(storage: Any) -> None:
    """The memory of an array was written to."""
    known = watched.get(id(storage))
    version = None if known is None else known()
    if version is not None:
        version.count += 1
