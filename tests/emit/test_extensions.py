"""Where tsc goes further than PyTorch, and how `strict` takes it back."""

from __future__ import annotations

import pytest

from compiler.source import CompileError
from tests.emit.compiled import compiled

EXTENSIONS = {
    "recursion": "def f(n: int) -> int:\n    return 1 if n < 2 else n * f(n - 1)\n",
    "condition of a comprehension": "def f(x: List[int]):\n    return [i for i in x if i > 2]\n",
    "two loops of a comprehension": (
        "def f(x: List[List[int]]):\n    return [i for row in x for i in row]\n"
    ),
    "reversed": "def f(x: List[int]):\n    return [i for i in reversed(x)]\n",
    "enumerate from a keyword": (
        "def f(x: List[int]):\n    return [i for i, j in enumerate(x, start=1)]\n"
    ),
    "keyword-only parameters": "def f(x: int, *, y: int = 1):\n    return x + y\n",
    "empty lists as elements": (
        "def f(x: int):\n    y: List[List[int]] = [[] for i in range(x)]\n    return y\n"
    ),
    "empty lists as values": (
        'def f(x: int):\n    y: Dict[str, List[int]] = {"a": [], "b": [x]}\n    return y\n'
    ),
}


@pytest.mark.parametrize("source", EXTENSIONS.values(), ids=EXTENSIONS.keys())
def test_extension_compiles_unless_strict(source: str) -> None:
    compiled(source).graph.lint()
    with pytest.raises(CompileError):
        compiled(source, strict=True)


def test_conditions_of_a_comprehension_refine() -> None:
    source = "def f(x: List[Optional[int]]):\n    return [i + 1 for i in x if i is not None]\n"
    assert str(compiled(source).schema).endswith("-> int[]")


def test_a_function_that_calls_itself_has_its_annotated_type() -> None:
    assert str(compiled(EXTENSIONS["recursion"]).schema) == "f(int n) -> int"


def test_defaults_are_evaluated() -> None:
    source = (
        "def f(a: float = 1, b: List[int] = [1, 2], c: int = 2 + 3 * 4,"
        " d: Optional[str] = None, e: int = torch.float64, g: Tuple[int, float] = (1, -2.5)):\n"
        "    return a\n"
    )
    defaults = [argument.default for argument in compiled(source).schema.arguments]
    assert defaults == [1.0, (1, 2), 14, None, 7, (1, -2.5)]
    assert isinstance(defaults[0], float)
