"""`tsc export`: functions and methods as exported programs (`.pt2`), captured on examples, or as models of ONNX."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from tsc.compiler.budget import budget
from tsc.compiler.source import UsageError
from tsc.runtime.archives.saving import save
from tsc.runtime.commands.dialects import in_dialect
from tsc.runtime.commands.doors import Settings, prints_apart, say
from tsc.runtime.commands.export_calls import ExampleCall, example_calls, shapes_of, unit_arguments
from tsc.runtime.commands.export_explanations import explained
from tsc.runtime.commands.output_files import write_bytes
from tsc.runtime.commands.programs import load_unit
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exported.saving import save_exported
from tsc.runtime.exported.torchscript import to_torchscript
from tsc.runtime.exporting.capture import export
from tsc.runtime.onnx.export import DEFAULT_OPSET, METHOD_PLACE, export_onnx
from tsc.runtime.programs.exported_unit import ExportedUnit

_ARCHIVES: Final = (".pt", ".pth", ".ts", ".jit")
_ENDINGS: Final = (".pt2", ".onnx", *_ARCHIVES)
_DEVICES: Final = ("/dev/stdout", "/dev/null")


@dataclass(frozen=True, slots=True)
class Written:
    """What is written, and how."""

    output: str | None
    opset: int | None
    external_data: bool
    dialect: str | None

    @property
    def is_onnx(self) -> bool:
        return self.output is not None and self.output.endswith(".onnx")

    def check(self) -> None:
        """Raises `UsageError` for options that are not for what is written."""
        for option, is_given in (("--opset", self.opset), ("--external-data", self.external_data)):
            if is_given and not self.is_onnx:
                raise UsageError(f"{option} is for models of ONNX: write one with -o OUT.onnx")
        if self.output is None and sys.stdout.isatty():
            raise UsageError(
                "a program is not for a terminal: say where to write it with -o OUT.pt2"
            )
        if self.output is not None and not self.output.endswith((*_ENDINGS, *_DEVICES)):
            raise UsageError(
                f"{self.output}: the ending tells what is written: .pt2 an exported program, "
                ".pt (.pth, .ts, .jit) a TorchScript archive, .onnx a model of ONNX"
            )


def perform(
    settings: Settings,
    *,
    file: str,
    function: str | None,
    init: str | None,
    arguments: Sequence[str],
    explain: bool,
    to: str | None,
    form: str,
    output: str | None,
    opset: int | None,
    external_data: bool,
    dynamic: str | None,
    dialect: str | None,
) -> int:
    """Capture `function` for `arguments`, and write the program to `output`; or `explain` what hinders that.

    With ``{method}`` in `output`, each of `arguments` is that of a method, which it begins with.
    """
    if explain:
        if dialect is not None:
            raise UsageError(
                "--dialect is for programs that are written, and --explain writes none"
            )
        return explained(settings, file, function, init, form, output, to)
    if to is not None:
        raise UsageError(f"--to {to} is for --explain: -o OUT.onnx writes a model")
    if form != "text":
        raise UsageError(f"--format {form} is for --explain")
    written = Written(output, opset, external_data, dialect)
    written.check()
    is_several = output is not None and METHOD_PLACE in output
    calls = example_calls(function, arguments, is_several=is_several)
    with prints_apart():
        with budget():
            unit = load_unit(settings, file)
            shapes = shapes_of(unit, calls, init, dynamic)
        programs = {
            each.name: _program(settings, unit, each, init, shapes.get(each.name), written)
            for each in calls
        }
    _write(programs, written)
    if settings.verbose:
        for name, program in programs.items():
            inputs, nodes = len(program.graph.placeholders), len(list(program.graph.nodes))
            told = f"{file} {name}" if is_several else file
            say(settings, f"exported {told}: {inputs} inputs, {nodes} nodes")
    return 0


def _program(
    settings: Settings,
    unit: Any,
    call: ExampleCall,
    init: str | None,
    shapes: Any,
    written: Written,
) -> LoadedProgram:
    with budget():
        chosen = unit.choose(call.function, init)
        if isinstance(unit, ExportedUnit):
            program = unit.program
        else:
            positional, named = unit_arguments(unit, chosen, call.arguments)
            method = getattr(chosen, "method", chosen)
            program = export(method, positional, named, dynamic_shapes=shapes)
    return program if written.dialect is None else in_dialect(settings, program, written.dialect)


def _write(programs: dict[str, LoadedProgram], written: Written) -> None:
    """All of them are made before the first is written."""
    output = written.output
    if written.is_onnx and output is not None:
        opset = DEFAULT_OPSET if written.opset is None else written.opset
        several = METHOD_PLACE in output
        program = programs if several else next(iter(programs.values()))
        export_onnx(program, output, opset=opset, external_data=written.external_data or None)
        return
    made: list[tuple[str | None, bytes]] = []
    for name, program in programs.items():
        buffer = io.BytesIO()
        _save(program, buffer, output)
        made.append((output and output.replace(METHOD_PLACE, name), buffer.getvalue()))
    for path, content in made:
        if path is None:
            sys.stdout.buffer.write(content)
        else:
            write_bytes(content, path)


def _save(program: LoadedProgram, buffer: IO[bytes], output: str | None) -> None:
    """As a TorchScript archive, if the name of the file ends so."""
    if output is not None and output.endswith(_ARCHIVES):
        save(to_torchscript(program), buffer)
    else:
        save_exported(program, buffer)
