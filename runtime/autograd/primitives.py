"""What passes make of products and chunks, where it is recorded: by operators that have gradients."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from tsc.compiler.ir import Node, prim
from tsc.runtime.context.hooks import eager_operators
from tsc.runtime.values.tensor import Tensor

Kernel = Callable[..., Any]


def _sum_of_products(_node: Node, _kernel: Kernel) -> Kernel:
    call = eager_operators().call

    def run(*factors: Tensor) -> Tensor:
        half = len(factors) // 2
        products = [call("mm", a, b) for a, b in zip(factors[:half], factors[half:])]
        return reduce(lambda a, b: call("add", a, b), products)

    return run


def _products_with_one_factor(node: Node, _kernel: Kernel) -> Kernel:
    call, is_left = eager_operators().call, node.integer_attribute("side") == 0

    def run(shared: Tensor, *others: Tensor) -> tuple[Tensor, ...]:
        return tuple(
            call("mm", shared, each) if is_left else call("mm", each, shared) for each in others
        )

    return run


def _chunks(node: Node, kernel: Kernel) -> Kernel:
    call = eager_operators().call
    chunks, dim = node.integer_attribute("chunks"), node.integer_attribute("dim")

    def run(whole: Tensor) -> Any:
        kernel(whole)  # it refuses what gives another number of chunks
        parts = call("chunk", whole, chunks, dim)
        return parts[0] if chunks == 1 else tuple(parts)

    return run


_RECORDED: Final[dict[str, Callable[[Node, Kernel], Kernel]]] = {
    prim.MMTreeReduce: _sum_of_products,
    prim.MMBatchSide: _products_with_one_factor,
    prim.ConstantChunk: _chunks,
}


def recorded_primitive(node: Node, kernel: Kernel) -> Kernel:
    """`kernel`, which is that of the node, or what is recorded instead where an operand carries something."""
    make = _RECORDED.get(node.kind)
    if make is None:
        return kernel
    noting = make(node, kernel)

    def run(*values: Any) -> Any:
        carries = any(each.autograd is not None for each in values)
        return noting(*values) if carries else kernel(*values)

    return run
