"""Several mistakes in a program that compiles are as many problems: no follow-ups, nothing missed."""

from __future__ import annotations

from functools import cache

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.check.marked_programs import problems_of
from tests.check.mistakes import WRONG, Place, places, spoiled
from tests.fuzz import mutations
from tests.oracle.programs import PROGRAMS, read_programs
from tsc.compiler.compile import compile_source
from tsc.compiler.source import CompileError, Error, Source
from tsc.runtime.execution.toolchain import toolchain


def first_error(source: str) -> Error | None:
    """The error that compiling stops at."""
    try:
        compile_source(Source(source, "program.py"), toolchain())
    except Error as error:
        return error
    return None


@cache
def corpus() -> list[str]:
    """Programs of all topics, each of them a Python text."""
    sources = [
        each.source for path in sorted(PROGRAMS.glob("*.txt")) for each in read_programs(path)
    ]
    return [source for source in sources if "match " not in source]


@cache
def is_right(source: str) -> bool:
    return first_error(source) is None


def is_compiled(source: str, place: Place) -> bool:
    """Whether a mistake at a place is seen: in code that never runs, it is not."""
    text, (line,) = spoiled(source, [(place, WRONG[0])])
    error = first_error(text)
    return isinstance(error, CompileError) and error.range.line == line


@settings(max_examples=150)
@given(st.data())
def test_each_mistake_is_one_problem(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(corpus()))
    assume(is_right(source))
    candidates = list(places(source))
    assume(candidates)
    chosen = data.draw(
        st.lists(
            st.sampled_from(candidates), min_size=1, max_size=5, unique_by=lambda place: place.line
        )
    )
    seen = [place for place in chosen if is_compiled(source, place)]
    assume(seen)
    mistakes = [(place, data.draw(st.sampled_from(WRONG))) for place in seen]
    text, lines = spoiled(source, mistakes)
    assert [int(each.split()[0]) for each in problems_of(text)] == lines, text


@settings(max_examples=100)
@given(mutations.mutated_programs() | mutations.bodies)
def test_there_are_problems_where_a_program_does_not_compile(text: str) -> None:
    """The error that compiling stops at is one of them, and none are found in a good program."""
    error = first_error(text)
    found = problems_of(text)
    if error is None:
        assert found == []
    else:
        assert isinstance(error, CompileError)
        assert f"{error.range.line} {error.code}" in found
