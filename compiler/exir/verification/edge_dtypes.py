"""Which dtypes an operator of the Edge dialect takes, and which it gives: nothing is converted there unsaid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tsc.compiler.exir.arguments import Argument, leaves
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.verification.edge_operators import (
    IMPLICIT_DTYPES,
    TO_FLOATING,
    WITH_NUMBERS,
)
from tsc.compiler.schema.argument import Argument as SchemaArgument
from tsc.compiler.types import NUMBER, OptionalType

Given = Sequence[tuple[SchemaArgument, Argument]]


def _names(text: str) -> frozenset[str]:
    return frozenset(f"aten::{name}" for name in text.split())


_FLOATING: Final = _names(
    "_log_softmax _softmax elu gelu grid_sampler_2d leaky_relu native_batch_norm native_group_norm native_layer_norm"
    " _native_batch_norm_legit _native_batch_norm_legit_no_training var.correction var.dim"
)
"""Operators that compute floating point numbers alone."""
_INTEGRAL: Final = _names(
    "bitwise_and.Scalar bitwise_and.Tensor bitwise_not bitwise_or.Scalar bitwise_or.Tensor"
    " bitwise_xor.Scalar bitwise_xor.Tensor"
)
"""Operators that compute integers and truth values alone."""
_ONE_DTYPE: Final = IMPLICIT_DTYPES | _names(
    "addmm bmm convolution copy mm scatter.src scatter_add scatter_reduce.two select_scatter slice_scatter"
)
"""Operators whose operands are of one dtype."""
_TRUTH: Final = _names(
    "any any.dim any.dims eq.Scalar eq.Tensor ge.Scalar ge.Tensor gt.Scalar gt.Tensor isinf isnan le.Scalar le.Tensor"
    " logical_and logical_not logical_or logical_xor lt.Scalar lt.Tensor ne.Scalar ne.Tensor"
)
"""Operators that give truth values."""
_CONDITIONS: Final = ("condition", "mask")
_INDICES: Final = ("index", "indices")
_INDEX_DTYPES: Final = ("int64", "int32", "bool", "uint8")


def dtype_violation(name: str, given: Given, node: Node) -> str | None:
    """What of an operator's operands or its result has another dtype than it should; None if all fits."""
    for argument, each in given:
        broken = _of_special(name, argument.name, each)
        if broken is not None:
            return broken
    operands = list(_operands(given))
    dtypes = sorted(set(operands))
    if name in _ONE_DTYPE and len(dtypes) > 1:
        told = " and ".join(f"torch.{each}" for each in dtypes)
        return f"{name} is given {told}: one dtype is wanted"
    for each in dtypes:
        if name in _FLOATING | TO_FLOATING and not _is_floating(each):
            return f"{name} is given torch.{each}: floating point numbers are wanted"
        if name in _INTEGRAL and _is_floating(each):
            return f"{name} is given torch.{each}: integers or truth values are wanted"
    return _of_numbers(name, given, dtypes) or _of_result(name, operands, node)


def _of_special(name: str, argument: str, given: Argument) -> str | None:
    """Conditions and indices, whose dtype meets no other one."""
    for dtype in _dtypes(given):
        if argument in _CONDITIONS and dtype != "bool":
            return f"{name} is given torch.{dtype} as its {argument}: truth values are wanted"
        if argument in _INDICES and dtype not in _INDEX_DTYPES:
            return f"{name} is given torch.{dtype} as its {argument}: integers are wanted"
    return None


def _of_numbers(name: str, given: Given, dtypes: Sequence[str]) -> str | None:
    """Numbers that are wider than the tensor that they meet."""
    if name not in WITH_NUMBERS or not dtypes:
        return None
    for argument, each in given:
        is_met = argument.type in (NUMBER, OptionalType(NUMBER)) and not argument.kwarg_only
        if is_met and _is_wider(each, dtypes[0]):
            return f"{name} is given torch.{dtypes[0]} and the number {each}: one dtype is wanted"
    return None


def _of_result(name: str, operands: Sequence[str], node: Node) -> str | None:
    known = node.meta.get("val")
    if not isinstance(known, FakeTensor) or not operands:
        return None
    same = name in IMPLICIT_DTYPES | TO_FLOATING | WITH_NUMBERS
    wanted = "bool" if name in _TRUTH else operands[0] if same else None
    if wanted in (None, known.dtype.name):
        return None
    return f"{name} gives torch.{known.dtype.name}, and torch.{wanted} is what it computes"


def _operands(given: Given) -> Iterator[str]:
    """The dtypes of the tensors that meet."""
    for argument, each in given:
        if argument.name not in (*_CONDITIONS, *_INDICES):
            yield from _dtypes(each)


def _dtypes(given: Argument) -> Iterator[str]:
    for leaf in leaves(given):
        known = leaf.meta.get("val") if isinstance(leaf, Node) else None
        if isinstance(known, FakeTensor):
            yield known.dtype.name


def _is_floating(dtype: str) -> bool:
    return dtype.startswith(("float", "bfloat", "complex"))


def _is_wider(number: Argument, dtype: str) -> bool:
    if isinstance(number, bool) or not isinstance(number, int | float | complex):
        return False
    if isinstance(number, complex):
        return not dtype.startswith("complex")
    return dtype == "bool" if isinstance(number, int) else not _is_floating(dtype)
