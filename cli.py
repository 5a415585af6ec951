"""The command line `tsc`: click commands and rich output. What they do lives in `compiler` and `runtime`.

Imports of the compiler, the runtime and rich stand inside the functions that use them, so that
``tsc --help`` pays for none of them.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tsc.compiler.source import Source
    from tsc.runtime.programs.source_unit import SourceUnit
    from tsc.runtime.serialization.archive_reader import ArchiveReader

VERSION = "0.1.0"
STAGES = (
    "tokens",
    "tree",
    "load-store",
    "ssa",
    "ir",
    "inlined",
    "optimized",
    "bytecode",
    "schema",
    "all",
)
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@dataclass
class Settings:
    """The global options of one invocation."""

    strict: bool = False
    color: bool = False
    verbose: bool = False
    quiet: bool = False
    debug: bool = False


pass_settings = click.make_pass_decorator(Settings, ensure=True)


@click.group(context_settings=CONTEXT)
@click.version_option(VERSION, prog_name="tsc")
@click.option("--strict", is_flag=True, help="Reject what PyTorch rejects, where tsc goes further.")
@click.option("--color/--no-color", default=None, help="Colour (default: on a terminal only).")
@click.option("-v", "--verbose", is_flag=True, help="Say more: skipped statements, timing.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but results and errors.")
@click.option("--debug", is_flag=True, help="Show the Python traceback of an error.")
@click.pass_context
def main(
    context: click.Context,
    strict: bool,
    color: bool | None,
    verbose: bool,
    quiet: bool,
    debug: bool,
) -> None:
    """See, check and run TorchScript source and archives, without PyTorch.

    \b
    Examples:
      tsc run model.pt --args "torch.ones(2, 3)"   a model that PyTorch saved
      tsc run model.py f --args "torch.ones(2, 3), n=4"
      tsc inspect model.pt                         what is in a file, without running it
      tsc audit model.pt                           what in a file deserves distrust
      tsc check model.py                           all problems of a file, not only the first
      tsc compile model.py                         the IR of every function
      tsc compile model.py f --stage bytecode      what the interpreter executes
      tsc print-code model.py                      Python source that compiles to the same IR
      tsc ops "aten::add*"                         operator schemas that are implemented

    FILE is TorchScript source (.py) or an archive (.pt, .pth, .ts, .ptl), told by its content.
    The exit status is 0 if all went well, 1 if a program did not compile or raised, 2 if the command line is wrong
    or a file cannot be read.
    """
    from tsc.compiler.process_settings import rare_garbage_collection

    context.with_resource(rare_garbage_collection())
    show_every_letter()
    context.obj = Settings(strict, wants_color(color), verbose, quiet, debug)


def show_every_letter() -> None:
    """Escape what the terminal's encoding lacks, rather than fail on it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def wants_color(chosen: bool | None) -> bool:
    """The colour setting: the option, or else on a terminal unless ``NO_COLOR`` is set."""
    if chosen is not None:
        return chosen
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


@main.command("compile", context_settings=CONTEXT)
@click.argument("file")
@click.argument("function", required=False)
@click.option(
    "--init",
    metavar='"EXPR, …, name=EXPR"',
    help="Arguments for the constructor of a module, if FUNCTION is one or a method of one.",
)
@click.option(
    "--stage",
    "stages",
    multiple=True,
    type=click.Choice(STAGES),
    help="What to dump (default: ir); may be given several times.",
)
@click.option(
    "--print-after", "print_after", multiple=True, metavar="PASS", help="Dump after PASS."
)
@click.option("--print-after-all", is_flag=True, help="Dump after every pass.")
@click.option("-o", "--output", metavar="OUT", help="Write to OUT instead of standard output.")
@pass_settings
def compile_command(
    settings: Settings,
    file: str,
    function: str | None,
    init: str | None,
    stages: tuple[str, ...],
    print_after: tuple[str, ...],
    print_after_all: bool,
    output: str | None,
) -> None:
    """Dump the IR of FILE, or of one FUNCTION in it.

    FILE is TorchScript source, which is parsed and never executed, or a TorchScript archive, or - for source from
    standard input. FUNCTION is a function, a Class or Class.method; in an archive a method of the model (forward), a
    module of it or its method (encoder.layers.0.forward).

    \b
    Examples:
      tsc compile samples/lstm.py
      tsc compile samples/lstm.py lstm_cell --stage load-store --stage ssa
      tsc compile samples/loops.py --print-after convert_to_ssa
      tsc compile model.pt encoder.layers.0
      echo 'def f(x): return x + 1' | tsc compile -
    """
    with reported(settings):
        from tsc.runtime.commands.progress import shown_progress
        from tsc.runtime.commands.stages import dump_stages, unknown_pass

        for name in print_after:
            complaint = unknown_pass(name)
            if complaint is not None:
                raise click.UsageError(complaint)
        wanted = STAGES[:-1] if "all" in stages else stages
        if not stages and not print_after and not print_after_all:
            wanted = ("ir",)
        source = read_program(file)
        passes = None if print_after_all else frozenset(print_after)
        with shown_progress(not settings.quiet) as progress:
            observe = progress and progress.observe
            text = dump_stages(
                source,
                function,
                wanted,
                passes,
                init=init,
                strict=settings.strict,
                observe=observe,
            )
        report_skipped(settings, source)
        emit(settings, text, output)


@main.command("run", context_settings=CONTEXT)
@click.argument("file")
@click.argument("function", required=False)
@click.option(
    "--init",
    metavar='"EXPR, …, name=EXPR"',
    help="Arguments for the constructor of a module, if FUNCTION is one or a method of one.",
)
@click.option(
    "--args",
    "arguments",
    default="",
    metavar='"EXPR, …, name=EXPR"',
    help="Arguments: TorchScript expressions, or @file.npy, @file.npz, @file.json.",
)
@click.option(
    "-o", "--output", metavar="OUT", help="Write the result to OUT (.npz, .npy or .json)."
)
@click.option("--seed", type=int, help="Seed of the random numbers, as torch.manual_seed.")
@click.option(
    "--map-location",
    type=click.Choice(("cpu",)),
    help="Take the devices that the code of an archive names for the CPU.",
)
@click.option("--time", "timed", is_flag=True, help="Report the time of compiling and running.")
@click.option("--max-steps", type=click.IntRange(1), help="Stop after so many jumps and calls.")
@click.option("--max-seconds", type=click.FloatRange(0, min_open=True), help="Stop after so long.")
@pass_settings
def run_command(
    settings: Settings,
    file: str,
    function: str | None,
    init: str | None,
    arguments: str,
    output: str | None,
    seed: int | None,
    map_location: str | None,
    timed: bool,
    max_steps: int | None,
    max_seconds: float | None,
) -> None:
    """Compile FILE and execute FUNCTION.

    FILE is TorchScript source or a TorchScript archive. FUNCTION is a function, a module class or its method; in
    an archive a method of the model or of a module in it. Left out, it is the only one, or main, or forward.

    \b
    Examples:
      tsc run samples/greedy_search.py
      tsc run samples/loops.py skip_three --args 0
      tsc run samples/branches.py f --args "torch.ones(2), torch.arange(2), c=True"
      tsc run model.py f --args "@input.npy" -o result.npz
      tsc run model.py Model --init "10, hidden=32" --args "torch.randn(1, 10)" --seed 0
      tsc run model.pt --args "@input.npy"
      tsc run model.pt encoder.layers.0 --args "torch.ones(1, 8)"
    """
    with reported(settings):
        from tsc.runtime.commands.command_arguments import parse_arguments
        from tsc.runtime.commands.result_files import check_result_path, write_result

        if output is not None:
            complaint = check_result_path(output)
            if complaint is not None:
                raise click.UsageError(complaint)
        started = time.perf_counter()
        if seed is not None:
            from tsc.runtime.random.generator import manual_seed

            manual_seed(seed)
        unit = load_unit(settings, file, on_the_cpu=map_location is not None)
        chosen = unit.choose(function, init)
        positional, named = parse_arguments(arguments, chosen.schema, unit)
        compiled = time.perf_counter()
        with limits(max_steps, max_seconds):
            result = chosen(*positional, **named)
        finished = time.perf_counter()
        if output is not None:
            write_result(result, output)
        elif result is not None or "None" not in str(chosen.schema.returns[0].type):
            click.echo(repr(result))
        if timed or settings.verbose:
            say(
                settings,
                f"compiled in {compiled - started:.3f} s, ran in {finished - compiled:.3f} s",
            )


@main.command("check", context_settings=CONTEXT)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--explain", metavar="CODE", help="Explain a code, or list those that begin so.")
@click.option("--select", multiple=True, metavar="CODES", help="Report these codes only.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these codes.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "sarif")),
    default="text",
    help="How to report (default: text).",
)
@click.option(
    "--init",
    "inits",
    multiple=True,
    metavar='"CLASS(…)"',
    help="How a module is made whose constructor takes arguments; may be repeated.",
)
@click.option("-o", "--output", metavar="OUT", help="Write to OUT instead of standard output.")
@pass_settings
def check_command(
    settings: Settings,
    files: tuple[str, ...],
    explain: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    form: str,
    inits: tuple[str, ...],
    output: str | None,
) -> None:
    """Report all problems of each FILE, not only the first one.

    FILE is TorchScript source or a TorchScript archive, or - for source from standard input. CODES are codes or what
    they begin with, with commas: TS4 is all that TorchScript has not. Warnings (TS9) are reported when they are
    selected.

    \b
    Examples:
      tsc check model.py layers.py
      tsc check model.py --select TS2,TS3 --ignore TS304
      tsc check model.py --select TS               warnings, too
      tsc check model.py --init "Model(10, hidden=32)"
      tsc check src/*.py --format sarif -o problems.sarif
      tsc check --explain TS201

    The exit status is 0 without problems, 1 with problems, 2 if a file cannot be read.
    """
    with reported(settings):
        if explain is not None:
            from tsc.compiler.reports.text import explained

            click.echo(explained(explain), nl=False)
            return
        if not files:
            raise click.UsageError("name a FILE to check, or a code with --explain")
        from tsc.compiler.reports import Selection
        from tsc.runtime.commands.checking import check_files, written
        from tsc.runtime.commands.progress import shown_progress

        selection = Selection.of(select, ignore)
        with shown_progress(not settings.quiet) as progress:
            on_file = progress and progress.on_file
            checked = check_files(
                files, selection, strict=settings.strict, inits=inits, on_file=on_file
            )
        if form == "text" and settings.color and output is None:
            from tsc.runtime.commands.highlighting import print_problems

            print_problems(checked.problems)
        else:
            emit(settings, written(checked, form, VERSION), output)
        if form == "text" and checked.files and not settings.quiet:
            click.echo(checked.summary)
        for error in checked.unreadable:
            complain(str(error))
        context = click.get_current_context()
        context.exit(2 if checked.unreadable else 1 if checked.problems else 0)


@main.command("print-code", context_settings=CONTEXT)
@click.argument("file")
@click.argument("function", required=False)
@click.option(
    "--init",
    metavar='"EXPR, …, name=EXPR"',
    help="Arguments for the constructor of a module, if FUNCTION is one or a method of one.",
)
@click.option("-o", "--output", metavar="OUT", help="Write to OUT instead of standard output.")
@pass_settings
def print_code_command(
    settings: Settings, file: str, function: str | None, init: str | None, output: str | None
) -> None:
    """Print FILE as Python source that compiles to the same IR.

    FILE is TorchScript source or a TorchScript archive. FUNCTION is a function of it, a class or a method; in an
    archive a method of the model or of a module in it.

    \b
    Examples:
      tsc print-code samples/lstm.py lstm_cell
      tsc print-code model.pt encoder.layers.0
    """
    with reported(settings):
        text = load_unit(settings, file).printed(function, init)
        emit(settings, text, output, language="python")


@main.command("inspect", context_settings=CONTEXT)
@click.argument("file")
@click.option("--method", metavar="NAME", help="Print the source of one method or function.")
@click.option("--code", "with_code", is_flag=True, help="Show the source of all code, too.")
@click.option("--html", metavar="OUT", help="Write a page to look at (- to standard output).")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    help="How to report (default: text).",
)
@click.option("-o", "--output", metavar="OUT", help="Write to OUT instead of standard output.")
@pass_settings
def inspect_command(
    settings: Settings,
    file: str,
    method: str | None,
    with_code: bool,
    html: str | None,
    form: str,
    output: str | None,
) -> None:
    """Tell what FILE is, what is in it, and what to do with it.

    FILE may be of any kind, or - for standard input; its content is looked at, not its name. Nothing of it is
    executed, and no weights are read. NAME is a method of the model (forward), of one of its modules
    (encoder.layer.0.forward), or a qualified name.

    \b
    Examples:
      tsc inspect model.pt
      tsc inspect model.pt --method forward
      tsc inspect model.pt --code
      tsc inspect model.pt --html model.html
      tsc inspect model.pt --format json | jq .lacking_operators
      tsc inspect checkpoint.pth
    """
    with reported(settings):
        from tsc.runtime.inspection.inspection import find_method, inspect_file

        refuse_together(
            {"--method": method, "--html": html, "--format json": form == "json"},
            {"--code": with_code, "--method": method, "--html": html},
            {"--output": output, "--html": html},
        )
        found = inspect_file(file)
        if method is not None:
            from tsc.runtime.inspection.visible import visible_lines

            _, chosen = find_method(found, method)
            emit(settings, visible_lines(chosen.source), output, language="python")
        elif html is not None:
            from tsc.runtime.inspection.graphs import graphs_of
            from tsc.runtime.inspection.html_page import html_page

            page = html_page(found, graphs_of(found))
            emit(settings, page, None if html == "-" else html, language="text")
        elif form == "json":
            from tsc.runtime.inspection.json_report import json_report

            emit(settings, json_report(found, with_code=with_code), output, language="text")
        else:
            from tsc.runtime.inspection.text_report import text_report

            emit(settings, text_report(found, with_code=with_code), output, language="report")


@main.command("audit", context_settings=CONTEXT)
@click.argument("file", required=False)
@click.option("--policy", metavar="FILE", help="What is accepted, as TOML; see --print-policy.")
@click.option("--print-policy", is_flag=True, help="Print the built-in policy, to begin one with.")
@click.option("--explain", metavar="CODE", help="Explain a code, or list those that begin so.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "sarif")),
    default="text",
    help="How to report (default: text).",
)
@click.option("-o", "--output", metavar="OUT", help="Write to OUT instead of standard output.")
@pass_settings
def audit_command(
    settings: Settings,
    file: str | None,
    policy: str | None,
    print_policy: bool,
    explain: str | None,
    form: str,
    output: str | None,
) -> None:
    """Tell what in FILE deserves distrust, without loading it.

    FILE is an archive, a state_dict or a pickle. Its container, its pickles and its code are examined: functions that
    a pickle would call, operators that write files or are unknown, methods that run at load, bytes that are hidden.

    \b
    Examples:
      tsc audit model.pt
      tsc audit model.pt --policy policy.toml --format sarif -o findings.sarif
      tsc audit --print-policy > policy.toml
      tsc audit --explain TA301

    The exit status is 0 without findings (or with notes alone), 1 with findings, 2 if FILE cannot be examined.
    """
    with reported(settings):
        from tsc.runtime.audit.policy import DEFAULT_TEXT, read_policy
        from tsc.runtime.audit.reports import explained, written

        if print_policy or explain is not None:
            emit(settings, explained(explain) if explain else DEFAULT_TEXT, output, "text")
            return
        if file is None:
            raise click.UsageError("name a FILE to audit")
        from tsc.runtime.audit.audit import audit_file

        found = audit_file(file, read_policy(policy))
        language = "report" if form == "text" else "text"
        emit(settings, written(found, form, VERSION), output, language)
        if found.unread is not None:
            complain(f"{file}: not examined: {found.unread}\nhint: {found.kind.advice}")
        click.get_current_context().exit(found.status)


@main.command("ops", context_settings=CONTEXT)
@click.argument("pattern", required=False)
@click.option("--similar", metavar="NAME", help="List operators with names like NAME.")
@pass_settings
def ops_command(settings: Settings, pattern: str | None, similar: str | None) -> None:
    """List the schemas of the operators that are implemented.

    PATTERN is part of a name, or a name with * and ?.

    \b
    Examples:
      tsc ops softmax
      tsc ops "aten::*_like"
      tsc ops --similar aten::sofmax
    """
    with reported(settings):
        from tsc.runtime.commands.operator_listing import matching_schemas, similar_schemas

        lines = similar_schemas(similar) if similar is not None else matching_schemas(pattern)
        if not lines:
            raise click.ClickException(f"no operator matches {similar or pattern!r}")
        emit(settings, "\n".join(lines) + "\n", None)


def refuse_together(*exclusive: dict[str, object]) -> None:
    """Refuse options of which one makes another meaningless."""
    for options in exclusive:
        given = [name for name, value in options.items() if value]
        if len(given) > 1:
            raise click.UsageError(f"{given[0]} and {given[1]} cannot be given together")


@contextmanager
def reported(settings: Settings) -> Iterator[None]:
    """Turn errors into messages on standard error and the exit statuses of the contract."""
    from tsc.compiler.source.diagnostics import Error

    try:
        yield
    except Error as error:
        if settings.debug:
            raise
        complain(str(error).rstrip())
        sys.exit(2 if getattr(error, "is_usage", False) else 1)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (click.ClickException, click.exceptions.Exit, SystemExit):
        raise
    except Exception as error:
        if settings.debug:
            raise
        click.echo(bug_report(error), err=True)
        sys.exit(1)


def bug_report(error: Exception) -> str:
    """What to say of an exception that should not have reached the user."""
    place = getattr(error, "tsc_stage", None)
    where = f" in {place}" if place else ""
    return (
        f"tsc: this is a bug of tsc, not of your program{where}: {type(error).__name__}: {error}\n"
        "Run the same command with `tsc --debug …` for the traceback, and report it."
    )


@contextmanager
def limits(max_steps: int | None, max_seconds: float | None) -> Iterator[None]:
    from tsc.runtime.commands.watchdog import watchdog
    from tsc.runtime.context.limits import execution_limits

    with watchdog(max_seconds), execution_limits(max_steps=max_steps, max_seconds=max_seconds):
        yield


def read_program(file: str) -> Source | ArchiveReader:
    """The source text of FILE, or of standard input for ``-``; or FILE as an archive, if it is one."""
    from tsc.runtime.programs.source_files import is_archive, read_source_file

    if file == "-" or not is_archive(file):
        return read_source_file(file)
    from tsc.runtime.programs.archive_unit import read_archive_file

    return read_archive_file(file)


def load_unit(settings: Settings, file: str, *, on_the_cpu: bool = False) -> SourceUnit:
    from tsc.runtime.commands.progress import shown_progress
    from tsc.runtime.commands.stages import unit_of
    from tsc.runtime.execution.toolchain import toolchain

    source = read_program(file)
    with shown_progress(not settings.quiet) as progress:
        using = toolchain(settings.strict)
        using = using if progress is None else using.observed_by(progress.observe)
        unit = unit_of(source, using, on_the_cpu=on_the_cpu)
    report_skipped(settings, source)
    return unit


def report_skipped(settings: Settings, source: object) -> None:
    """With ``-v``, list the module-level statements that are not compiled."""
    from tsc.compiler.source.source import Source

    if not settings.verbose or not isinstance(source, Source):
        return
    from tsc.runtime.programs.skipped_statements import skipped_statements

    for line in skipped_statements(source):
        say(settings, line)


def complain(message: str) -> None:
    """An error, on standard error. It may quote a file that would like to command the terminal."""
    from tsc.runtime.inspection.visible import safe_on_a_terminal

    click.echo(safe_on_a_terminal(message), err=True)


def say(settings: Settings, message: str) -> None:
    """A message for the person, on standard error."""
    if not settings.quiet:
        click.echo(message, err=True)


def emit(settings: Settings, text: str, output: str | None, language: str = "ir") -> None:
    """Write a result: to a file, as plain text, or highlighted on a terminal."""
    if output is not None:
        from tsc.runtime.commands.result_files import write_text

        write_text(text, output)
        return
    if sys.stdout.isatty():
        from tsc.runtime.inspection.visible import safe_on_a_terminal

        text = safe_on_a_terminal(text)
    if not settings.color or language == "text":
        click.echo(text, nl=bool(text) and not text.endswith("\n"))
        return
    from tsc.runtime.commands.highlighting import print_highlighted

    print_highlighted(text, language)
