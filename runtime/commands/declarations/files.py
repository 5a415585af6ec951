"""Commands on files: what is in them, and what others are made of them."""

from __future__ import annotations

import click

from tsc.runtime.commands.declarations.declaration import command
from tsc.runtime.commands.options import (
    FILE,
    FINDING,
    FUNCTION,
    OUT,
    dialect_option,
    dynamic_option,
    example_calls_option,
    explain_option,
    external_data_option,
    file_argument,
    findings_option,
    format_option,
    function_argument,
    init_option,
    limit_options,
    opset_option,
    output_option,
    to_option,
    written_to,
)


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
      tsc inspect model.pt --code
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
      tsc audit --explain TA301

    The exit status is 0 without findings (or with notes alone), 1 with findings, 2 if FILE cannot be examined.
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
      tsc freeze model.pt -o frozen.pt --preserve encode --preserve labels
      tsc freeze training.pt --eval --for-inference -o frozen.pt
    """


@command("export")
@file_argument
@function_argument
@init_option
@example_calls_option(
    "Example arguments: TorchScript expressions, or @file.npy, @file.npz, @file.json. Once for each method if OUT has "
    "{method} in it."
)
@findings_option
@to_option
@format_option("text", "json", "sarif")
@dialect_option
@opset_option
@external_data_option
@dynamic_option
@written_to(
    "Write the exported program to OUT (- or nothing: to standard output): OUT.onnx is a model of ONNX, OUT.pt a "
    "TorchScript archive, and {method} in it stands for the name of each method that has --args."
)
@limit_options
def export_command() -> None:
    """Write FUNCTION of FILE as an exported program (.pt2), which torch.export.load reads.

    It is run once on the example arguments, whose sizes become part of the program (but those of --dynamic), as do
    all that are no tensors. Branches that data decides become cond, loops while_loop, sizes symbols; what has no
    form is refused, with its place and a way out.

    \b
    Examples:
      tsc export model.pt --args "torch.ones(1, 3, 224, 224)" -o model.pt2
      tsc export model.pt --args "torch.ones(8, 32)" --dynamic "x: {0: batch=1..64}" -o model.pt2
      tsc export model.pt2 --dialect core -o core.pt2
      tsc export model.pt2 -o model.onnx --opset 20
      tsc export model.pt --args "encode: torch.ones(8)" --args "decode: torch.ones(2), 5" -o "model-{method}.onnx"
      tsc export model.py --explain
      tsc export model.pt --explain --to onnx --format sarif -o findings.sarif
    """


COMMANDS = (
    inspect_command,
    audit_command,
    freeze_command,
    export_command,
)
