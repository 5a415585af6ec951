"""Commands that compile, check and run programs."""

from __future__ import annotations

import click

from tsc.runtime.commands.declarations.declaration import command
from tsc.runtime.commands.invocation import Completed, PassOption
from tsc.runtime.commands.options import (
    BACKENDS,
    CODE,
    CODES,
    FILE,
    OPERATOR,
    OUT,
    arguments_option,
    explain_option,
    file_argument,
    format_option,
    function_argument,
    init_option,
    limit_options,
    output_option,
    stage_option,
    written_to,
)


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
      tsc compile samples/mandelbrot.py --stage assembly
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
@click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    help="Have another runtime compute what it can of the program; -v tells what that is.",
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
      tsc run samples/branches.py f --args "torch.ones(2), torch.arange(2), c=True"
      tsc run model.py f --args "@input.npy" -o result.npz
      tsc run model.py Model --init "10, hidden=32" --args "torch.randn(1, 10)" --seed 0
      tsc run model.pt --args "@input.npy"
      tsc run model.pt --args "@input.npy" --backend onnxruntime -v
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
      tsc check model.py --select TS               warnings, too
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
      tsc compile samples/loops.py skip_three | tsc opt - --passes pool_constants --verify-each
      tsc opt model.pt encoder.layers.0 --passes inline --timing
      tsc opt --list
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
      tsc ops "aten::*_like"
      tsc ops --similar aten::sofmax
    """


COMMANDS = (
    compile_command,
    run_command,
    check_command,
    print_code_command,
    opt_command,
    ops_command,
)
