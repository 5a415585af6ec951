"""Dtypes in the Edge dialect: what an operator takes and gives there; programs are made to keep to it."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.exported_program import CallSpec, ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.pytrees import TreeSpec
from tsc.compiler.exir.signature import (
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
)
from tsc.compiler.exir.targets import Target


def known(dtype: str) -> FakeTensor:
    return FakeTensor((3,), TorchConstant(dtype), (1,))


def program(operator: str, dtypes: tuple[str, ...], numbers: tuple[Any, ...], gives: str) -> Any:
    """A call of an operator on tensors of some dtypes, and on what stands behind them."""
    graph = Graph()
    inputs: list[Node] = []
    for number, dtype in enumerate(dtypes):
        node = graph.placeholder(f"x{number}")
        node.target, node.meta["val"] = node.name, known(dtype)
        inputs.append(node)
    call = graph.call_function(Target(f"torch.ops.aten.{operator}"), (*inputs, *numbers), name="y")
    call.meta["val"] = known(gives)
    graph.output((call,))
    signature = ExportGraphSignature(
        [InputSpec(InputKind.USER_INPUT, each.name) for each in inputs],
        [OutputSpec(OutputKind.USER_OUTPUT, "y")],
    )
    return ExportedProgram(GraphModule(graph), signature, CallSpec(TreeSpec("tuple"), TreeSpec()))


BROKEN: dict[str, tuple[str, tuple[str, ...], tuple[Any, ...], str, str]] = {
    "integers and floats": ("add.Tensor", ("int64", "float32"), (), "float32", "torch.float32 and torch.int64: one"),
    "a product": ("mm.default", ("float16", "float32"), (), "float32", "torch.float16 and torch.float32: one"),
    "a wide number": ("pow.Tensor_Scalar", ("int64",), (0.5,), "float32", "torch.int64 and the number 0.5: one"),
    "a bound": ("clamp.default", ("int32",), (None, 2.5), "float32", "torch.int32 and the number 2.5: one"),
    "a number and truth": ("eq.Scalar", ("bool",), (1,), "bool", "torch.bool and the number 1: one"),
    "a root of integers": ("sqrt.default", ("int64",), (), "float32", "torch.int64: floating point numbers"),
    "weights of integers": ("_softmax.default", ("int64",), (0, False), "float32", "torch.int64: floating point"),
    "bits of floats": ("bitwise_not.default", ("float32",), (), "float32", "torch.float32: integers or truth"),
    "a condition": ("where.self", ("int64", "float32", "float32"), (), "float32", "torch.int64 as its condition"),
    "another result": ("mul.Tensor", ("int64", "int64"), (), "int32", "gives torch.int32, and torch.int64 is"),
    "a comparison": ("lt.Tensor", ("int64", "int64"), (), "int64", "gives torch.int64, and torch.bool is"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_a_rule_is_named(name: str) -> None:
    *call, rule = BROKEN[name]
    with pytest.raises(tsc.VerificationError) as caught:
        tsc.verify_exported(program(*call), "edge")
    (found,) = caught.value.violations
    assert found.node == "y"
    assert rule in found.rule


@pytest.mark.parametrize(
    ("operator", "dtypes", "numbers", "gives"),
    [
        ("add.Tensor", ("int64", "int64"), (), "int64"),
        ("pow.Tensor_Scalar", ("float16",), (2,), "float16"),
        ("gt.Scalar", ("int64",), (2,), "bool"),
        ("where.self", ("bool", "int8", "int8"), (), "int8"),
        ("sum.dim_IntList", ("bool",), ([],), "int64"),
        ("sqrt.default", ("float64",), (), "float64"),
    ],
)
def test_what_fits_is_taken(operator: str, dtypes: Any, numbers: Any, gives: str) -> None:
    tsc.verify_exported(program(operator, dtypes, numbers, gives), "edge")


INTEGERS = [
    "torch.clamp(i, min=0.5)",
    "torch.fmod(i, 2.5)",
    "torch.pow(i, 0.5)",
    "i > 0.5",
    "b == 1",
]


@pytest.mark.parametrize("expression", INTEGERS)
def test_tensors_have_the_dtype_of_the_numbers_that_they_meet(expression: str) -> None:
    text = f"import torch\ndef f(i, b):\n    return {expression}\n"
    f = tsc.CompilationUnit(text).f
    given = (tsc.tensor([1, 2, 3]), tsc.tensor([True, False, True]))
    edge = tsc.to_edge(tsc.export(f, given))
    first, second = edge.graph.find_nodes(Op.CALL_FUNCTION)
    assert str(first.target) == "torch.ops.dim_order_ops._to_dim_order_copy.default"
    assert second.args[0] is first
    assert edge.module()(*given).tolist() == f(*given).tolist()
