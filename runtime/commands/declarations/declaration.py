"""How a command is declared: by a function without a body, whose docstring is the help."""

from __future__ import annotations

from collections.abc import Callable

import click

from tsc.runtime.commands.invocation import Command
from tsc.runtime.commands.options import Described

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def command(name: str) -> Callable[[Described], click.Command]:
    """A command with the options that stand below this decorator; the command line gives it what it does."""
    return click.command(name, cls=Command, context_settings=CONTEXT)
