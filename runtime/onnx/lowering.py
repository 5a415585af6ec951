"""Programs that have no form in ONNX as they are: operators that nothing stands for are replaced by simpler ones."""

from __future__ import annotations

import onnx_ir as ir

from tsc.compiler.exir.arguments import leaves
from tsc.compiler.exir.delegation.local_writes import without_local_writes
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.plain_form import plain_form
from tsc.compiler.exir.signature import OutputKind
from tsc.compiler.source import UsageError
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exporting.decomposition.program import run_decompositions
from tsc.runtime.exporting.decomposition.table import default_decompositions
from tsc.runtime.exporting.errors import ExportError
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
    program = plain_form(program)
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
    """Raises `refused` for a program that cannot be decomposed, or gives other dtypes then.

    What goes wrong in tsc itself comes out as such.
    """
    try:
        found = run_decompositions(program, names)
    except (ExportError, ScriptError, UsageError) as error:
        raise refused from error
    if _result_dtypes(found) != _result_dtypes(program):
        raise refused
    return found


def _result_dtypes(program: LoadedProgram) -> list[str]:
    """Of the results that are tensors, in order; not of what is written."""
    specs = program.graph_signature.output_specs
    results = leaves(program.graph.output_node.args[0])
    known = [
        each.meta.get("val")
        for each, spec in zip(results, specs, strict=True)
        if isinstance(each, Node) and spec.kind is OutputKind.USER_OUTPUT
    ]
    return [each.dtype.name for each in known if isinstance(each, FakeTensor)]
