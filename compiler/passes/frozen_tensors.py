"""Computing with the constant tensors of a graph: what folds into weights needs a few operators for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.ir import NOT_CONSTANT, Graph, Node, Value, constant_value
from tsc.compiler.passes.operator_calls import find_operator
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import TensorType

_CONVOLUTIONS: Final = frozenset(("aten::conv1d", "aten::conv2d", "aten::conv3d"))
_ABOUT_IT: Final = frozenset(("aten::dim", "aten::size", "prim::dtype", "prim::device"))
"""What is the same of a result when the weights are others."""


class FoldingError(Exception):
    """Something cannot be computed beforehand: nothing is folded then."""


class FrozenTensors:
    """Runs operators on constants. Tensors are opaque here: all there is to know of them, operators tell."""

    def __init__(
        self, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
    ) -> None:
        self._operators = operators
        self._evaluate = evaluate
        self._tensor_type_of = tensor_type_of

    def call(self, qualified_name: str, *values: object) -> object:
        """The result of an operator, to which all arguments are given. Raises FoldingError."""
        node = Graph().create(qualified_name.partition(".")[0])
        node.operator = find_operator(self._operators, qualified_name)
        results = self._evaluate(node, list(values))
        if results is None:
            raise FoldingError
        return results[0]

    def type_of(self, tensor: object) -> TensorType:
        """The type of a constant. Raises FoldingError for what is no tensor."""
        type = self._tensor_type_of(tensor)
        if not isinstance(type, TensorType):
            raise FoldingError
        return type

    def sizes(self, tensor: object) -> list[int]:
        """Raises FoldingError for what is no tensor."""
        return [size for size in self.type_of(tensor).sizes or () if size is not None]

    def filled(self, size: int, number: float, like: object) -> object:
        """A vector of a number, of the dtype of a tensor."""
        code = self.call("prim::dtype", like)
        return self.call("aten::full", [size], number, code, None, None, None)

    def as_channels(self, vector: object, weight: object) -> object:
        """A vector, one number for each output channel of a weight, in the shape that multiplies the weight."""
        rank = len(self.sizes(weight))
        return self.call("aten::reshape", vector, [-1, *[1] * (rank - 1)])

    def replace_input(self, node: Node, offset: int, tensor: object, name: str) -> None:
        """Gives a node a constant for one of its inputs, called after the one that was there."""
        before = node.inputs[offset]
        with node.graph.insert_at(node):
            made = node.graph.insert_constant(tensor, self.type_of(tensor), range=node.range)
        if before.has_debug_name:
            made.set_debug_name(f"{before.debug_name}_{name}")
        node.replace_input(offset, made)


def constant(node: Node, offset: int) -> object:
    """The value of a constant input. Raises FoldingError for another one."""
    value = constant_value(node.inputs[offset])
    if value is NOT_CONSTANT:
        raise FoldingError
    return value


def is_convolution(node: Node) -> bool:
    """Whether a node takes an input, a weight whose first dimension is that of channels, and a bias."""
    if node.kind == "aten::_convolution":
        return constant_value(node.inputs[6]) is False  # not transposed
    return node.kind in _CONVOLUTIONS


def is_linear(node: Node) -> bool:
    """Whether a node takes an input, a weight whose first dimension is that of features, and a bias."""
    return node.kind == "aten::linear"


def is_seen_only_by(value: Value, user: Node) -> bool:
    """Whether nobody else uses what is in the value; what may be asked about it besides, remains true."""
    return all(use.node is user or use.node.kind in _ABOUT_IT for use in value.uses)


def have_one_dtype(tensors: FrozenTensors, values: Sequence[object]) -> bool:
    return len({tensors.type_of(each).dtype for each in values}) == 1
