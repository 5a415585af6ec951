"""The way out of every command: results, messages, reports of errors and bugs, and the exit status."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tsc.compiler.outer_net import foreseen
from tsc.compiler.source import Error, stages_of
from tsc.runtime.commands.invocation import INTERRUPTED
from tsc.runtime.inspection.visible import safe_on_a_terminal

if TYPE_CHECKING:
    from tsc.compiler.reports import Problem

_MOST_STAGES = 2  # said of a bug: the innermost, and what it was done for


@dataclass(frozen=True)
class Settings:
    """The global options of one invocation, and the version of tsc that reports name."""

    strict: bool = False
    color: bool = False
    verbose: bool = False
    quiet: bool = False
    debug: bool = False
    version: str = ""


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


@contextmanager
def reported(settings: Settings, command: str) -> Iterator[None]:
    """Turn errors into messages on standard error and the exit statuses of the contract.

    With ``--debug``, they are raised.
    """
    try:
        with foreseen(failures=False):
            yield
    except Error as error:
        if settings.debug:
            sys.excepthook = _tell_traceback
            raise
        complain(str(error).rstrip())
        sys.exit(2 if getattr(error, "is_usage", False) else 1)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _write_no_more()
        sys.exit(1)
    except (click.ClickException, click.exceptions.Exit, SystemExit):
        raise
    except Exception as error:
        if settings.debug:
            sys.excepthook = _tell_traceback
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC and error.filename is None:
            _write_no_more()
            complain(f"standard output: {error.strerror}")
            sys.exit(2)
        complain(bug_report(error, command))
        sys.exit(1)


def _write_no_more() -> None:
    """What standard output still holds goes nowhere when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_traceback(kind: type[BaseException], error: BaseException, place: Any) -> None:
    """Python's report of what nobody caught; it quotes files that may command the terminal."""
    complain("".join(traceback.format_exception(kind, error, place)).rstrip())


def bug_report(error: Exception, command: str) -> str:
    """What to say of an exception that should not have reached the user: it names where it happened."""
    stages = stages_of(error)[:_MOST_STAGES] or [f"in {command}"]
    return (
        f"tsc: this is a bug of tsc, not of your program, {', '.join(stages)}: "
        f"{type(error).__name__}: {error}\n"
        "Run the same command with `tsc --debug …` for the traceback, and report it."
    )


def complain(message: str) -> None:
    """An error, on standard error. It may quote a file that would like to command the terminal."""
    click.echo(safe_on_a_terminal(message), err=True)


def say(settings: Settings, message: str) -> None:
    """A message for the person, on standard error."""
    if not settings.quiet:
        click.echo(safe_on_a_terminal(message), err=True)


@contextmanager
def prints_apart() -> Iterator[None]:
    """Send what a program prints to standard error, so that standard output has the result alone."""
    sys.stdout.flush()
    with redirect_stdout(sys.stderr):
        yield


def emit(settings: Settings, text: str, output: str | None = None, language: str = "ir") -> None:
    """Write a result: to a file, as plain text, or highlighted on a terminal.

    `language` is ``ir``, ``python`` or ``report``, or ``text`` for what has no colours.
    """
    if output is not None:
        from tsc.runtime.commands.output_files import write_text  # most results are shown

        write_text(text, output)
        return
    if sys.stdout.isatty():
        text = safe_on_a_terminal(text)
    if not settings.color or language == "text":
        click.echo(text, nl=bool(text) and not text.endswith("\n"))
        return
    _highlighting().print_highlighted(text, language)


def emit_in_colors(problems: Iterable[Problem]) -> None:
    """Print problems highlighted."""
    _highlighting().print_problems(problems)


def _highlighting():
    """What needs rich, which takes longer to import than most commands take."""
    from tsc.runtime.commands import highlighting

    return highlighting
