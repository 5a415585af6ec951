"""Tensors that share memory: a view knows its base, and writing to one begins a new history of both."""

from __future__ import annotations

from collections.abc import Sequence
from gc import get_objects
from sys import getrefcount
from typing import Any, NamedTuple

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING
from tsc.runtime.arrays.storage import element_strides, storage_of
from tsc.runtime.autograd.nodes import Edge, Node, Step, edge_of
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.gradient_state import version_of
from tsc.runtime.context.hooks import eager_operators
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor

SEVERAL = "several"
"""The kind of views that an operator makes several of: PyTorch refuses to write to them."""


WITHOUT_GRAD = "no_grad"
IN_INFERENCE = "inference"
"""The kinds of views that were made where nothing is recorded, of tensors of which something may be."""
DETACHED = "detached"
"""The kind of tensors that share memory without being views."""


def link(view: Tensor, source: Tensor, kind: str | None = None) -> None:
    """`view` looks into the memory of `source`, or of what that looks into."""
    record = source.autograd
    base = source if record is None or record.base is None else record.base
    if base.autograd is None:
        base.autograd = AutogradRecord(False)
    if view.autograd is None:
        view.autograd = AutogradRecord(False)
    view.autograd.base = base
    view.autograd.seen = base.autograd.generation
    view.autograd.kind = kind if record is None or kind is not None else record.kind
    if base.autograd.requires and view.autograd.kind is not None:
        version = version_of(storage_of(view.array))
        view.autograd.writes = version, version.count


def meet_earlier(tensor: Tensor) -> None:
    """Link what looks into the memory of a tensor, and was made while nothing was recorded.

    Tensors are looked for among all objects, but only where something else holds the memory, and once a tensor. Their
    types are asked for: proxies of objects that are gone do not say what they are.
    """
    record = tensor.autograd
    if record is not None and (
        record.base is not None or record.generation or record.kind == DETACHED
    ):
        return
    storage = storage_of(tensor.array)
    if getrefcount(storage) <= (_OWN if storage is tensor.array else _OWN_OF_VIEW):
        return
    others = [
        each
        for each in get_objects()
        if issubclass(type(each), Tensor) and each.has_array and storage_of(each.array) is storage
    ]
    base = max(others, key=lambda each: each.array.size)
    for each in others:
        if each is not base and _has_no_history(each.autograd):
            link(each, base)


def _has_no_history(record: AutogradRecord | None) -> bool:
    if record is None:
        return True
    return record.base is None and record.node is None and record.kind != DETACHED


_OWN = 3
"""Who holds an array that nothing looks into: its tensor, a local variable, and who counts."""
_OWN_OF_VIEW = 3
"""The same where a tensor looks into an array that nobody else holds: the view's array in place of the tensor."""


def share_memory(a: np.ndarray, b: np.ndarray) -> bool:
    return storage_of(a) is storage_of(b)


def check_history(view: Tensor) -> None:
    """Raise `ScriptError` for a view that cannot have the history which writing to its base since has led to.

    That are views that were made unrecorded, and those of operators that make several.
    """
    record = view.autograd
    if record is None or record.base is None or record.kind is None:
        return
    base = record.base.autograd
    if base is None or not base.requires:
        return
    written = record.writes is not None and record.writes[0].count != record.writes[1]
    if written or base.generation != record.seen:
        raise ScriptError(
            "RuntimeError",
            _refusal(record).format("its base or another view of its base has been"),
        )


def _refusal(record: AutogradRecord) -> str:
    if record.kind == SEVERAL and record.node is not None:
        name = record.node.name.removesuffix("Backward0")
        return f"Output {record.output} of {name} is a view and {_OF_SEVERAL}"
    if record.kind == SEVERAL:
        return f"A view was created in no_grad mode and {_OF_SEVERAL}"
    return _MADE_UNRECORDED[record.kind or WITHOUT_GRAD]


def refreshed(view: Tensor) -> AutogradRecord:
    """The record of a view, with the history that writing to its base or to other views has led to."""
    record = view.autograd
    assert record is not None
    assert record.base is not None
    base = record.base.autograd
    if base is None:
        return record
    if base.generation == record.seen or record.kind is not None:
        if base.requires and not record.requires and CATEGORY[view.array.dtype] >= FLOATING:
            record.requires = True  # as PyTorch has it: a leaf, whose gradient goes no further
        return record
    if base.requires:
        step = GeometryStep(Geometry.of(record.base), Geometry.of(view))
        edge = edge_of(record.base, base)
        record.node = Node(step, (edge,), {}, (_described(view),))
        record.output, record.requires = 0, True
    record.seen = base.generation
    return record


def _described(tensor: Tensor) -> tuple[tuple[int, ...], np.dtype]:
    return tensor.array.shape, tensor.array.dtype


class Geometry(NamedTuple):
    """How a tensor lies in memory; strides and the address are in elements and in bytes."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    address: int
    itemsize: int

    @classmethod
    def of(cls, tensor: Tensor) -> Geometry:
        a = tensor.array
        return cls(a.shape, element_strides(a), a.__array_interface__["data"][0], a.itemsize)

    @property
    def extent(self) -> int:
        """How many elements lie between the first and the last, both included."""
        if 0 in self.size:
            return 0
        return 1 + sum((extent - 1) * step for extent, step in zip(self.size, self.stride))

    def offset_in(self, base: Geometry) -> int:
        return (self.address - base.address) // self.itemsize


def _call(name: str, *arguments: Any, **keywords: Any) -> Any:
    return eager_operators().call(name, *arguments, **keywords)


class GeometryStep:
    """A view by sizes, strides and offset, into a tensor of given sizes and strides."""

    takes_undefined = False

    def name_of(self, node: Node) -> str:
        return "AsStridedBackward0"

    def __init__(self, base: Geometry, view: Geometry) -> None:
        if base.itemsize != view.itemsize:
            message = "gradients through views of another dtype whose base was written to are not implemented"
            raise ScriptError("NotImplementedError", message)
        self.base, self.view = base, view

    def gradients(self, node: Node, given: Sequence[Any], create_graph: bool) -> list[Any]:
        """Zeros where the view does not look; sums where it sees an element several times."""
        base, view, (gradient,) = self.base, self.view, given
        low = min(0, view.offset_in(base))
        length = max(base.extent, view.offset_in(base) + view.extent) - low
        places = np.lib.stride_tricks.as_strided(
            np.arange(length)[view.offset_in(base) - low :],
            view.size,
            [8 * step for step in view.stride],
        )
        flat = _call("new_zeros", gradient, [length])
        indices = Tensor(np.ascontiguousarray(places).reshape(-1))
        flat = _call("index_add", flat, 0, indices, _call("reshape", gradient, [-1]))
        return [_call("as_strided", flat, list(base.size), list(base.stride), -low)]


class CopySlices:
    """Writing to a view, as a step of its base: `inner` is what was done to the view."""

    takes_undefined = False

    def name_of(self, node: Node) -> str:
        return "CopySlices"

    def __init__(self, inner: Node, base: Geometry, view: Geometry) -> None:
        self.inner, self.base, self.view = inner, base, view

    def gradients(self, node: Node, given: Sequence[Any], create_graph: bool) -> list[Any]:
        """That of the base is what it was where nothing was written."""
        base, view, (gradient,) = self.base, self.view, given
        inner = self.inner
        if inner.saved is None:
            return inner.step.gradients(inner, given, create_graph)
        whole = _call("new_empty_strided", gradient, list(base.size), list(base.stride))
        whole = _call("copy_", whole, gradient)
        part = _call("as_strided", whole, list(view.size), list(view.stride), view.offset_in(base))
        found = inner.step.gradients(inner, [_call("clone", part)], create_graph)
        own = [g for edge, g in zip(inner.edges, found) if edge.argument == 0]
        others = [g for edge, g in zip(inner.edges, found) if edge.argument != 0]
        if own and own[0] is not None:
            _call("copy_", part, own[0])
        else:
            _call("zero_", part)
        return [whole, *others] if _goes_to_base(node) else others


def _goes_to_base(node: Node) -> bool:
    return bool(node.edges) and node.edges[0].argument == -1


def check_writable(tensor: Tensor) -> None:
    """Raise `ScriptError` for a tensor that must not be written to while that is recorded."""
    record = tensor.autograd
    if record is None:
        return
    if record.base is not None:
        base = record.base.autograd
        if record.kind is not None:
            raise ScriptError("RuntimeError", _refusal(record).format("is being"))
        if base is not None and base.requires and base.node is None:
            raise ScriptError("RuntimeError", _LEAF.format("a view of a leaf Variable"))
    if record.requires and record.node is None:
        raise ScriptError("RuntimeError", _LEAF.format("a leaf Variable"))


def check_view_writable(view: Tensor) -> None:
    """Raise `ScriptError` for a view of what requires a gradient that must not be written to as it is.

    One that has no history, of what has got one since, PyTorch takes for a leaf until something asks for its history.
    """
    record = view.autograd
    base = None if record is None or record.base is None else record.base.autograd
    if record is None or base is None or not base.requires:
        return
    check_writable(view)
    if record.node is None and base.generation != record.seen:
        raise ScriptError("RuntimeError", _LEAF.format("a leaf Variable"))


_MADE_UNRECORDED = {
    WITHOUT_GRAD: "A view was created in no_grad mode and {} modified inplace with grad mode enabled: "
    "make the view and write to it both inside of no_grad, or both outside",
    IN_INFERENCE: "A view was created in inference mode and {} modified inplace in normal mode: "
    "make the view and write to it both inside of inference_mode, or both outside",
}
_OF_SEVERAL = (
    "{} modified inplace. It is the output of a function that returns multiple views, which cannot be written to "
    "where gradients are recorded: write to a clone, or take the part with x[i] or narrow"
)
_LEAF = (
    "{} that requires grad is being used in an in-place operation. "
    "Write to it under torch.no_grad(), or to a clone of it"
)


def rewrite(tensor: Tensor, node: Node) -> None:
    """The step `node` was done to `tensor` in place: its history goes on with it, that of its base, too."""
    record = tensor.autograd
    base = None if record is None else record.base
    if record is None or base is None:
        generation = 0 if record is None else record.generation
        tensor.autograd = AutogradRecord(True, node)
        tensor.autograd.generation = generation + 1
        return
    known = base.autograd or AutogradRecord(False)
    edges: list[Edge] = []
    if known.requires:
        edges.append(edge_of(base, known)._replace(argument=-1))
    edges += [edge for edge in node.edges if edge.argument != 0]
    step = CopySlices(node, Geometry.of(base), Geometry.of(tensor))
    made = base.autograd = AutogradRecord(True, Node(step, edges, {}, (_described(base),)))
    made.generation = known.generation + 1
    refreshed(tensor)


__all__ = ["Step", "check_writable", "link", "refreshed", "rewrite", "share_memory"]
