"""The ``--args`` of `tsc run`: TorchScript expressions and ``@file`` references, split and evaluated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tsc.compiler.frontend.parser import parse_expression
from tsc.compiler.schema.call_errors import missing_value
from tsc.compiler.source import UsageError
from tsc.compiler.source.diagnostics import CompileError
from tsc.compiler.source.source import Source
from tsc.compiler.types import ClassType
from tsc.runtime.commands.json_arguments import value_of_json
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.inspection.visible import shortened
from tsc.runtime.python_api.tensor_api import from_numpy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tsc.compiler.schema import Argument, FunctionSchema
    from tsc.compiler.types import Type
    from tsc.runtime.programs.source_unit import SourceUnit

_LONGEST_VALUE = 60
_OPENING = {"(": ")", "[": "]", "{": "}"}
_QUOTES = "'\""


class Runnable(Protocol):
    """A function or method that can be asked whether it takes some arguments."""

    def check_arguments(self, *args: Any, **kwargs: Any) -> object: ...


_EXAMPLES = {
    "Tensor": "torch.ones(2, 3)",
    "int": "3",
    "float": "0.5",
    "bool": "True",
    "str": "'text'",
}


def parse_arguments(
    text: str, schema: FunctionSchema, unit: SourceUnit
) -> tuple[list[Any], dict[str, Any]]:
    """The positional and the named arguments that `text` spells for a call of `schema` in `unit`.

    Raises `UsageError` for what cannot be parsed or read, `ScriptError` for an expression that fails.
    """
    positional: list[Any] = []
    named: dict[str, Any] = {}
    if not text.strip():
        refuse_missing_arguments(schema)
    for piece in split_arguments(text):
        name, expression = split_name(piece)
        if name is None:
            if named:
                raise UsageError(f"--args: the positional argument {piece!r} follows a named one")
            type_ = declared_type(schema, len(positional))
            positional.append(evaluate(expression, type_, unit))
        else:
            if name in named:
                raise UsageError(f"--args: the argument {name!r} is given twice")
            named[name] = evaluate(expression, declared_type(schema, name), unit)
    return positional, named


def refuse_missing_arguments(schema: FunctionSchema) -> None:
    """Say how arguments are given, if some are needed and none are there."""
    for argument in given_arguments(schema):
        if not argument.has_default:
            message = missing_value(schema, argument)
            example = _EXAMPLES.get(str(argument.type), "…")
            hint = f'hint: pass arguments as in --args "{argument.name}={example}"'
            raise UsageError(f"{message}\n{hint}")


def refuse_wrong_arguments(
    chosen: Runnable, positional: Sequence[Any], named: Mapping[str, Any]
) -> None:
    """Say in a line which argument is wrong, before anything runs. Raises `UsageError`."""
    try:
        chosen.check_arguments(*positional, **named)
    except ScriptError as error:
        first, *rest = error.message.splitlines()
        parts = dict(each.split(": ", 1) for each in rest if ": " in each)
        value = parts.get("Value")
        if value is not None:
            first = f"{first.rstrip('.')}: {shortened(value, _LONGEST_VALUE)}"
        if "Declaration" in parts:
            first = f"{first.rstrip('.')}. Declaration: {parts['Declaration']}"
        raise UsageError(f"{first}{_tensor_hint(first, value)}") from None


def _tensor_hint(problem: str, value: str | None) -> str:
    """What makes a tensor of numbers that were given for one."""
    if value is None or "of type 'Tensor'" not in problem or value[0] not in "[(-0123456789":
        return ""
    example = value if len(value) <= _LONGEST_VALUE else "[1.0, 2.0]"
    return f"\nhint: torch.tensor({example}) is a tensor"


def given_arguments(schema: FunctionSchema) -> list[Argument]:
    """The arguments that a call spells: the object of a method is none of them."""
    arguments = list(schema.arguments)
    owner = arguments[0].type if arguments else None
    if isinstance(owner, ClassType) and (owner.is_module or arguments[0].name == "self"):
        del arguments[0]
    return arguments


def declared_type(schema: FunctionSchema, key: int | str) -> Type | None:
    """The type of an argument, by position or name; None when there is no such argument."""
    for position, argument in enumerate(given_arguments(schema)):
        if key in (position, argument.name):
            return argument.type
    return None


def split_arguments(text: str) -> list[str]:
    """The pieces of `text` between commas that stand in no bracket and no string."""
    pieces: list[str] = []
    closing: list[str] = []
    start = position = 0
    while position < len(text):
        letter = text[position]
        if letter in _QUOTES:
            position = end_of_string(text, position)
        elif letter in _OPENING:
            closing.append(_OPENING[letter])
        elif letter in ")]}":
            if not closing or closing.pop() != letter:
                raise UsageError(f"--args: unmatched {letter!r} at column {position + 1}")
        elif letter == "," and not closing:
            pieces.append(text[start:position])
            start = position + 1
        position += 1
    if closing:
        raise UsageError(f"--args: {closing[-1]!r} is missing at the end")
    pieces.append(text[start:])
    stripped = [piece.strip() for piece in pieces]
    if stripped[-1] == "":
        stripped.pop()
    if "" in stripped:
        raise UsageError("--args: an argument is missing between two commas")
    return stripped


def end_of_string(text: str, start: int) -> int:
    """The position of the quote that closes the string opened at `start`."""
    position = start + 1
    while position < len(text):
        if text[position] == "\\":
            position += 1
        elif text[position] == text[start]:
            return position
        position += 1
    raise UsageError(f"--args: the string opened at column {start + 1} is not closed")


def split_name(piece: str) -> tuple[str | None, str]:
    """The name and the expression of ``name=EXPR``; None for a positional argument."""
    name, equals, expression = piece.partition("=")
    if equals and name.strip().isidentifier() and not expression.startswith("="):
        return name.strip(), expression.strip()
    return None, piece


def evaluate(expression: str, type: Type | None, unit: SourceUnit) -> Any:
    """The value of one argument; its declared `type` gives ``[]`` and ``None`` theirs."""
    annotation = None if type is None else type.annotation
    if not expression:
        raise UsageError("--args: a name without a value")
    if expression.startswith("@"):
        value = read_argument_file(expression[1:], as_list=wants_list(annotation))
        if not expression.endswith(".json") or type is None:
            return value
        return value_of_json(value, type, expression)
    errors = syntax_errors(expression)
    for declared in () if errors else (annotation, None):
        try:
            return evaluate_expression(expression, declared, unit)
        except CompileError as error:
            errors.append(error)
    raise UsageError(
        f"--args: cannot read {expression!r} as a TorchScript expression\n{errors[-1]}"
    )


def syntax_errors(expression: str) -> list[CompileError]:
    """What is wrong with the text of an expression; nothing for a good one."""
    try:
        parse_expression(Source(expression, "<--args>"))
    except CompileError as error:
        return [error]
    return []


def evaluate_expression(expression: str, annotation: str | None, unit: SourceUnit) -> Any:
    """Compile and run one expression, with its declared type if one is given."""
    returns = f" -> {annotation}" if annotation else ""
    before = f"def argument(){returns}:\n    return ("
    text = f"{before}{expression}\n    )\n"
    try:
        evaluated = unit.define_expression(Source(text, "<--args>"))
    except CompileError as error:
        raise placed_in(expression, error, len(before)) from None
    return evaluated.function("argument")()


def placed_in(expression: str, error: CompileError, offset: int) -> CompileError:
    """The error with its place in `expression`, which stands at `offset` in the text compiled."""
    start = min(max(error.range.start - offset, 0), len(expression))
    end = min(max(error.range.end - offset, start), len(expression))
    place = Source(expression, "<--args>").range(start, end)
    return error.at(place)


def wants_list(annotation: str | None) -> bool:
    """Whether an argument of that type is a list even if it has one element."""
    return annotation is not None and annotation.removeprefix("Optional[").startswith("List[")


def read_argument_file(path: str, *, as_list: bool = False) -> Any:
    """The value in a ``.npy``, ``.npz`` (its arrays in order, as a list) or ``.json`` file.

    An ``.npz`` of one array gives a list of one if `as_list`, and else that array.
    """
    suffix = Path(path).suffix
    try:
        if suffix == ".json":
            return json.loads(Path(path).read_text(encoding="utf-8"))
        if suffix == ".npy":
            return read_arrays(path)[0]
        if suffix == ".npz":
            tensors = read_arrays(path)
            return tensors if as_list or len(tensors) != 1 else tensors[0]
    except OSError as error:
        raise UsageError(f"@{path}: {error.strerror or error}") from None
    except (ValueError, EOFError, ScriptError) as error:
        raise UsageError(f"@{path}: {error}") from None
    raise UsageError(f"@{path}: an argument file is one of .npy, .npz, .json")


def read_arrays(path: str) -> list[Any]:
    """The tensors in an ``.npy`` or ``.npz`` file, in the byte order of this machine."""
    import zipfile  # only those who pass files wait for it

    try:
        loaded = np.load(path, allow_pickle=False)
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from None
    if isinstance(loaded, np.ndarray):
        arrays = [loaded]
    else:
        with loaded:
            arrays = [loaded[name] for name in loaded.files]
    return [from_numpy(array.astype(array.dtype.newbyteorder("="), copy=False)) for array in arrays]
