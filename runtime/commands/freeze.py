"""`tsc freeze`: an archive in which attributes are constants and batch norms are in weights."""

from __future__ import annotations

import io
import sys

from tsc.compiler.budget import budget
from tsc.compiler.source import Source, UsageError
from tsc.runtime.archives.loading import load_archive
from tsc.runtime.archives.saving import save
from tsc.runtime.commands.doors import Settings, say
from tsc.runtime.commands.output_files import write_bytes
from tsc.runtime.commands.programs import read_program
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.freezing.freeze import freeze, optimize_for_inference
from tsc.runtime.python_api.script_module import ScriptModule


def perform(
    settings: Settings,
    *,
    file: str,
    output: str | None,
    preserved: tuple[str, ...],
    evaluating: bool,
    for_inference: bool,
    exact: bool,
) -> None:
    """Write the frozen module of the archive `file` to `output`, with its extra files."""
    if for_inference and exact:
        raise UsageError("--for-inference and --exact: layers that are joined give other last bits")
    archive = read_program(file)
    if isinstance(archive, Source) or not hasattr(archive, "extra_files"):
        raise UsageError(
            f"{file} is no archive: freeze takes what torch.jit.save and tsc.save write"
        )
    if archive.is_exported_program:
        raise UsageError(f"{file} is an exported program, whose parameters are inputs")
    if output is None and sys.stdout.isatty():
        raise UsageError("an archive is not for a terminal: say where to write it with -o OUT")
    module = load_archive(archive, toolchain(settings.strict))
    if evaluating:
        module.eval()
    with budget():
        if for_inference:
            frozen = optimize_for_inference(module, preserved)
        else:
            frozen = freeze(module, preserved, optimize_numerics=not exact)
    buffer = io.BytesIO()
    save(frozen, buffer, archive.extra_files())
    if output is None:
        sys.stdout.buffer.write(buffer.getvalue())
    else:
        write_bytes(buffer.getvalue(), output)
    if settings.verbose:
        say(settings, _summary(module, frozen))


def _summary(module: ScriptModule, frozen: ScriptModule) -> str:
    """What became of the module's tree, and of its graphs."""
    modules, left = (sum(1 for _ in each.modules()) for each in (module, frozen))
    nodes = sum(1 for name in frozen.methods for _ in getattr(frozen, name).graph.all_nodes())
    return f"{modules} modules became {left}; {', '.join(frozen.methods)}: {nodes} nodes"
