"""``tsc.to_edge``: a program in the Edge dialect."""

from __future__ import annotations

from typing import Final

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
    verify_exported(made, Dialect.EDGE.value)
    return made
