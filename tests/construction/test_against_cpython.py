"""Random programs: the evaluator ends as CPython does, with the same value or the same exception."""

from __future__ import annotations

import contextlib
import os
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_programs import random_program
from tsc.compiler.source import Source
from tsc.runtime.construction.construct import Construction
from tsc.runtime.context.errors import ScriptError

_EXAMPLES = int(os.environ.get("TSC_FUZZ_EXAMPLES", "100"))
_TORCH = SimpleNamespace(no_grad=contextlib.nullcontext)


def in_python(source: str, arguments: list[Any]) -> object:
    namespace: dict[str, Any] = {"List": list, "torch": _TORCH}
    exec(source, namespace)
    try:
        return namespace["f"](*arguments)
    except (RuntimeError, ValueError, LookupError, ArithmeticError, AssertionError) as error:
        return type(error).__name__, str(error)


def in_evaluator(source: str, arguments: list[Any]) -> object:
    construction = Construction.from_source(Source(source))
    try:
        return construction.call(construction.value("f"), *arguments)
    except ScriptError as error:
        return error.kind, error.message


@settings(max_examples=_EXAMPLES)
@given(
    st.integers(0, 10**9),
    st.lists(st.integers(-9, 9), min_size=3, max_size=3),
    st.lists(st.integers(-9, 9), max_size=5),
)
def test_random_programs_end_as_in_cpython(seed: int, numbers: list[int], items: list[int]) -> None:
    source = random_program(seed)
    arguments = [*numbers, items]
    assert in_evaluator(source, [*numbers, list(items)]) == in_python(source, arguments)
