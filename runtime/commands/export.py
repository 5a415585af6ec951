"""`tsc export`: a function or method as an exported program (`.pt2`), captured on example arguments."""

from __future__ import annotations

import io
import sys

from tsc.compiler.budget import budget
from tsc.compiler.source import UsageError
from tsc.runtime.commands.command_arguments import parse_arguments, refuse_wrong_arguments
from tsc.runtime.commands.doors import Settings, prints_apart, say
from tsc.runtime.commands.export_explanations import explained
from tsc.runtime.commands.output_files import write_bytes
from tsc.runtime.commands.programs import load_unit
from tsc.runtime.exported.saving import save_exported
from tsc.runtime.exporting.capture import export


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
) -> int:
    """Capture `function` for `arguments`, and write the program to `output`; or `explain` what hinders that."""
    if explain:
        return explained(settings, file, function, init, form, output)
    if form != "text":
        raise UsageError(f"--format {form} is for --explain")
    if output is None and sys.stdout.isatty():
        raise UsageError("a program is not for a terminal: say where to write it with -o OUT.pt2")
    with prints_apart():
        with budget():
            unit = load_unit(settings, file)
            chosen = unit.choose(function, init)
        positional, named = parse_arguments(arguments, chosen.schema, unit)
        refuse_wrong_arguments(chosen, positional, named)
        program = export(chosen, positional, named)
    buffer = io.BytesIO()
    save_exported(program, buffer)
    if output is None:
        sys.stdout.buffer.write(buffer.getvalue())
    else:
        write_bytes(buffer.getvalue(), output)
    if settings.verbose:
        inputs, nodes = len(program.graph.placeholders), len(list(program.graph.nodes))
        say(settings, f"exported {chosen.name}: {inputs} inputs, {nodes} nodes")
    return 0
