"""Dumps of a program at the stages of its compilation, for `tsc compile`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tsc.compiler.budget import keep_text
from tsc.compiler.frontend.lexer import tokens
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tokens import DEDENT, INDENT, NEWLINE, Token
from tsc.compiler.frontend.tree import Tree
from tsc.compiler.ir import Function, Graph
from tsc.compiler.pipelines import (
    AFTER_EMISSION,
    BEFORE_RUNNING,
    EMISSION,
    INLINED,
    INLINED_BODY,
    WITH_TYPES,
    Observe,
    step_names,
)
from tsc.compiler.printing.tree_printer import print_tree
from tsc.compiler.source import Source, UsageError
from tsc.compiler.ssa.convert_to_ssa import EXITS
from tsc.compiler.ssa.with_blocks import make_with_blocks
from tsc.runtime.commands.options import EXPORTED_STAGES, NATIVE_STAGES
from tsc.runtime.commands.programs import archives, unit_of
from tsc.runtime.context.hooks import native_report
from tsc.runtime.context.native_availability import is_available
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.programs.ir_text import is_ir_text

if TYPE_CHECKING:
    from tsc.runtime.programs.source_unit import SourceUnit
    from tsc.runtime.serialization.archive_reader import ArchiveReader

EXPLANATION = "native"
"""The stage that ``--explain-native`` stands for."""
_MOST_MARGINS = 16 << 20  # letters
_WITH = "with"
_STEP_OF_STAGE = {"load-store": "emit", "exits": EXITS, "with": _WITH, "ssa": "convert_to_ssa"}
_FROM_SOURCE = (*EMISSION, *AFTER_EMISSION)
"""The steps that lead from a text to its graph."""


@dataclass
class Recording:
    """The graph texts that compilation passes through, by step and then by function."""

    steps: frozenset[str]
    also: Observe | None = None
    texts: dict[str, dict[str, str]] = field(default_factory=dict)

    def observe(self, step: str, function: Function, graph: Graph) -> None:
        if step == EXITS and _WITH in self.steps:
            graph_of_blocks = graph.copy()
            make_with_blocks(graph_of_blocks)
            self.observe(_WITH, function, graph_of_blocks)
        if step in self.steps:
            self.texts.setdefault(step, {})[function.qualified_name] = keep_text(str(graph))
        if self.also is not None:
            self.also(step, function, graph)


def unknown_pass(name: str) -> str | None:
    """What to say of a pass that does not exist, or None for one that does."""
    names = step_names()
    if name in names:
        return None
    close = difflib.get_close_matches(name, names, 1)
    suggestion = f"; did you mean {close[0]}?" if close else f"; there are {', '.join(names)}"
    return f"no pass is called {name!r}{suggestion}"


def dump_stages(
    source: Source | ArchiveReader,
    function: str | None,
    stages: Sequence[str],
    print_after: frozenset[str] | None,
    *,
    init: str | None = None,
    arguments: str | None = None,
    strict: bool = False,
    observe: Observe | None = None,
    report: Callable[[SourceUnit], None] = lambda _unit: None,
) -> str:
    """The text of `stages` for one function or all, after the graphs of `print_after` (None: all steps).

    `observe` hears of every step too, `report` of the unit when all wanted of it is compiled. What depends on inputs
    is shown for `arguments`.
    """
    _refuse_native(stages)
    after = frozenset(step_names()) if print_after is None else print_after
    name = source.filename if isinstance(source, Source) else source.name
    is_exported = not isinstance(source, Source) and source.is_exported_program
    if is_exported or (isinstance(source, Source) and is_ir_text(source)):
        _refuse("--stage", stages, (*_SOURCE_STAGES, *_STEP_OF_STAGE), name)
        _refuse("--print-after", print_after or (), _FROM_SOURCE, name)
        after = after.difference(_FROM_SOURCE)
    elif not isinstance(source, Source):
        _refuse("--stage", stages, _SOURCE_STAGES, name)
    elif not after and all(stage in _SOURCE_STAGES for stage in stages):
        return "\n".join(source_sections(source, function, stages))
    recording = Recording(
        after | {_STEP_OF_STAGE[s] for s in stages if s in _STEP_OF_STAGE}, observe
    )
    _refuse_exported(stages, is_exported, name)
    using = toolchain(strict).observed_by(recording.observe)
    unit = unit_of(source, using)
    if stages and not after and all(stage in EXPORTED_STAGES for stage in stages):
        return "\n".join(exported_sections(unit, stages))
    chosen = unit.selected(function, init)
    report(unit)
    sections = [
        section
        for name, each in chosen.items()
        for section in pass_sections(name, each, after, recording)
    ]
    several = len(stages) + len(after) > 1
    for_inputs = _for_inputs(unit, function, init, arguments, stages)
    for stage in stages:
        if isinstance(source, Source) and stage in _SOURCE_STAGES:
            text = _SOURCE_STAGES[stage](source, function)
            sections.append(headed(stage, None, text, several))
            continue
        if stage in EXPORTED_STAGES:
            sections += exported_sections(unit, [stage], several)
            continue
        if stage in for_inputs:
            sections.append(headed(stage, function, for_inputs[stage], several))
            continue
        for name, each in chosen.items():
            text = graph_stage(stage, each, recording)
            sections.append(headed(stage, name, text, several or len(chosen) > 1))
    return "\n".join(sections)


def _for_inputs(
    unit: SourceUnit,
    function: str | None,
    init: str | None,
    arguments: str | None,
    stages: Sequence[str],
) -> dict[str, str]:
    """The texts of the stages that depend on inputs."""
    if arguments is None and not set(stages) & {
        "specialized",
        "profiled",
        "guarded",
        "differentiable",
    }:
        return {}
    from tsc.runtime.commands.input_stages import (
        texts_for_inputs,
    )  # the other stages need no kernels

    return texts_for_inputs(unit, function, init, arguments, stages)


def _refuse_native(stages: Sequence[str]) -> None:
    wanted = [stage for stage in stages if stage in (*NATIVE_STAGES, EXPLANATION)]
    if wanted and not is_available():
        option = "--explain-native" if wanted[0] == EXPLANATION else f"--stage {wanted[0]}"
        raise UsageError(f"{option} needs llvmlite, the extra `native`: pip install llvmlite")


def _refuse_exported(stages: Sequence[str], is_exported: bool, name: str) -> None:
    wanted = [stage for stage in stages if stage in EXPORTED_STAGES]
    if wanted and not is_exported:
        raise UsageError(f"{name}: --stage {wanted[0]} is for exported programs (.pt2)")


def exported_sections(
    unit: SourceUnit, stages: Sequence[str], several: bool | None = None
) -> Iterator[str]:
    """An exported program in its own forms, which are there even if tsc cannot run it."""
    assert isinstance(unit, archives().ExportedUnit)
    for stage in stages:
        text = unit.text_of_stage(stage)
        yield headed(stage, None, text, len(stages) > 1 if several is None else several)


def _refuse(option: str, given: Iterable[str], refused: Container[str], name: str) -> None:
    for each in given:
        if each in refused:
            raise UsageError(
                f"{name}: {option} {each} is for source files; save what `tsc print-code` prints as one"
            )


def headed(stage: str, name: str | None, text: str, wanted: bool) -> str:
    """A section of the dump, under a heading when there are several."""
    title = f"{name} ({stage})" if name else stage
    keep_text(text)
    return f"# {title}\n{text.rstrip()}\n" if wanted else text.rstrip() + "\n"


def pass_sections(
    name: str, function: Function, after: frozenset[str], recording: Recording
) -> Iterator[str]:
    """The graphs of one function after the steps asked for, list by list, in the order of the steps."""
    for step in _FROM_SOURCE:
        if step in after:
            yield headed(
                f"after {step}", name, recording.texts[step][function.qualified_name], True
            )
    if after.intersection((*INLINED, *INLINED_BODY)):
        yield from inlined_sections(name, function, after)
    if after.intersection((*BEFORE_RUNNING, *WITH_TYPES)):
        yield from optimized_sections(name, function, after)


def inlined_sections(name: str, function: Function, after: frozenset[str]) -> Iterator[str]:
    """The bodies that are inlined in a function, after each pass, and what becomes of it by that."""
    from tsc.runtime.execution.optimization import inlined

    sections: list[str] = []

    def observe(step: str, body: Function, graph: Graph) -> None:
        if step in after:
            title = name if body is function else body.qualified_name
            sections.append(headed(f"inlined: after {step}", title, str(graph), True))

    inlined(function, observe)
    yield from sections


def optimized_sections(name: str, function: Function, after: frozenset[str]) -> Iterator[str]:
    """The graph that runs, after each pass."""
    from tsc.runtime.execution.graph_executor import optimize_again

    sections: list[str] = []

    def observe(step: str, _function: Function, graph: Graph) -> None:
        if step in after or step not in step_names():
            sections.append(headed(f"optimized: after {step}", name, str(graph), True))

    optimize_again(function, observe)
    yield from sections


def graph_stage(stage: str, function: Function, recording: Recording) -> str:
    """The text of a stage that belongs to one function."""
    if stage in _STEP_OF_STAGE:
        return recording.texts[_STEP_OF_STAGE[stage]][function.qualified_name]
    if stage == "ir":
        return str(function.graph)
    if stage == "schema":
        return str(function.schema)
    return execution_stage(stage, function)


def execution_stage(stage: str, function: Function) -> str:
    """The text of a stage between the graph and its execution."""
    if stage == EXPLANATION:
        return native_report().explanation(function)
    if stage in NATIVE_STAGES:
        return native_report().code_text(function, stage)
    from tsc.runtime.execution.graph_executor import executor_of  # the IR alone needs no kernels

    executor = executor_of(function)
    if stage == "inlined":
        return str(executor.inlined_graph())
    if stage == "optimized":
        return str(executor.optimized_graph)
    return str(executor.code)


def source_sections(source: Source, function: str | None, stages: Sequence[str]) -> Iterator[str]:
    """The stages before compilation, which also programs that do not compile have."""
    for stage in stages:
        yield headed(stage, None, _SOURCE_STAGES[stage](source, function), len(stages) > 1)


def token_dump(source: Source, function: str | None) -> str:
    """One token a line: its place, its kind and its text."""
    found = list(tokens(source))
    if function is not None:
        found = tokens_of_definition(found, definition_start(source, function))
    return "\n".join(map(str, found))


def tokens_of_definition(found: Sequence[Token], start: int) -> list[Token]:
    """The tokens of the definition whose name begins at `start`: from its first decorator to its last
    DEDENT, or to the end of its line.
    """
    name = next(index for index, token in enumerate(found) if token.start >= start)
    first = _line_start(found, name)
    while first and found[before := _line_start(found, first - 1)].text == "@":
        first = before
    depth = 0
    for last in range(name, len(found)):
        depth += {INDENT: 1, DEDENT: -1}.get(found[last].kind, 0)
        is_line = found[last].kind == NEWLINE and found[last + 1].kind != INDENT
        if depth == 0 and (is_line or found[last].kind == DEDENT):
            return list(found[first : last + 1])
    return list(found[first:])


def _line_start(found: Sequence[Token], index: int) -> int:
    """The place of the first token of the line that a token stands in, or that it ends."""
    while index and found[index - 1].kind not in (NEWLINE, INDENT, DEDENT):
        index -= 1
    return index


def tree_dump(source: Source, function: str | None) -> str:
    """The trees of one definition, or of the whole text, as s-expressions."""
    module = parse_source(source)
    if function is None:
        return "\n".join(_tree_text(statement) for statement in module.statements)
    trees = [_tree_text(each) for each in module.definitions if each.name.name == function]
    if not trees:
        raise UsageError(f"there is no function {function!r} in {source.filename}")
    return "\n".join(trees)


def _tree_text(tree: Tree) -> str:
    return keep_text(print_tree(tree, _MOST_MARGINS))


def definition_start(source: Source, name: str) -> int:
    """Where the name of a definition stands in the text."""
    for definition in parse_source(source).definitions:
        if definition.name.name == name:
            return definition.range.start
    raise UsageError(f"there is no function {name!r} in {source.filename}")


_SOURCE_STAGES: dict[str, Callable[[Source, str | None], str]] = {
    "tokens": token_dump,
    "tree": tree_dump,
}
