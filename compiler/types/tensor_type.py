"""The tensor type, with whatever is known of dtype, sizes, strides, device and gradient."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final, TypeVar

from tsc.compiler.source.jit_log import verbosity_of_types
from tsc.compiler.types.base import Type, TypeKind
from tsc.compiler.value_classes import value_class

VERBOSITY: Final = verbosity_of_types()
"""How much graphs tell of types."""

_WITH_STRIDES, _WITH_DEVICES = 2, 3

Sizes = tuple[int | None, ...]
_T = TypeVar("_T")


@value_class
class TensorType(Type):
    """A tensor. None means unknown, for a whole field or for one size or stride.

    ``dtype`` is an IR name ("Float"); ``device`` a text ("cuda:0"). ``inferred`` marks the type
    given to a parameter without annotation: equal to the plain one, but messages say so.
    """

    kind = TypeKind.TensorType

    dtype: str | None = None
    sizes: Sizes | None = None
    strides: Sizes | None = None
    device: str | None = None
    requires_grad: bool | None = None
    undefined: bool | None = None
    inferred: bool = field(default=False, compare=False)

    @property
    def rank(self) -> int | None:
        return None if self.sizes is None else len(self.sizes)

    def without_shape(self) -> TensorType:
        """Just "a tensor"."""
        return TENSOR if self.undefined is None else TensorType(undefined=self.undefined)

    def with_device(self, device: str | None) -> TensorType:
        return replace(self, device=device)

    def merge(self, other: TensorType) -> TensorType:
        """What holds of both."""
        return TensorType(
            dtype=_same(self.dtype, other.dtype),
            sizes=_merge_sizes(self.sizes, other.sizes),
            strides=_merge_sizes(self.strides, other.strides),
            device=_same(self.device, other.device),
            requires_grad=_same(self.requires_grad, other.requires_grad),
            undefined=_same(self.undefined, other.undefined),
        )

    def is_subtype_of(self, other: Type) -> bool:
        if not isinstance(other, TensorType):
            return Type.is_subtype_of(self, other)
        return self == other or self.merge(other) == other

    def __str__(self) -> str:
        details = self._details()
        name = self.dtype or "Tensor"
        if self.sizes is None and self.dtype is not None:
            name += "Tensor"
        body = f"({', '.join(details)})" if details or self.sizes is not None else ""
        return name + body + ("[Undefined]" if self.undefined else "")

    def _details(self) -> list[str]:
        details = [_size_text(size) for size in self.sizes or ()]
        if VERBOSITY < _WITH_STRIDES:
            return details
        if self.sizes and self.strides is not None and None not in self.strides:
            details.append(f"strides=[{', '.join(map(str, self.strides))}]")
        if VERBOSITY < _WITH_DEVICES:
            return details
        if self.requires_grad is not None:
            details.append(f"requires_grad={int(self.requires_grad)}")
        if self.device is not None:
            details.append(f"device={self.device}")
        return details

    def __repr__(self) -> str:
        return str(self)

    @property
    def schema_text(self) -> str:
        return "Tensor"

    @property
    def message_text(self) -> str:
        return "Tensor (inferred)" if self.inferred else "Tensor"


def _same(a: _T | None, b: _T | None) -> _T | None:
    return a if a == b else None


def _merge_sizes(a: Sizes | None, b: Sizes | None) -> Sizes | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(_same(x, y) for x, y in zip(a, b))


def _size_text(size: int | None) -> str:
    return "*" if size is None else str(size)


TENSOR: Final = TensorType()
INFERRED_TENSOR: Final = TensorType(inferred=True)
UNDEFINED_TENSOR: Final = TensorType(undefined=True)
