"""What a tensor carries for gradients: where it comes from, or the gradient that is summed up in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

from tsc.runtime.context.gradient_state import InferenceBlock, Version, leaves

if TYPE_CHECKING:
    from tsc.runtime.values.tensor import Tensor

TensorHook = Callable[[Any], Any]


class AutogradRecord:
    """The record of one tensor.

    ``node`` and ``output`` say which result of what step of the computation the tensor is. Of a leaf ``node`` is None;
    gradients are summed up in ``grad``. ``base`` is the tensor that a view looks into, and ``seen`` the
    ``generation`` of the base's history that the view's own ``node`` knows: writing to either begins a new one.
    ``inference`` is the block of ``inference_mode`` that the tensor was made in. ``writes`` is the count of writes to
    the memory of a view that was made unrecorded of what requires a gradient, and what it was then.
    """

    __slots__ = (
        "__weakref__",
        "base",
        "generation",
        "grad",
        "hooks",
        "inference",
        "kind",
        "node",
        "output",
        "requires",
        "retains",
        "seen",
        "writes",
    )

    def __init__(self, requires: bool, node: Any = None, output: int = 0) -> None:
        self.requires = requires
        self.node = node
        self.output = output
        self.grad: Tensor | None = None
        self.hooks: dict[int, TensorHook] | None = None
        self.retains = False
        self.base: Tensor | None = None
        self.kind: str | None = None
        self.generation = 0
        self.seen = 0
        self.inference: InferenceBlock | None = None
        self.writes: tuple[Version, int] | None = None

    @property
    def is_leaf(self) -> bool:
        return self.node is None

    def receive(self, _gradient: Any, _create_graph: bool) -> bool:
        """Whether something else sums up the gradients of this leaf, and has taken this one."""
        return False

    def __deepcopy__(self, _memo: dict[int, Any]) -> AutogradRecord | None:
        """A copy requires a gradient as the original does, and begins without one."""
        return new_leaf() if self.requires else None


def made_in(block: InferenceBlock | None) -> AutogradRecord:
    """The record of a tensor that is made in a block of ``inference_mode``."""
    record = AutogradRecord(False)
    record.inference = block
    return record


def new_leaf() -> AutogradRecord:
    """The record of a tensor that requires a gradient by itself."""
    record = AutogradRecord(True)
    leaves.add(ref(record, leaves.discard))
    return record
