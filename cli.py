"""The command line `tsc`: the commands, their options and their help.

What a command does is `perform` in its file of `runtime/commands`, imported when the command is given, so that
``tsc --help`` pays for none of it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click

from tsc import __version__
from tsc.runtime.commands.invocation import (
    Command,
    Commands,
    Completed,
    PassOption,
    given_settings,
)
from tsc.runtime.commands.options import (
    CODE,
    CODES,
    FILE,
    FINDING,
    FUNCTION,
    LIMITS,
    OPERATOR,
    OUT,
    Described,
    arguments_option,
    explain_option,
    file_argument,
    findings_option,
    format_option,
    function_argument,
    init_option,
    limit_options,
    opset_option,
    output_option,
    stage_option,
    written_to,
)

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="tsc")
@click.pass_context
def main(context: click.Context) -> None:
    """See, check and run TorchScript source and archives, without PyTorch.

    \b
    Examples:
      tsc run model.pt --args "torch.ones(2, 3)"   a model that PyTorch saved
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


def command(name: str) -> Callable[[Described], click.Command]:
    """A command that is performed by the file of `runtime/commands` that has its name."""

    def declared(described: Described) -> click.Command:
        @click.pass_context
        def perform(context: click.Context, **chosen: Any) -> None:
            from tsc.runtime.commands.doors import Settings, reported, wants_color
            from tsc.runtime.context.limits import limits

            given = given_settings(context)
            color = wants_color(given.get("color"))
            settings = Settings(**{**given, "color": color}, version=__version__)
            bounds = {limit: chosen.pop(limit) for limit in LIMITS if limit in chosen}
            with reported(settings, f"tsc {name}"), limits(**bounds):
                module = importlib.import_module(f"tsc.runtime.commands.{name.replace('-', '_')}")
                context.exit(module.perform(settings, **chosen) or 0)

        return main.command(name, cls=Command, context_settings=CONTEXT)(
            update_wrapper(perform, described)
        )

    return declared


# Commands -------------------------------------------------------------------------------------


@command("compile")
@file_argument
@function_argument
@init_option
@stage_option
@arguments_option(
    "Arguments, for specialized to differentiable, and for optimized and code if given: FUNCTION is run once.",
    default=None,
)
@click.option(
    "--print-after",
    multiple=True,
    cls=PassOption,
    type=Completed("pass", "passes"),
    help="Dump after PASS; may be given several times.",
)
@click.option("--print-after-all", is_flag=True, help="Dump after every pass.")
@click.option(
    "--explain-native",
    is_flag=True,
    help="Tell what runs as machine code, and why the rest does not.",
)
@output_option
@limit_options
def compile_command() -> None:
    """Dump the IR of FILE, or of one FUNCTION in it.

    FILE is TorchScript source, which is parsed and never executed, or a TorchScript archive, or - for source from
    standard input. FUNCTION is a function, a Class or Class.method; in an archive a method of the model (forward), a
    module of it or its method (encoder.layers.0.forward).

    \b
    Examples:
      tsc compile samples/lstm.py
      tsc compile samples/lstm.py lstm_cell --stage load-store --stage ssa
      tsc compile samples/loops.py --print-after convert_to_ssa
      tsc compile samples/mandelbrot.py --explain-native
      tsc compile model.pt encoder.layers.0
      echo 'def f(x): return x + 1' | tsc compile -
    """


@command("run")
@file_argument
@function_argument
@init_option
@arguments_option("Arguments: TorchScript expressions, or @file.npy, @file.npz, @file.json.")
@written_to("Write the result to OUT (.npz, .npy or .json).")
@click.option("--seed", type=int, help="Seed of the random numbers, as torch.manual_seed.")
@click.option(
    "--map-location",
    type=click.Choice(("cpu",)),
    help="Take the devices that the code of an archive names for the CPU.",
)
@click.option("--time", "timed", is_flag=True, help="Report the time of compiling and running.")
@click.option(
    "--plan",
    type=click.Choice(("native", "python", "bytecode")),
    help="How the program is run: with loops as machine code from the start, as Python functions, or instruction by "
    "instruction. Left out, loops become machine code when that pays.",
)
@limit_options
def run_command() -> None:
    """Compile FILE and execute FUNCTION.

    FILE is TorchScript source or a TorchScript archive. FUNCTION is a function, a module class or its method; in
    an archive a method of the model or of a module in it. Left out, it is the only one, or main, or forward.

    \b
    Examples:
      tsc run samples/greedy_search.py
      tsc run samples/loops.py skip_three --args 0
      tsc run model.py f --args "@input.npy" -o result.npz
      tsc run model.py Model --init "10, hidden=32" --args "torch.randn(1, 10)" --seed 0
      tsc run model.pt encoder.layers.0 --args "torch.ones(1, 8)"
    """


@command("check")
@click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
@explain_option(CODE)
@click.option("--select", multiple=True, type=CODES, help="Report these codes only.")
@click.option("--ignore", multiple=True, type=CODES, help="Do not report these codes.")
@format_option("text", "json", "sarif")
@click.option(
    "--init",
    "inits",
    multiple=True,
    metavar='"CLASS(…)"',
    help="How a module is made whose constructor takes arguments; may be repeated.",
)
@output_option
@limit_options
def check_command() -> None:
    """Report all problems of each FILE, not only the first one.

    FILE is TorchScript source or a TorchScript archive, or - for source from standard input. CODES are codes or what
    they begin with, with commas: TS4 is all that TorchScript has not. Warnings (TS9) are reported when they are
    selected.

    \b
    Examples:
      tsc check model.py layers.py
      tsc check model.py --select TS2,TS3 --ignore TS304
      tsc check model.py --init "Model(10, hidden=32)"
      tsc check src/*.py --format sarif -o problems.sarif
      tsc check --explain TS201

    The exit status is 0 without problems, 1 with problems, 2 if a file cannot be read.
    """


@command("print-code")
@file_argument
@function_argument
@init_option
@output_option
@limit_options
def print_code_command() -> None:
    """Print FILE as Python source that compiles to the same IR.

    FILE is TorchScript source or a TorchScript archive. FUNCTION is a function of it, a class or a method; in an
    archive a method of the model or of a module in it.

    \b
    Examples:
      tsc print-code samples/lstm.py lstm_cell
      tsc print-code model.pt encoder.layers.0
    """


@command("inspect")
@file_argument
@click.option("--method", type=FUNCTION, help="Print the source of one method or function.")
@click.option("--code", "with_code", is_flag=True, help="Show the source of all code, too.")
@click.option("--html", type=OUT, help="Write a page to look at (- to standard output).")
@format_option("text", "json")
@output_option
def inspect_command() -> None:
    """Tell what FILE is, what is in it, and what to do with it.

    FILE may be of any kind, or - for standard input; its content is looked at, not its name. Nothing of it is
    executed, and no weights are read. NAME is a method of the model (forward), of one of its modules
    (encoder.layer.0.forward), or a qualified name.

    \b
    Examples:
      tsc inspect model.pt
      tsc inspect model.pt --method forward
      tsc inspect model.pt --html model.html
      tsc inspect model.pt --format json | jq .lacking_operators
      tsc inspect checkpoint.pth
    """


@command("audit")
@click.argument("file", required=False, type=FILE)
@click.option("--policy", type=FILE, help="What is accepted, as TOML; see --print-policy.")
@click.option("--print-policy", is_flag=True, help="Print the built-in policy, to begin one with.")
@explain_option(FINDING)
@format_option("text", "json", "sarif")
@output_option
def audit_command() -> None:
    """Tell what in FILE deserves distrust, without loading it.

    FILE is an archive, a state_dict or a pickle. Its container, its pickles and its code are examined: functions that
    a pickle would call, operators that write files or are unknown, methods that run at load, bytes that are hidden.

    \b
    Examples:
      tsc audit model.pt
      tsc audit model.pt --policy policy.toml --format sarif -o findings.sarif
      tsc audit --print-policy > policy.toml

    The exit status is 0 without findings (or with notes alone), 1 with findings, 2 if FILE cannot be examined.
    """


@command("opt")
@click.argument("file", required=False, type=FILE)
@function_argument
@init_option
@click.option(
    "--passes",
    "pipeline",
    default="",
    type=Completed("passes", "pipelines"),
    metavar='"A,B(option=value),C"',
    help="The passes to run, in this order, by our names or PyTorch's.",
)
@click.option("--list", "listed", is_flag=True, help="List all passes with their options.")
@click.option("--verify-each", is_flag=True, help="Check the graph's invariants after each pass.")
@click.option(
    "--print-after",
    "print_after",
    multiple=True,
    type=Completed("pass", "pipelines"),
    help="Dump after PASS.",
)
@click.option("--print-changed", is_flag=True, help="Show what each pass changed, as a diff.")
@click.option("--timing", is_flag=True, help="Report the time of each pass.")
@click.option(
    "--reproducer",
    type=OUT,
    help="If a pass fails, write the graph before it and the rest of the pipeline to OUT.",
)
@output_option
@limit_options
def opt_command() -> None:
    """Run passes over the IR of FILE, and print what comes out.

    FILE is IR text (.ir), TorchScript source, an archive, or - for standard input; which one is told by its content.
    FUNCTION is a function of it, as for `compile`. Without --passes, the graphs come out as they are; the passes that
    a reproducer names are run if no others are given.

    \b
    Examples:
      tsc opt graph.ir --passes "inline,propagate_constants,eliminate_dead_code"
      tsc opt samples/lstm.py lstm_cell --passes "peephole" --print-changed
      tsc opt model.pt encoder.layers.0 --passes inline --timing
      tsc opt --list
    """


@command("freeze")
@file_argument
@written_to("Write the frozen archive to OUT (- or nothing: to standard output).")
@click.option("--preserve", "preserved", multiple=True, metavar="NAME", help="Keep NAME as well.")
@click.option("--eval", "evaluating", is_flag=True, help="Freeze the module as it is after eval().")
@click.option("--for-inference", is_flag=True, help="Join linear layers of one input, too.")
@click.option("--exact", is_flag=True, help="Fold nothing that changes the last bits of results.")
@limit_options
def freeze_command() -> None:
    """Write FILE with its attributes as constants, for inference.

    PyTorch loads what comes out. Submodules are inlined, dropout goes, batch norms go into the weights before
    them, and what depends on constants only is computed. Attributes that a method changes stay; so do
    methods, attributes and submodules that --preserve names. The archive must be in evaluation mode.

    \b
    Examples:
      tsc freeze model.pt -o frozen.pt
      tsc freeze training.pt --eval --for-inference -o frozen.pt
    """


@command("export")
@file_argument
@function_argument
@init_option
@arguments_option(
    "Example arguments: TorchScript expressions, or @file.npy, @file.npz, @file.json."
)
@findings_option
@format_option("text", "json", "sarif")
@opset_option
@written_to("Write the exported program to OUT (- or nothing: to standard output).")
@limit_options
def export_command() -> None:
    """Write FUNCTION of FILE as an exported program (.pt2), which torch.export.load reads.

    It is run once on the example arguments, whose sizes become part of the program, as do all that are no tensors.
    Branches that data decides become cond; what else it decides is refused, with its place and a way out.

    \b
    Examples:
      tsc export model.pt --args "torch.ones(1, 3, 224, 224)" -o model.pt2
      tsc export model.pt2 -o model.onnx --opset 20
      tsc export model.py --explain
    """


@command("ops")
@click.argument("pattern", required=False, type=OPERATOR)
@click.option("--similar", type=OPERATOR, help="List operators with names like NAME.")
def ops_command() -> None:
    """List the schemas of the operators that are implemented.

    PATTERN is part of a name, or a name with * and ?.

    \b
    Examples:
      tsc ops softmax
      tsc ops --similar aten::sofmax
    """
