"""Hypothesis strategies for programs that are almost right, and for texts that are not right at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

SAMPLES = Path(__file__).parent.parent.parent / "samples"

_TOKEN = re.compile(
    r"\n[ ]*|[ \t]+|#[^\n]*|[A-Za-z_]\w*|\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|//=|\*\*=|->|[-+*/%<>=!&|^@]=|"
    r"//|\*\*|<<|>>|[^\w\s]"
)
_NAMES = (
    "x", "y", "i", "n", "xs", "total", "self", "torch", "math", "F", "Tensor", "List", "Dict", "Optional",
    "Tuple", "int", "float", "str", "bool", "len", "range", "print", "zip", "enumerate", "reversed", "sum",
    "min", "max", "sorted", "isinstance", "list", "dict", "tuple", "append", "pop", "items", "keys", "size",
    "shape", "view", "sum", "mean", "item", "tolist", "zeros", "ones", "cat", "stack", "matmul", "relu",
    "format", "join", "split", "abs", "pow", "round", "chr", "ord", "dtype", "float32", "annotate", "jit",
)  # fmt: skip
_KEYWORDS = (
    "def", "return", "if", "elif", "else", "for", "while", "in", "not", "and", "or", "is", "None", "True",
    "False", "break", "continue", "pass", "assert", "raise", "del", "with", "as", "lambda", "import", "from",
    "class", "try", "except", "finally", "yield", "await", "async", "global", "nonlocal", "match", "case",
)  # fmt: skip
_OPERATORS = (
    "+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^", "~", "<", ">", "<=", ">=", "==", "!=",
    "=", "+=", "-=", "*=", "/=", "//=", "**=", "->", ":", ":=", ",", ".", "...", ";", "(", ")", "[", "]", "{",
    "}", "!", "?", "$", "\\", "`",
)  # fmt: skip
_LITERALS = (
    "0", "1", "-1", "2", "3.5", "1e400", "0x10", "1_000", "9223372036854775807", "9223372036854775808", "2j",
    "''", '"a"', "'{}'", 'f"{x}"', 'f"{"', '"""', "'", '"', "b'a'", "r'\\'", "'\\u1234'", "[]", "{}", "()",
)  # fmt: skip
_GROUPS = (
    ("+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^"),
    ("<", ">", "<=", ">=", "==", "!=", "is", "in"),
    ("+=", "-=", "*=", "/=", "=", "//=", "%="),
    ("and", "or"),
    ("True", "False", "None"),
    ("break", "continue", "pass", "return"),
    ("0", "1", "2", "3", "-1", "10", "-9223372036854775808", "9223372036854775807", "63", "1.0", "0.0"),
    ("0.5", "1.5", "1e308", "-0.0", "1e-400", "2j", "100.0", "7"),
    ("int", "float", "bool", "str", "Tensor", "List[int]", "Optional[int]", "Dict[str, int]", "Any"),
    ("ones", "zeros", "rand", "arange", "randn", "empty"),
    ("sum", "mean", "max", "min", "argmax", "prod", "item", "flatten", "numel", "dim", "t", "sort"),
    ("append", "extend", "remove", "insert", "pop", "index", "count", "clear", "reverse", "sort"),
    ("keys", "values", "items", "get", "copy", "update"),
    ("range", "enumerate", "reversed", "list", "len", "sorted", "zip"),
    ("if", "while", "elif"),
    ("unsqueeze", "squeeze", "softmax", "cumsum", "size", "select", "view", "expand", "repeat"),
)  # fmt: skip
_GROUP_OF = {token: group for group in _GROUPS for token in group}
_BLANKS = (
    " ",
    "\n",
    "\n    ",
    "\n        ",
    "\n  ",
    "\t",
    "\n\t",
    "\r\n",
    "\r",
    "\f",
    "\x00",
    "\ufeff",
)

tokens = st.sampled_from((*_NAMES, *_KEYWORDS, *_OPERATORS, *_LITERALS, *_BLANKS))

token_soups = st.lists(tokens, max_size=60).map(" ".join)
"""Words of the language in any order."""

bodies = token_soups.map(lambda soup: f"def f(x, n: int):\n    {soup}\n    return x\n")
"""The same inside of a function, where more of it is taken for code."""

texts = st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1"))


def functions_of_samples() -> list[str]:
    """The samples, and each of their functions alone."""
    programs: list[str] = []
    for path in sorted(SAMPLES.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        parts = re.split(r"\n(?=def )", text)
        programs.append(text)
        programs.extend(part + "\n" for part in parts if part.startswith("def "))
    return programs


def split(program: str) -> list[str]:
    """The tokens of a program; joined, they are the program again."""
    parts: list[str] = []
    position = 0
    for match in _TOKEN.finditer(program):
        if match.start() > position:
            parts.append(program[position : match.start()])
        parts.append(match[0])
        position = match.end()
    return [*parts, program[position:]]


def _duplicate(parts: list[str], i: int, j: int, token: str) -> None:
    parts.insert(j, parts[i])


def _delete(parts: list[str], i: int, j: int, token: str) -> None:
    del parts[i]


def _delete_several(parts: list[str], i: int, j: int, token: str) -> None:
    del parts[min(i, j) : min(i, j) + 1 + (i + j) % 7]


def _swap(parts: list[str], i: int, j: int, token: str) -> None:
    parts[i], parts[j] = parts[j], parts[i]


def _replace(parts: list[str], i: int, j: int, token: str) -> None:
    parts[i] = token


def _replace_by_another(parts: list[str], i: int, j: int, token: str) -> None:
    """The kind of a token stays: a name for a name, a number for a number."""
    kind = _kind(parts[i])
    candidates = [part for part in parts if _kind(part) == kind]
    parts[i] = candidates[j % len(candidates)]


def _exchange(parts: list[str], i: int, j: int, token: str) -> None:
    """An operator, number or method gives way to one that may stand in the same place."""
    places = [k for k, part in enumerate(parts) if part in _GROUP_OF]
    if places:
        place = places[i % len(places)]
        group = _GROUP_OF[parts[place]]
        parts[place] = group[j % len(group)]


def _insert(parts: list[str], i: int, j: int, token: str) -> None:
    parts.insert(i, f" {token} ")


def _change_indentation(parts: list[str], i: int, j: int, token: str) -> None:
    lines = [k for k, part in enumerate(parts) if part.startswith("\n")]
    if lines:
        parts[lines[i % len(lines)]] = "\n" + " " * (j % 13)


def _move_line(parts: list[str], i: int, j: int, token: str) -> None:
    lines = "".join(parts).split("\n")
    line = lines.pop(i % len(lines))
    lines.insert(j % (len(lines) + 1), line)
    parts[:] = split("\n".join(lines))


def _kind(part: str) -> str:
    if part.isidentifier():
        return "keyword" if part in _KEYWORDS else "name"
    if part[:1].isdigit():
        return "number"
    return "blank" if not part.strip() else "operator" if len(part) < 4 else "other"


Mutation = Callable[[list[str], int, int, str], None]
MUTATIONS: tuple[Mutation, ...] = (
    _duplicate,
    _delete,
    _delete_several,
    _swap,
    _replace,
    _replace_by_another,
    _exchange,
    _exchange,
    _exchange,
    _exchange,
    _insert,
    _change_indentation,
    _move_line,
)


@st.composite
def mutated_programs(draw: st.DrawFn) -> str:
    """A sample, or one function of it, with a few changes."""
    parts = split(draw(st.sampled_from(functions_of_samples())))
    for _ in range(draw(st.integers(1, 4))):
        if parts:
            positions = st.integers(0, len(parts) - 1)
            mutation = draw(st.sampled_from(MUTATIONS))
            mutation(parts, draw(positions), draw(positions), draw(tokens))
    return "".join(parts)
