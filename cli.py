"""The command line `tsc`: its help, and how its commands are performed.

What the commands are called with stands in `runtime/commands/declarations`. What a command does is `perform` in its
file of `runtime/commands`, imported when the command is given, so that ``tsc --help`` pays for none of it.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from tsc import __version__
from tsc.runtime.commands.declarations import files, programs
from tsc.runtime.commands.declarations.declaration import CONTEXT
from tsc.runtime.commands.invocation import Commands, given_settings
from tsc.runtime.commands.options import LIMITS


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="tsc")
@click.pass_context
def main(context: click.Context) -> None:
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
      tsc opt graph.ir --passes inline,peephole    passes over IR, step by step if wanted
      tsc freeze model.pt -o frozen.pt             attributes as constants, for inference
      tsc export model.pt --args "…" -o model.pt2  a program that torch.export.load reads
      tsc ops "aten::add*"                         operator schemas that are implemented

    FILE is TorchScript source (.py) or an archive (.pt, .pth, .ts, .ptl), told by its content.
    The options below stand before the command or after it. The exit status is 0 if all went well, 1 if a program
    did not compile or raised, 2 if the command line is wrong or a file cannot be read, 130 if it was interrupted.

    \b
    A line in its start file lets a shell complete files, functions, passes and codes:
      eval "$(_TSC_COMPLETE=bash_source tsc)"      bash
      eval "$(_TSC_COMPLETE=zsh_source tsc)"       zsh
      _TSC_COMPLETE=fish_source tsc | source       fish
    """
    from tsc.compiler.process_settings import end_without_collection, rare_garbage_collection
    from tsc.runtime.commands.doors import show_every_letter

    context.with_resource(rare_garbage_collection())
    end_without_collection()
    show_every_letter()


@click.pass_context
def perform(context: click.Context, **chosen: Any) -> None:
    """Do what the command of this context does: the file of `runtime/commands` that has its name."""
    from tsc.runtime.commands.doors import Settings, reported, wants_color
    from tsc.runtime.context.limits import limits

    name = str(context.command.name)
    given = given_settings(context)
    color = wants_color(given.get("color"))
    settings = Settings(**{**given, "color": color}, version=__version__)
    bounds = {limit: chosen.pop(limit) for limit in LIMITS if limit in chosen}
    with reported(settings, f"tsc {name}"), limits(**bounds):
        module = importlib.import_module(f"tsc.runtime.commands.{name.replace('-', '_')}")
        context.exit(module.perform(settings, **chosen) or 0)


for _command in (*programs.COMMANDS, *files.COMMANDS):
    _command.callback = perform
    main.add_command(_command)
