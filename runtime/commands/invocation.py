"""How commands are called: the options of all commands stand before and after them, none is given twice."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SETTINGS = "tsc.settings"
"""Under this name, the context keeps what the options of all commands say."""
INTERRUPTED = 130
"""The exit status of what was stopped by Ctrl-C, as shells say it."""


def settings_option(*declared: str, **described: Any) -> click.Option:
    """An option that is heard wherever it stands: what it says is collected in the context."""

    def heard(context: click.Context, parameter: click.Parameter, value: bool | None) -> None:
        if value is not None and parameter.name is not None:
            context.find_root().meta[SETTINGS] = {**given_settings(context), parameter.name: value}

    return click.Option(
        declared, default=None, expose_value=False, callback=heard, is_flag=True, **described
    )


def given_settings(context: click.Context) -> dict[str, bool]:
    """The options among `SETTINGS_OPTIONS` that the command line has had so far, by name."""
    return context.find_root().meta.get(SETTINGS, {})


SETTINGS_OPTIONS = (
    settings_option("--strict", help="Reject what PyTorch rejects, where tsc goes further."),
    settings_option("--color/--no-color", help="Colour (default: on a terminal only)."),
    settings_option("-v", "--verbose", help="Say more: skipped statements, timing."),
    settings_option("-q", "--quiet", help="Say nothing but results and errors."),
    settings_option("--debug", help="Show the Python traceback of an error."),
)


class Completed(click.ParamType):
    """A word that a shell can complete: `kind` is a module of `completion`, imported when a shell asks."""

    def __init__(self, name: str, kind: str) -> None:
        """`name` is what the help calls it."""
        self.name = name
        self.kind = kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return _completion(self.kind).offered(ctx, incomplete)


class PassOption(click.Option):
    """An option whose help lists the passes there are, once somebody reads it."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0], f"{record[1]} There are {_completion('passes').listed()}.")


def _completion(kind: str) -> Any:
    return import_module(f"tsc.runtime.commands.completion.{kind}")


class Command(click.Command):
    """A command that takes the options of all commands behind its name, too, and no other option twice."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_option = super().get_params(ctx)
        return [*own, *SETTINGS_OPTIONS, help_option]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # as a shell asks how a line may go on
            return super().parse_args(ctx, args)
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        once = [each for each in given if isinstance(each, click.Option) and takes_one_value(each)]
        for option in once:
            if once.count(option) > 1:
                raise click.UsageError(f"{max(option.opts, key=len)} is given twice", ctx)
        return super().parse_args(ctx, args)


def takes_one_value(option: click.Option) -> bool:
    """Whether a second value would silently replace the first one."""
    return not option.multiple and not option.is_flag


class Commands(click.Group):
    """The commands, with the options of all of them before their names."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_option = super().get_params(ctx)
        return [*SETTINGS_OPTIONS, *own, help_option]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)
