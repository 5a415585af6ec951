"""How sizes that data decides come about, go from tensor to tensor, and become numbers.

Of a tensor only the first size is followed: that is where masks, `nonzero` and slices bring such sizes.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.data_sizes import DATA_SIZED, INDEXING
from tsc.compiler.exir.explanation.data_sizes import is_indexed_by_mask
from tsc.compiler.ir import Node, Value, constant_value, prim
from tsc.compiler.types import TypeKind

_REDUCTIONS: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("sum", "nansum", "mean", "nanmean", "prod", "any", "all", "max", "min", "amax", "amin"),
        *("argmax", "argmin", "norm", "std", "var", "std_mean", "var_mean", "median", "nanmedian"),
        *("mode", "logsumexp", "count_nonzero", "aminmax", "kthvalue", "select", "unbind", "dist"),
    )
)
"""Take away the dimension that they are told, or all."""
_ENDING: Final = frozenset(
    f"aten::{name}"
    for name in (
        *(
            "dot",
            "vdot",
            "trace",
            "t",
            "transpose",
            "permute",
            "movedim",
            "topk",
            "histc",
            "numpy_T",
        ),
        *("new_zeros", "new_ones", "new_full", "new_empty", "mse_loss", "l1_loss", "nll_loss"),
        *("cross_entropy_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "item"),
    )
)
"""Their results begin with another size."""
_CARRIER: Final = {
    **dict.fromkeys(("aten::matmul", "aten::mm", "aten::bmm", "aten::linear", "aten::mv"), 0),
    **dict.fromkeys(("aten::scatter", "aten::scatter_add", "aten::index_add", "aten::cdist"), 0),
    **dict.fromkeys(("aten::index_put", "aten::index_copy", "aten::index_fill", "aten::copy"), 0),
    **dict.fromkeys(("aten::bucketize", "aten::masked_scatter", "aten::isin"), 0),
    **dict.fromkeys(("aten::embedding", "aten::searchsorted", "aten::index"), 1),
    **dict.fromkeys(("aten::gather", "aten::index_select"), 2),
}
"""The argument, in order, whose first size their results have."""
_RESHAPES: Final = frozenset({"aten::view", "aten::reshape", "aten::expand"})
_SIZED: Final = frozenset(
    f"aten::{name}" for name in ("arange", "zeros", "ones", "empty", "full", "rand", "randn")
)
"""Make a tensor of as many elements as their first argument says."""
_WHOLE: Final = frozenset({"aten::numel", "aten::len"})


def begins(node: Node) -> bool:
    """Whether data decides the first size of what a node gives, whatever the sizes of its arguments are."""
    if node.operator is None:
        return False
    name = node.operator.qualified_name
    return name in DATA_SIZED or (name == INDEXING and is_indexed_by_mask(node))


def begins_with(node: Node, offset: int) -> bool:
    """Whether data decides the first size of a result as it decides the number that is this argument."""
    if node.kind in ("aten::slice", "aten::narrow"):
        is_first = node.inputs[0].type.kind is TypeKind.TensorType and _dimension(node) == 0
        return is_first and offset > 1
    return node.kind in _SIZED and offset == 0


def goes_on(node: Node, offset: int) -> bool:
    """Whether tensors that a node gives have the first size of this argument."""
    kind = node.kind.removesuffix("_")
    if node.operator is None:
        return node.kind in (prim.ListConstruct, "prim::unchecked_cast")
    if kind in _CARRIER:
        return offset == _CARRIER[kind]
    if kind in _ENDING or (kind == "aten::unsqueeze" and _dimension(node) == 0):
        return False
    if kind in _REDUCTIONS:
        return _dimension(node) not in (None, 0)
    if kind in _RESHAPES:
        return _is_open(node.inputs[1])
    return any(each.type.kind is TypeKind.TensorType for each in node.outputs)


def reads_size(node: Node) -> bool:
    """Whether a node gives the first size of its argument, or how many elements it has."""
    if node.kind in _WHOLE:
        return True
    return node.kind == "aten::size" and len(node.inputs) == 2 and _dimension(node) == 0


def _dimension(node: Node) -> int | None:
    """The one dimension that a node is told; None if it is told none, several, or one that is not known."""
    name = next((each for each in ("dim", "dims", "axis") if node.has_named_input(each)), None)
    if name is None:
        return None
    value = node.named_input(name)
    if value.node.kind == prim.ListConstruct and len(value.node.inputs) == 1:
        value = value.node.inputs[0]
    if value.node.kind != prim.Constant:
        return None
    found = constant_value(value)
    return found if isinstance(found, int) else None


def _is_open(sizes: Value) -> bool:
    """Whether the first of the sizes that a tensor gets is not a fixed one."""
    if sizes.node.kind != prim.ListConstruct or not sizes.node.inputs:
        return False
    first = sizes.node.inputs[0]
    return first.node.kind != prim.Constant or constant_value(first) == -1
