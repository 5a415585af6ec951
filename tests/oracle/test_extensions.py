"""Extensions mean what CPython means, and strict mode refuses each of them by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

import tsc
from tsc.compiler.ir import Function
from tsc.compiler.printing.python_classes import print_classes
from tsc.compiler.printing.python_printer import print_python
from tsc.compiler.source import EXTENSIONS, Source, codes, extensions
from tsc.runtime.programs.source_unit import SourceUnit

from .answers import same_value
from .extensions import EXTENSION_PROGRAMS, cpython_answers, extension_name
from .ours import answer
from .programs import Program

each_program = pytest.mark.parametrize(
    "program", EXTENSION_PROGRAMS, ids=lambda program: program.name
)


def test_every_extension_has_a_program() -> None:
    names = [extension.name for extension in EXTENSIONS]
    assert len(set(names)) == len(names)
    covered = {extension_name(program) for program in EXTENSION_PROGRAMS}
    assert covered | {extensions.MODULE_CONTAINERS.name} == set(names)
    assert extensions.MODULE_CONTAINERS.name not in covered  # tests/modules/test_strict_modules.py


@each_program
def test_program_answers_as_cpython_does(program: Program) -> None:
    ours, theirs = answer(program)["results"], cpython_answers(program)
    assert program.calls
    for mine, other in zip(ours, theirs, strict=True):
        mine.pop("message", None)
        assert mine.keys() == other.keys(), f"ours: {mine}\nCPython: {other}"
        assert same_value(mine, other), f"ours: {mine}\nCPython: {other}"


@each_program
def test_strict_mode_refuses_the_program_by_the_name_of_its_extension(program: Program) -> None:
    with pytest.raises(tsc.CompileError) as caught:
        tsc.CompilationUnit(program.source, strict=True)
    assert caught.value.code == codes.ONLY_IN_TSC
    assert any(f"'{extension_name(program)}'" in str(note) for note in caught.value.notes)


@each_program
def test_graphs_of_the_program_are_sound(program: Program) -> None:
    for function in compiled(program).values():
        function.graph.lint()


@each_program
def test_printed_code_of_the_program_answers_the_same(program: Program) -> None:
    """What extensions are lowered to is plain TorchScript."""
    functions = compiled(program).values()
    text = "\n".join([print_classes(functions), *map(print_python, functions)])
    printed = replace(program, source=text)
    assert answer(printed)["results"] == answer(program)["results"]


def compiled(program: Program) -> Mapping[str, Function]:
    """Every function that a program becomes, those made for nested functions included."""
    return SourceUnit.from_source(Source(program.source)).compiled
