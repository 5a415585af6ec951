"""Programs that have no form in ONNX as they are: operators that nothing stands for are replaced by simpler ones."""

from __future__ import annotations

import onnx_ir as ir

from tsc.compiler.exir.delegation.local_writes import without_local_writes
from tsc.compiler.source import Error
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exporting.decomposition.program import run_decompositions
from tsc.runtime.exporting.decomposition.table import default_decompositions
from tsc.runtime.onnx.conversion import model_of_program
from tsc.runtime.onnx.refusals import OnnxExportError


def lowered_model(program: LoadedProgram, opset: int) -> ir.Model:
    """The model of a program, in which only such operators are decomposed as ONNX needs it for.

    Writes that nobody else sees become operators that write nothing. Where that is not enough, the program is run once
    more on its example arguments: writes become results, and what was refused goes by tsc's table of decompositions,
    as long as that brings something new.

    Raises:
        OnnxExportError: nodes that have no form in ONNX, and are made of nothing that has one.
    """
    decomposed: frozenset[str] | None = None
    current = without_local_writes(program, toolchain().operators)
    while True:
        try:
            return model_of_program(current, opset)
        except OnnxExportError as error:
            more = {each.qualified_name for each in error.refusals} & default_decompositions()
            following = (decomposed or frozenset[str]()) | more
            if not error.refusals or following == decomposed:
                raise
            current = _decomposed(program, following, error)
            decomposed = following


def _decomposed(
    program: LoadedProgram, names: frozenset[str], refused: OnnxExportError
) -> LoadedProgram:
    """Raises `refused` for a program that cannot be decomposed."""
    try:
        return run_decompositions(program, names)
    except Error as error:
        raise refused from error
