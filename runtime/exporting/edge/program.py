"""``tsc.to_edge``: a program in the Edge dialect."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.verification.verifier import Dialect
from tsc.compiler.outer_net import foreseen
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exported.verification import verify_exported
from tsc.runtime.exporting.decomposition.program import retraced, run_decompositions
from tsc.runtime.exporting.edge.calls import EdgeCalls

_DIALECT: Final = "EDGE"


@foreseen()
def to_edge(program: LoadedProgram) -> LoadedProgram:
    """The same program for devices: a new one, of the dialect EDGE.

    It is decomposed first. Then tensors of several dtypes are converted to the one in which they meet, numbers stand
    for tensors nowhere, views are copies, and orders of dimensions take the place of memory formats.

    Raises:
        VerificationError: a call has no form in the dialect; says which.
        ExportError: something in it has no form without writes.
    """
    made = retraced(run_decompositions(program), lambda each: EdgeCalls(each, frozenset()))
    made.dialect = _DIALECT
    _without_strides(made.graph_module)
    verify_exported(made, Dialect.EDGE.value)
    return made


def _without_strides(module: GraphModule) -> None:
    """Metadata with orders of dimensions alone."""
    for node in module.graph.nodes:
        node.meta["val"] = _ordered(node.meta.get("val"))
    for each in module.modules.values():
        _without_strides(each)


def _ordered(known: Any) -> Any:
    if isinstance(known, FakeTensor):
        return replace(known, requires_grad=False)
    if isinstance(known, tuple | list):
        parts: list[Any] = [_ordered(each) for each in known]
        return tuple(parts) if isinstance(known, tuple) else parts
    return known
