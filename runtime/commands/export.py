"""`tsc export`: a function or method as an exported program (`.pt2`), captured on example arguments."""

from __future__ import annotations

import io
import sys
from typing import IO

from tsc.compiler.budget import budget
from tsc.compiler.exir.symbols.dynamic_text import parse_dynamic_shapes
from tsc.compiler.source import UsageError
from tsc.runtime.archives.saving import save
from tsc.runtime.commands.command_arguments import parse_arguments, refuse_wrong_arguments
from tsc.runtime.commands.dialects import in_dialect
from tsc.runtime.commands.doors import Settings, prints_apart, say
from tsc.runtime.commands.export_explanations import explained
from tsc.runtime.commands.output_files import write_bytes
from tsc.runtime.commands.programs import load_unit
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exported.saving import save_exported
from tsc.runtime.exported.torchscript import to_torchscript
from tsc.runtime.exporting.capture import export
from tsc.runtime.onnx.export import DEFAULT_OPSET, export_onnx
from tsc.runtime.programs.exported_unit import ExportedUnit


def perform(
    settings: Settings,
    *,
    file: str,
    function: str | None,
    init: str | None,
    arguments: str,
    explain: bool,
    form: str,
    output: str | None,
    opset: int | None,
    dynamic: str | None,
    dialect: str | None,
) -> int:
    """Capture `function` for `arguments`, and write the program to `output`; or `explain` what hinders that."""
    if explain:
        if dialect is not None:
            raise UsageError(
                "--dialect is for programs that are written, and --explain writes none"
            )
        return explained(settings, file, function, init, form, output)
    if form != "text":
        raise UsageError(f"--format {form} is for --explain")
    if output is None and sys.stdout.isatty():
        raise UsageError("a program is not for a terminal: say where to write it with -o OUT.pt2")
    with prints_apart():
        with budget():
            unit = load_unit(settings, file)
            chosen = unit.choose(function, init)
        if isinstance(unit, ExportedUnit):
            if arguments or dynamic:
                option = "--args" if arguments else "--dynamic"
                raise UsageError(f"{option}: an exported program is captured already")
            program = unit.program
        else:
            positional, named = parse_arguments(arguments, chosen.schema, unit)
            refuse_wrong_arguments(chosen, positional, named)
            shapes = None if dynamic is None else parse_dynamic_shapes(dynamic)
            chosen = getattr(chosen, "method", chosen)
            program = export(chosen, positional, named, dynamic_shapes=shapes)
    program = program if dialect is None else in_dialect(settings, program, dialect)
    buffer = io.BytesIO()
    _write(program, buffer, output, opset)
    if output is None:
        sys.stdout.buffer.write(buffer.getvalue())
    else:
        write_bytes(buffer.getvalue(), output)
    if settings.verbose:
        inputs, nodes = len(program.graph.placeholders), len(list(program.graph.nodes))
        say(settings, f"exported {file}: {inputs} inputs, {nodes} nodes")
    return 0


def _write(
    program: LoadedProgram, buffer: IO[bytes], output: str | None, opset: int | None
) -> None:
    """As a model of ONNX or a TorchScript archive, if the name of the file ends so."""
    if output is not None and output.endswith(".onnx"):
        export_onnx(program, buffer, opset=DEFAULT_OPSET if opset is None else opset)
    elif opset is not None:
        raise UsageError("--opset is for models of ONNX: write one with -o OUT.onnx")
    elif output is not None and output.endswith(".pt"):
        save(to_torchscript(program), buffer)
    else:
        save_exported(program, buffer)
