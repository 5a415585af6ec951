"""What extensions make of schemas and types; `tests/oracle/test_extensions.py` runs them all."""

from __future__ import annotations

import pytest

import tsc
from tests.emit.compiled import compiled
from tsc.compiler.source import extensions

RECURSIVE = "def f(n: int) -> int:\n    return 1 if n < 2 else n * f(n - 1)\n"


def test_conditions_of_a_comprehension_refine() -> None:
    source = "def f(x: List[Optional[int]]):\n    return [i + 1 for i in x if i is not None]\n"
    assert str(compiled(source).schema).endswith("-> int[]")


def test_a_function_that_calls_itself_has_its_annotated_type() -> None:
    assert str(compiled(RECURSIVE).schema) == "f(int n) -> int"


def test_a_function_tells_which_extensions_it_uses_and_where() -> None:
    (use,) = compiled(RECURSIVE).extensions
    assert use.extension is extensions.RECURSION
    assert str(use.range) == "<string>:2:31"
    assert not compiled("def f(n: int) -> int:\n    return n\n").extensions


def test_defaults_are_evaluated() -> None:
    source = (
        "def f(a: float = 1, b: List[int] = [1, 2], c: int = 2 + 3 * 4,"
        " d: Optional[str] = None, e: int = torch.float64, g: Tuple[int, float] = (1, -2.5)):\n"
        "    return a\n"
    )
    defaults = [argument.default for argument in compiled(source).schema.arguments]
    assert defaults == [1.0, (1, 2), 14, None, 7, (1, -2.5)]
    assert isinstance(defaults[0], float)


MUTATED_DEFAULTS = {
    "List[int] = [1, 2]": ("xs", "append(n)", [1, 2, 5]),
    "List[List[int]] = [[1], [2]]": ("xs[0]", "append(n)", [[1, 5], [2]]),
    "Tuple[List[int], int] = ([1], 2)": ("xs[0]", "append(n)", ([1, 5], 2)),
    "Optional[List[str]] = ['a']": ("torch.jit._unwrap_optional(xs)", "append('b')", ["a", "b"]),
}


@pytest.mark.parametrize("parameter", MUTATED_DEFAULTS)
def test_default_that_a_call_changes_is_new_in_the_next(parameter: str) -> None:
    """Called from Python, as a function, as a method and as a constructor."""
    target, change, expected = MUTATED_DEFAULTS[parameter]
    unit = tsc.CompilationUnit(f"""
def f(n: int, xs: {parameter}):
    {target}.{change}
    return xs

class Holder:
    def __init__(self, n: int, xs: {parameter}):
        self.xs = xs
        {target}.{change}
    def held(self, n: int, xs: {parameter}):
        {target}.{change}
        return xs

def g(n: int):
    return f(n), f(n), Holder(n).held(n), Holder(n).xs
""")
    for _ in range(2):
        assert unit.f(5) == expected
        assert unit.g(5) == (expected,) * 4


def test_constants_of_the_module_are_no_extension_in_defaults() -> None:
    """Python evaluates defaults; what names a constant inside of the function is one."""
    source = "K = 4\ndef f(a: int = K * 2) -> int:\n    return a\n"
    unit = tsc.CompilationUnit(source, strict=True)
    assert unit.f() == 8
    with pytest.raises(tsc.CompileError, match="module-constants"):
        tsc.CompilationUnit("K = 4\ndef f() -> int:\n    return K\n", strict=True)
