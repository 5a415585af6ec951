"""Operators in groups that read and write memory: each is a step of its own, of one or several kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tsc.compiler.ir import Node, Value
from tsc.runtime.native.expressions.pointwise_nodes import kind_of_result
from tsc.runtime.native.fusion.bags import bag_kernels, bagged, is_bags
from tsc.runtime.native.fusion.contractions import (
    contracted,
    contraction_kernels,
    is_contraction,
)
from tsc.runtime.native.fusion.group_kernel import Kernel
from tsc.runtime.native.fusion.matrices import (
    determinant_kernels,
    factor_kernels,
    is_plain,
    solving_kernels,
    squares,
)
from tsc.runtime.native.fusion.orders import first_kernels, middle_kernels, order_kernels
from tsc.runtime.native.fusion.placing import (
    has_margins,
    is_placing,
    margin_kernels,
    placed,
    placing_kernels,
    surrounded,
)
from tsc.runtime.native.fusion.products import MULTIPLYING, is_product, multiplied, product_kernels
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.searches import is_search, search_kernels, searched
from tsc.runtime.native.fusion.selections import (
    extreme_kernels,
    gathering_kernels,
    has_known_numbers,
    is_along_dimension,
    is_indexing,
    is_reducing,
    is_scattering,
    one_hot_kernels,
    running_kernels,
    scattering_kernels,
    selected,
)
from tsc.runtime.native.fusion.windows import (
    CONVOLVING,
    POOLING,
    convolution_kernels,
    convolved,
    is_convolution,
    is_pooling,
    pooled,
    pooling_kernels,
)


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """Whether a node of the kind is one, the tensors that it reads, and its kernels."""

    takes: Callable[[Node], bool]
    operands: Callable[[Node, RecordedGroup], list[Value]]
    kernels: Callable[[Node, RecordedGroup], list[Kernel]]


_STEPS: Final = {
    **dict.fromkeys(MULTIPLYING, MemoryStep(is_product, multiplied, product_kernels)),
    "aten::einsum": MemoryStep(is_contraction, contracted, contraction_kernels),
    **dict.fromkeys(CONVOLVING, MemoryStep(is_convolution, convolved, convolution_kernels)),
    **dict.fromkeys(POOLING, MemoryStep(is_pooling, pooled, pooling_kernels)),
    **dict.fromkeys(
        ("aten::gather", "aten::index_select", "aten::embedding"),
        MemoryStep(has_known_numbers, selected, gathering_kernels),
    ),
    "aten::index": MemoryStep(is_indexing, selected, gathering_kernels),
    **dict.fromkeys(
        ("aten::pad", "aten::constant_pad_nd"),
        MemoryStep(has_margins, surrounded, margin_kernels),
    ),
    "aten::index_put": MemoryStep(is_placing, placed, placing_kernels),
    **dict.fromkeys(
        ("aten::scatter", "aten::scatter_add", "aten::index_add"),
        MemoryStep(is_scattering, selected, scattering_kernels),
    ),
    "aten::scatter_reduce": MemoryStep(is_reducing, selected, scattering_kernels),
    **dict.fromkeys(
        ("aten::searchsorted", "aten::bucketize"), MemoryStep(is_search, searched, search_kernels)
    ),
    "aten::embedding_bag": MemoryStep(is_bags, bagged, bag_kernels),
    "aten::one_hot": MemoryStep(has_known_numbers, selected, one_hot_kernels),
    **dict.fromkeys(
        ("aten::max", "aten::min", "aten::argmax", "aten::argmin"),
        MemoryStep(is_along_dimension, selected, extreme_kernels),
    ),
    **dict.fromkeys(
        ("aten::linalg_solve", "aten::linalg_inv", "aten::inverse"),
        MemoryStep(is_plain, squares, solving_kernels),
    ),
    **dict.fromkeys(
        ("aten::linalg_det", "aten::det"), MemoryStep(is_plain, squares, determinant_kernels)
    ),
    **dict.fromkeys(
        ("aten::linalg_cholesky", "aten::cholesky"), MemoryStep(is_plain, squares, factor_kernels)
    ),
    "aten::topk": MemoryStep(is_along_dimension, selected, first_kernels),
    "aten::median": MemoryStep(is_along_dimension, selected, middle_kernels),
    **dict.fromkeys(
        ("aten::sort", "aten::argsort"), MemoryStep(is_along_dimension, selected, order_kernels)
    ),
    **dict.fromkeys(
        ("aten::cumsum", "aten::cumprod"),
        MemoryStep(is_along_dimension, selected, running_kernels),
    ),
}
"""By the kinds of nodes."""


def memory_step(node: Node) -> MemoryStep | None:
    """How a node is run; None if it is no such step."""
    found = _STEPS.get(kind_of_result(node))
    return found if found is not None and found.takes(node) else None
