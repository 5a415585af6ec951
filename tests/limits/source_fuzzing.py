"""Mutated programs: each is made of a number, is compiled, printed and run, and may end in errors of tsc alone."""

from __future__ import annotations

import contextlib
import io
import random
import re
import warnings
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import tsc
from tests.oracle.programs import all_programs
from tests.serialization.fuzzing import Outcome, tried
from tsc.compiler.ir import Function
from tsc.compiler.source import Source
from tsc.compiler.types import BOOL, FLOAT, INT, STRING, TENSOR, ListType, Type
from tsc.runtime.programs.source_unit import SourceUnit

MOST_MEGABYTES = 400
"""Of a process that has all operators loaded, and compiles many programs."""

_ARCHIVES = Path(__file__).parents[1] / "oracle" / "archives" / "recorded"
_TOKEN = re.compile(r"\n[ ]*|\w+|[^\w\s]|[ \t]+")
_WORDS = (
    *("if", "else", "elif", "for", "while", "in", "return", "def", "class", "lambda", "with", "assert", "del"),
    *("None", "True", "not", "and", "is", "break", "continue", "pass", "raise", "global", "yield", "await", "self"),
    *("List", "Dict", "Optional", "Tuple", "Union", "Any", "int", "str", "Tensor", "torch", "len", "print", "range"),
    *("(", ")", "[", "]", "{", "}", ":", ",", ".", "=", "+", "*", "**", "@", "->", ":=", "...", "'", '"', "#", "\\"),
    *("0", "-1", "1e400", "9" * 30, "0x", "1j", "''", "f'{x}'", "[]", "{}", "()", "x.y", "x[0]", "x[:, None]"),
)  # fmt: skip
_LETTERS = "\x00\x0c\r\t\u00a0\u200b\u202e\u2028\ud7ffé中\U0001f600\ufeff\x1b"
_ARGUMENTS: dict[Type, Any] = {INT: 3, FLOAT: 1.5, BOOL: True, STRING: "ab", ListType(INT): [1, 2]}


@cache
def _seeds() -> list[str]:
    """Small programs: the corpus, the samples, and the code of archives."""
    texts = [program.source for program in all_programs()]
    for path in sorted(_ARCHIVES.glob("*.pt")):
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".py")]
            texts += [archive.read(name).decode() for name in names]
    return [text for text in texts if len(text) < 4000]


def mutated(number: int) -> str:
    """The program of a number, always the same."""
    choice = random.Random(number)
    tokens = _TOKEN.findall(choice.choice(_seeds()))
    for _ in range(choice.choice((1, 1, 1, 2, 3, 8))):
        choice.choice(_CHANGES)(tokens, choice)
    return "".join(tokens)


def _place(tokens: Sequence[str], choice: random.Random) -> int:
    return choice.randrange(max(len(tokens), 1))


def _swap(tokens: list[str], choice: random.Random) -> None:
    first, second = _place(tokens, choice), _place(tokens, choice)
    tokens[first], tokens[second] = tokens[second], tokens[first]


def _delete(tokens: list[str], choice: random.Random) -> None:
    start = _place(tokens[1:], choice)
    del tokens[start : start + choice.choice((1, 1, 1, 3, 20))]
    tokens.append("\n")


def _repeat(tokens: list[str], choice: random.Random) -> None:
    start = _place(tokens, choice)
    piece = tokens[start : start + choice.choice((1, 2, 5, 40))]
    tokens[start:start] = piece * choice.choice((1, 1, 1, 2, 60))


def _put(tokens: list[str], choice: random.Random) -> None:
    tokens.insert(_place(tokens, choice), f" {choice.choice(_WORDS)} ")


def _replace(tokens: list[str], choice: random.Random) -> None:
    tokens[_place(tokens, choice)] = choice.choice(_WORDS)


def _take_from_elsewhere(tokens: list[str], choice: random.Random) -> None:
    tokens[_place(tokens, choice)] = choice.choice(tokens)


def _indent(tokens: list[str], choice: random.Random) -> None:
    lines = [place for place, token in enumerate(tokens) if token.startswith("\n")]
    if lines:
        tokens[choice.choice(lines)] = "\n" + choice.choice(
            (" ", "\t", "  ", "    ")
        ) * choice.randrange(5)


def _lose_bracket(tokens: list[str], choice: random.Random) -> None:
    brackets = [place for place, token in enumerate(tokens) if token in "()[]{}"]
    if brackets:
        tokens[choice.choice(brackets)] = choice.choice(("", "", "(", ")", "[", "]", "{", "}"))


def _put_letters(tokens: list[str], choice: random.Random) -> None:
    tokens.insert(_place(tokens, choice), choice.choice(_LETTERS) * choice.choice((1, 3)))


_CHANGES: tuple[Callable[[list[str], random.Random], None], ...] = (
    *(
        _swap,
        _delete,
        _repeat,
        _put,
        _replace,
        _replace,
        _take_from_elsewhere,
        _take_from_elsewhere,
    ),
    *(_indent, _lose_bracket, _put_letters),
)


def use(text: str) -> bool:
    """Parse, compile, print and run a program, under limits; whether all of it compiles."""
    try:
        unit = SourceUnit.from_source(Source(text))
        functions = list(unit.compiled.values())
        unit.printed(None)
        for function in functions:
            str(function.graph)
    except tsc.Error as error:
        str(error)
        return False
    for function in functions:
        _run(unit, function)
    return True


def _run(unit: SourceUnit, function: Function) -> None:
    types = [argument.type for argument in function.schema.arguments]
    if not all(type == TENSOR or type in _ARGUMENTS for type in types):
        return
    arguments = [
        tsc.tensor([[1.0, 2.0], [3.0, 4.0]]) if type == TENSOR else _ARGUMENTS[type]
        for type in types
    ]
    limits = tsc.limits(max_steps=2000, max_seconds=1)
    with limits, contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(tsc.Error):
        unit.function(function.name)(*arguments)


def run_part(first: int, count: int) -> Outcome:
    """Use the programs of `count` numbers from `first` on, until one goes wrong."""
    warnings.simplefilter("ignore")
    return tried("program", range(first, first + count), mutated, use, MOST_MEGABYTES)
