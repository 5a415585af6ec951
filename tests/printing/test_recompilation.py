"""Printed Python compiles again to the graph it was printed from."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.oracle.answers import normalize_graph
from tests.oracle.programs import Program, all_programs, read_programs
from tsc.compiler.ir import MANGLED
from tsc.compiler.printing.python_classes import print_classes
from tsc.compiler.printing.python_printer import print_python
from tsc.compiler.source import CompileError, Source
from tsc.runtime.programs.source_unit import SourceUnit

_CONSTANT = re.compile(r"  (%\S+) : (.*? = prim::Constant.*\(\))(?: # .*)?")

_LIST_DEFAULT = "a list that is a default becomes a literal when a later argument is given"

_OVERLOADS = "overloads have names of their own in printed code"

_FORKS = "the constants of a forked graph come in another order"

_LIST_OF_MEMBERS = "the list of an enum's members becomes a literal"

_OPTIONAL_NUMBER = "the constant, whose type is optional, is printed as the number that it is"

REASONS = {
    "strict/a number among optional elements is optional behind them": _OPTIONAL_NUMBER,
    "strict/a number among optional elements is a number in front of them": _OPTIONAL_NUMBER,
    "comprehensions/constants_in_annotated_containers": "None has no type in the text, in PyTorch's neither",
    "corners/fork_and_wait": _FORKS,
    "programs/fork_wait": _FORKS,
    "decorators/overloads": _OVERLOADS,
    "decorators/overloads_with_defaults": _OVERLOADS,
    "devices/parts_and_comparison": "the index of a device is printed as the number or None it is",
    "enums/loops_over_the_class": _LIST_OF_MEMBERS,
    "enums/values_are_constant_expressions": _LIST_OF_MEMBERS,
    "enums/zip_and_enumerate": _LIST_OF_MEMBERS,
    "enums/list_of_the_class": _LIST_OF_MEMBERS,
    "enums/flags_in_a_loop": _LIST_OF_MEMBERS,
    "decorators/overloads whose types a default does not fit": _OVERLOADS,
    "named_tuples/list_as_default": _LIST_DEFAULT,
    "extensions/mutable-defaults: are made anew for each call": _LIST_DEFAULT,
    "pooling/avg_pool1d": _LIST_DEFAULT,
    "pooling/avg_pool2d": _LIST_DEFAULT,
    "pooling/avg_pool3d": _LIST_DEFAULT,
    "samples/bpe": "loop-carried variables are ordered by name, and temporaries get new names",
    "samples/mandelbrot": "loop-carried variables are ordered by name, and _3 sorts before x",
    "tensors/reductions_along": "the type of max's named result has no name to print",
    "programs/defaults_elided": "the type of topk's named result has no name to print",
    "tensors/cumulative": "the type of cummax's named result has no name to print",
    "programs/unwrap_none": "annotate(Optional[int], None) is a None of that type",
    "programs/any_branch": "the text has the types of a variable's values, not its annotation",
    "programs/union_pairs": "a list assigned to a variable annotated with a Union is cast to it",
}
"""Programs whose graph differs a second time, each way right; the third is like the second."""

_IGNORED = "`^g` stands for a function of Python, in PyTorch's text, too"

FOR_READERS = {
    "strict/a call of an ignored function": _IGNORED,
    "strict/a call of an ignored function without annotations": _IGNORED,
    "strict/quoted types of a function that is left to Python": _IGNORED,
    "strict/a class method": "no object is made of the class, so that this text leaves its functions out",
}
"""Programs whose text does not compile again."""


@cache
def programs() -> dict[str, Program]:
    more = read_programs(Path(__file__).parent / "programs.txt")
    return {program.key: program for program in [*all_programs(), *more]}


def compiled(source: str) -> SourceUnit:
    return SourceUnit.from_source(Source(source))


def code(unit: SourceUnit) -> str:
    """Everything that a program became, the functions made for nested ones included."""
    functions = list(unit.compiled.values())
    return print_classes(functions) + "".join(map(print_python, functions))


def canonical(graph: object) -> str:
    """The text with the used constants at the top sorted, and all values renamed."""
    lines = str(graph).splitlines()
    constants = [line for line in lines if _CONSTANT.fullmatch(line)]
    others = [line for line in lines if line not in constants]
    used = set(re.findall(r"%[\w.]+", "\n".join(others)))
    constants = [line for line in constants if line.split()[0] in used]
    header = next(index for index, line in enumerate(others) if line.endswith("):")) + 1
    constants.sort(key=lambda line: _CONSTANT.sub(r"\2", line))
    return normalize_graph("\n".join([*others[:header], *constants, *others[header:]]))


@pytest.mark.parametrize("key", programs())
def test_the_second_graph_is_the_first(key: str) -> None:
    program = programs()[key]
    try:
        first = compiled(program.source)
    except CompileError:
        pytest.skip("does not compile in the first place")
    if key in FOR_READERS:
        with pytest.raises(CompileError):
            compiled(code(first))
        return
    second = compiled(code(first))
    if key in REASONS:
        assert code(compiled(code(second))) == code(second)
        return
    names = [name for name in first.compiled if not name.startswith(MANGLED)]
    assert [name for name in second.compiled if name in names] == names
    for name in names:
        function = first.compiled[name]
        assert canonical(second.compiled[name].graph) == canonical(function.graph)
