"""Tensors that may be written and looked into, as values that never change: functionalization.

Every tensor of a program is a chain of views of a storage. A write computes what the storage holds afterwards, by
scattering into it along the chain; other views of it are taken anew when they are read next. So PyTorch does it
(``aten/src/ATen/FunctionalStorageImpl.h``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.exir import refusals
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.decomposition.calls import Calls


@dataclass(slots=True)
class Storage:
    """What a tensor and its views lie in: its value now, and how often it was written."""

    value: Tensor
    version: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """A step of a chain: an operator, its arguments behind the tensor, and which of its results it is."""

    name: str
    arguments: tuple[Any, ...]
    index: int | None = None

    def of(self, calls: Calls, base: FunctionalTensor) -> FunctionalTensor:
        """The view of a tensor."""
        name = _ANEW.get(self.name, self.name)
        found = calls(name, base, *self.arguments)
        return found if self.index is None else found[self.index]

    def scattered(
        self, calls: Calls, base: FunctionalTensor, new: FunctionalTensor
    ) -> FunctionalTensor:
        """What a tensor holds when its view holds something new. Raises `ExportError` where that is not told."""
        invert = _INVERSES.get(self.name)
        if invert is None:
            raise ExportError(
                f"{self.name} gives a view that is written: what it looks into cannot be told",
                hint="write to a clone() of it",
                refusal=refusals.CHANGED_OUTSIDE,
            )
        return invert(calls, base, new, self.arguments, self.index)


class FunctionalTensor:
    """A tensor of the program that is run: `value` is what it holds now."""

    __slots__ = ("_calls", "_value", "_version", "is_input", "storage", "views")

    def __init__(
        self,
        calls: Calls,
        value: Tensor,
        storage: Storage | None = None,
        views: Sequence[View] = (),
    ) -> None:
        self._calls = calls
        self._value = value
        self.storage = Storage(value) if storage is None else storage
        self._version = self.storage.version
        self.views = tuple(views)
        self.is_input = False

    @property
    def value(self) -> Tensor:
        """Its value for operators; taken anew where something else has written to the storage."""
        if self._version != self.storage.version:
            self._renew()
        return self._value

    @property
    def sizes(self) -> list[Any]:
        """Ints, and numbers that are not known before the program runs."""
        return list(self._calls.recorder.known(self.value).size)

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return self._value.array.ndim

    @property
    def code(self) -> int:
        """The dtype as TorchScript counts it."""
        return self._calls.code_of(self._value)

    @property
    def requires_grad(self) -> bool:
        """Whether it is a parameter that is learnt, or computed of one."""
        return self._calls.recorder.known(self.value).requires_grad

    @property
    def is_floating(self) -> bool:
        """Whether it holds real numbers."""
        return self._value.dtype.is_floating_point

    def viewed(self, value: Tensor, view: View) -> FunctionalTensor:
        """A view of this tensor, whose value is known."""
        return FunctionalTensor(self._calls, value, self.storage, (*self.views, view))

    def become(self, other: FunctionalTensor) -> None:
        """Look at the storage as another one does, as ``unsqueeze_`` has it."""
        self.storage, self.views = other.storage, other.views
        self._value, self._version = other.value, other.storage.version

    def write(self, new: FunctionalTensor) -> None:
        """Hold something new, and so does everything that looks at the same elements."""
        calls, chain = self._calls, [self._base()]
        for view in self.views[:-1]:
            chain.append(view.of(calls, chain[-1]))
        for base, view in zip(reversed(chain), reversed(self.views)):
            new = view.scattered(calls, base, new)
        self.storage.value = new.value
        self.storage.version += 1
        self._renew()

    def _base(self) -> FunctionalTensor:
        return FunctionalTensor(self._calls, self.storage.value)

    def _renew(self) -> None:
        found = self._base()
        for view in self.views:
            found = view.of(self._calls, found)
        self._value, self._version = found.value, self.storage.version


_ANEW: Final = {"aten::view": "aten::reshape"}
"""What a storage holds after a write may lie in memory otherwise: it is copied where it cannot be seen so."""
Inverse = Callable[..., FunctionalTensor]


def _slice(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    return calls("slice_scatter", base, new, *arguments)


def _select(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    return calls("select_scatter", base, new, *arguments)


def _diagonal(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    return calls("diagonal_scatter", base, new, *arguments)


def _strided(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    return calls("as_strided_scatter", base, new, *arguments)


def _reshaped(calls: Calls, base: Any, new: Any, _: object, __: object) -> Any:
    return calls("reshape", new, base.sizes)


def _same(calls: Calls, base: Any, new: Any, _: object, __: object) -> Any:
    return calls("alias", new)


def _permuted(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    order = [each % base.dim for each in arguments[0]]
    return calls("permute", new, [order.index(place) for place in range(base.dim)])


def _transposed(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    return calls("transpose.int", new, *arguments)


def _turned(calls: Calls, base: Any, new: Any, _: object, __: object) -> Any:
    return calls("t", new)


def _squeezed(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    return calls("squeeze.dim", new, *arguments)


def _unsqueezed(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], _: object) -> Any:
    """A dimension of size 1 for each that was taken out."""
    given = arguments[0] if arguments else list(range(base.dim))
    dims = [given] if isinstance(given, int) else given
    for place in sorted(each % base.dim for each in dims):
        if base.value.array.shape[place] == 1 and new.dim < base.dim:
            new = calls("unsqueeze", new, place)
    return new


def _split(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], index: int) -> Any:
    sizes, dim = arguments
    starts = [0]
    for each in sizes if isinstance(sizes, list) else [sizes] * index:
        starts.append(starts[-1] + each)
    start = starts[index]
    return calls("slice_scatter", base, new, dim, start, start + new.sizes[dim], 1)


def _unbound(calls: Calls, base: Any, new: Any, arguments: Sequence[Any], index: int) -> Any:
    return calls("select_scatter", base, new, arguments[0], index)


_INVERSES: Final[dict[str, Inverse]] = {
    "aten::alias": _same,
    "aten::as_strided": _strided,
    "aten::detach": _same,
    "aten::diagonal": _diagonal,
    "aten::permute": _permuted,
    "aten::select.int": _select,
    "aten::slice.Tensor": _slice,
    "aten::split.Tensor": _split,
    "aten::split_with_sizes": _split,
    "aten::squeeze": _unsqueezed,
    "aten::squeeze.dim": _unsqueezed,
    "aten::squeeze.dims": _unsqueezed,
    "aten::t": _turned,
    "aten::transpose.int": _transposed,
    "aten::unbind.int": _unbound,
    "aten::unsqueeze": _squeezed,
    "aten::view": _reshaped,
}
"""By the view: what its base holds when the view holds something new."""
