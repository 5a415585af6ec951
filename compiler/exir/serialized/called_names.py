"""What the arguments and results of a call are called in a serialized program: as in the schema of the operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import Target
from tsc.compiler.schema import FunctionSchema, OperatorTable, parse_schema

_SCHEMAS: Final = (
    "aten::_assert_async(Tensor self) -> ()",
    "aten::_assert_async.msg(Tensor self, str assert_msg) -> ()",
    "aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, "
    "ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()",
    "aten::_assert_scalar(Scalar self, str assert_msg) -> ()",
    "aten::_local_scalar_dense(Tensor self) -> Scalar",
    "aten::sym_numel(Tensor self) -> SymInt",
    "aten::sym_size.int(Tensor self, int dim) -> SymInt",
    "aten::sym_stride.int(Tensor self, int dim) -> SymInt",
    "aten::sym_storage_offset(Tensor self) -> SymInt",
    "aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()",
    "aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()",
)
"""Of operators that are in exported programs alone."""

_OF_NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "torch.sym_ite": ("b", "t", "f"),
    "math.trunc": ("x",),
}
"""Names of the arguments of functions on numbers, if they are not a and b."""


def schema_of(target: Target, operators: OperatorTable) -> FunctionSchema | None:
    """The schema of an operator, if it is known."""
    if not target.is_operator:
        return None
    operator = operators.find(target.name, target.overload)
    if operator is not None:
        return operator.schema
    name = f"{target.name}.{target.overload}" if target.overload else target.name
    text = next((each for each in _SCHEMAS if each.startswith(f"{name}(")), None)
    return None if text is None else parse_schema(text)


def names_of_numbers(target: Target) -> tuple[str, ...]:
    """What a function of Python calls its arguments."""
    return _OF_NUMBERS.get(target.text, ("a", "b"))


def names_that_were_read(node: Node) -> list[str]:
    """What a file called the arguments of an operator that is not known here."""
    return list(node.meta.get("argument_names", ()))
