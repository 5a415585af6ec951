"""Operands of calls in regions of automatic casts."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence
from dataclasses import replace

from tsc.compiler.exir.arguments import Argument, TorchConstant, leaves
from tsc.compiler.exir.autocast import cast_dtype, casts_inside, is_cast
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.translation.scope import Scope, Translated, TranslationError, plain_constant
from tsc.compiler.schema import Operator


def with_casts(scope: Scope, node: Node, operator: Operator, given: Sequence[Argument]) -> Scope:
    """The scope in which what a call is given has the dtype that the region wants: the same one outside of regions.

    Raises `TranslationError` for operators that are made of others, of which some are cast.
    """
    if scope.autocast is None:
        return scope
    name = operator.qualified_name
    if casts_inside(name):
        raise TranslationError(
            f"{node.name} calls {name} in a region of automatic casts, which change what it is made of",
            hint="run_decompositions() (tsc export --dialect core) gives a program that says these casts",
        )
    dtypes = {leaf: dtype for each in given for leaf in leaves(each) if (dtype := _dtype(leaf))}
    wanted = cast_dtype(name, scope.autocast, dtypes.values())
    if wanted is None:
        return scope
    code = plain_constant(TorchConstant(wanted))
    casts: dict[Node, Translated] = {
        each: scope.insert("aten::to", scope.value(each), code)
        for each, dtype in dtypes.items()
        if isinstance(each, Node) and is_cast(dtype, wanted)
    }
    return replace(scope, values=ChainMap(casts, scope.values))


def _dtype(leaf: Argument) -> str | None:
    """Of a tensor, by its name."""
    known = leaf.meta.get("val") if isinstance(leaf, Node) else None
    return known.dtype.name if isinstance(known, FakeTensor) else None
