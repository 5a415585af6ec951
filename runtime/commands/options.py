"""Options and arguments that several commands share.

Imported with the command line itself: nothing here may import more than click.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from tsc.runtime.commands.invocation import Completed

OUT = Completed("out", "files")

BACKENDS = ("native", "onnxruntime", "openvino")
"""Runtimes that `tsc run` may give programs to."""
Described = Callable[[], None]
"""A function without a body: its docstring is the help of a command."""


def written_to(help: str) -> Callable[[Described], Described]:
    """``-o``; ``-`` is standard output there, as it is without the option."""
    return click.option(
        "-o",
        "--output",
        type=OUT,
        callback=lambda _context, _option, value: None if value == "-" else value,
        help=help,
    )


LIMITS = ("max_steps", "max_seconds", "max_memory")


class _Memory(click.ParamType):
    """A number of bytes: ``2G``, ``512M``."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from tsc.runtime.context.limits import bytes_of

        try:
            return bytes_of(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def arguments_option(help: str, default: str | None = "") -> Callable[[Described], Described]:
    """The arguments of a function, as expressions."""
    metavar = '"EXPR, …, name=EXPR"'
    return click.option("--args", "arguments", default=default, metavar=metavar, help=help)


def example_calls_option(help: str) -> Callable[[Described], Described]:
    """The arguments of a function, or those of several methods, each behind the name of its method."""
    metavar = '"[METHOD:] EXPR, …, name=EXPR"'
    return click.option("--args", "arguments", multiple=True, metavar=metavar, help=help)


def limit_options(described: Described) -> Described:
    """How much may be evaluated: of constructors, of what runs at loading, of constants."""
    options = (
        click.option(
            "--max-steps", type=click.IntRange(1), help="Stop after so many jumps and calls."
        ),
        click.option(
            "--max-seconds", type=click.FloatRange(0, min_open=True), help="Stop after so long."
        ),
        click.option(
            "--max-memory",
            type=_Memory(),
            metavar="SIZE",
            help="Stop beyond so much, as in 512M or 2G.",
        ),
    )
    for option in reversed(options):
        described = option(described)
    return described


def format_option(*forms: str) -> Callable[[Described], Described]:
    """``--format`` with these choices, of which the first one is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        help=f"How to report (default: {forms[0]}).",
    )


FILE = Completed("file", "files")
FUNCTION = Completed("name", "functions")
CODE, CODES = Completed("code", "codes"), Completed("codes", "codes")
FINDING = Completed("code", "findings")
OPERATOR = Completed("name", "operators")

file_argument = click.argument("file", type=FILE)
function_argument = click.argument("function", required=False, type=FUNCTION)
init_option = click.option(
    "--init",
    metavar='"EXPR, …, name=EXPR"',
    help="Arguments for the constructor of a module, if FUNCTION is one or a method of one.",
)


dynamic_option = click.option(
    "--dynamic",
    metavar="SIZES",
    help="Sizes of arguments that may change: 'x: {0: batch=1..64, 1: _}, y: {0: 2*batch}'; _ is found.",
)
dialect_option = click.option(
    "--dialect",
    type=click.Choice(["aten", "core", "edge"]),
    help="The operators of the program: without writes (aten), those of core ATen (core), or with dtypes, numbers and "
    "memory told by operators (edge). As captured if nothing is said.",
)
opset_option = click.option(
    "--opset", type=int, help="Of a model of ONNX (OUT.onnx): 18 to 23; 20 if nothing is said."
)
external_data_option = click.option(
    "--external-data",
    is_flag=True,
    help="Write the weights of a model of ONNX to a file of their own, OUT.onnx.data; done anyway from 2 GiB on.",
)
findings_option = click.option(
    "--explain",
    is_flag=True,
    help="Export nothing, but tell what cannot be exported: of FUNCTION, or of all there are. The exit status is 1 if "
    "something cannot.",
)
to_option = click.option(
    "--to", type=click.Choice(["onnx"]), help="With --explain: tell what has no form in ONNX, too."
)
output_option = written_to("Write to OUT instead of standard output.")


def explain_option(type: Completed) -> Callable[[Described], Described]:
    """``--explain`` of codes of a kind."""
    return click.option("--explain", type=type, help="Explain a code, or list those that begin so.")


NATIVE_STAGES = ("llvm", "assembly")
INPUT_STAGES = ("specialized", "profiled", "guarded", "differentiable")
EXPORTED_STAGES = ("fx", "python", "signature")
"""Of exported programs alone."""
STAGES = (
    *("tokens", "tree", "load-store", "exits", "with", "ssa", "ir", "inlined"),
    *INPUT_STAGES,
    *("optimized", "bytecode", *NATIVE_STAGES, "schema", *EXPORTED_STAGES, "all"),
)


def _all_or_given(
    _context: click.Context, _parameter: click.Parameter, stages: Sequence[str]
) -> Sequence[str]:
    """``--stage all`` means every stage that needs neither arguments, LLVM nor an exported program."""
    special = (*INPUT_STAGES, *NATIVE_STAGES, *EXPORTED_STAGES)
    every = [stage for stage in STAGES[:-1] if stage not in special]
    return every if "all" in stages else stages


stage_option = click.option(
    "--stage",
    "stages",
    multiple=True,
    type=click.Choice(STAGES),
    callback=_all_or_given,
    help="What to dump (default: ir); may be given several times.",
)
