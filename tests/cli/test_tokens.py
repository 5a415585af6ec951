"""``tsc compile --stage tokens`` of one function: all of its tokens and no others."""

from __future__ import annotations

from tsc.compiler.frontend.lexer import tokens
from tsc.compiler.source import Source
from tsc.runtime.commands.stages import token_dump

TEXT = """\
import torch

@torch.jit.export
def f(
    x: int,
    y: int = (1 + 2),
) -> int:
    if x > 1:
        return (x +
            1)
    return y

def g(x: int) -> int: return x

def h(x: int) -> int:
    return x
"""


def kinds(function: str) -> list[str]:
    return [line.split()[1] for line in token_dump(Source(TEXT), function).splitlines()]


def test_a_function_has_its_decorators_its_def_and_its_last_dedent() -> None:
    found = kinds("f")
    assert found[:7] == ["AT", "NAME", "DOT", "NAME", "DOT", "NAME", "NEWLINE"]
    assert found[7:10] == ["DEF", "NAME", "LPAR"]
    assert found[-4:] == ["RETURN", "NAME", "NEWLINE", "DEDENT"]
    assert found.count("INDENT") == found.count("DEDENT") == 2


def test_a_function_of_one_line_ends_with_it() -> None:
    assert kinds("g")[0] == "DEF"
    assert kinds("g")[-3:] == ["RETURN", "NAME", "NEWLINE"]


def test_what_functions_have_is_a_stretch_of_what_the_text_has() -> None:
    every = [str(token) for token in tokens(Source(TEXT))]
    for name in ("f", "g"):
        part = token_dump(Source(TEXT), name).splitlines()
        first = every.index(part[0])
        assert every[first : first + len(part)] == part
