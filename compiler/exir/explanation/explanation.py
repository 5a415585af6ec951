"""What exporting a function would make of it: what is refused, what is written out, and what becomes a constant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tsc.compiler.exir import refusals
from tsc.compiler.exir.explanation.facts import Facts
from tsc.compiler.exir.explanation.finding import Finding
from tsc.compiler.exir.explanation.onnx_forms import HasForm, without_form
from tsc.compiler.exir.explanation.rules import RULES
from tsc.compiler.exir.exportable_types import foreign_part, holds_tensors, text_part
from tsc.compiler.ir import Graph, Node, Value, prim, user_place
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.compiler.types import ClassType, TypeKind

_SIZES = frozenset({"aten::size", "aten::len", "aten::numel", "prim::shape"})


@dataclass(frozen=True, slots=True)
class Explanation:
    """Of one method: findings, the arguments that are tensors, those that become constants, and places.

    `branches` go one way and `loops` are written out, as the example arguments lead; `kept` are those that data
    decides, which stay branches and loops of the program. `sizes` are read there, and those of the example arguments
    become part of the program.
    """

    name: str
    findings: tuple[Finding, ...]
    tensors: tuple[str, ...]
    constants: tuple[str, ...]
    branches: tuple[SourceRange, ...]
    loops: tuple[SourceRange, ...]
    kept: tuple[SourceRange, ...]
    sizes: tuple[SourceRange, ...]

    @property
    def is_exportable(self) -> bool:
        """Whether nothing that is always reached is refused."""
        return all(each.severity != "error" for each in self.findings)


def explain(
    name: str, graph: Graph, place: SourceRange, has_onnx_form: HasForm | None = None
) -> Explanation:
    """What is known of a method by its inlined graph, before there are arguments; `place` is its definition.

    With `has_onnx_form`, it is to be a model of ONNX.
    """
    facts = Facts.of(graph)
    nodes = list(graph.all_nodes())
    found = [each for node in nodes for rule in RULES for each in rule(node, facts)]
    if has_onnx_form is not None:
        found += [e for node in nodes for e in without_form(node, facts, has_onnx_form)]
    given = _user_inputs(graph)
    kept = {each for each in nodes if _is_decided_by_data(each, facts)}
    fixed = [each for each in nodes if each not in kept]
    return Explanation(
        name,
        _once([*_of_boundary(graph, given, place), *_of_truths(graph, facts, place), *found]),
        tuple(_plain(each) for each in given if holds_tensors(each.type)),
        tuple(_plain(each) for each in given if not holds_tensors(each.type)),
        _places(each for each in fixed if each.kind == prim.If),
        _places(each for each in fixed if each.kind == prim.Loop),
        _places(each for each in nodes if each in kept),
        _places(each for each in nodes if each.kind in _SIZES),
    )


def _user_inputs(graph: Graph) -> list[Value]:
    """The arguments without the module whose method it is."""
    inputs = list(graph.inputs)
    first = inputs[0].type if inputs else None
    return inputs[1:] if isinstance(first, ClassType) and first.is_module else inputs


def _of_boundary(graph: Graph, given: Sequence[Value], place: SourceRange) -> Iterator[Finding]:
    """What may not come in, and what may not leave."""
    for each in given:
        foreign = foreign_part(each.type)
        if foreign is not None:
            message = f"the argument {_plain(each)} is of type {foreign.annotation}"
            yield Finding(refusals.ARGUMENT, message, place)
    for each in graph.outputs:
        foreign = foreign_part(each.type) or text_part(each.type)
        if foreign is not None:
            message = f"a result of type {foreign.annotation} is returned"
            yield Finding(refusals.RESULT, message, _place_of_result(each, place))


def _of_truths(graph: Graph, facts: Facts, place: SourceRange) -> Iterator[Finding]:
    """Truth values that data decides have no form as results."""
    for each in _returned(graph.outputs):
        if each.type.kind is TypeKind.BoolType and each in facts.numbers:
            message = "a truth value that data decides is returned"
            yield Finding(refusals.RESULT, message, _place_of_result(each, place))


def _place_of_result(value: Value, of_function: SourceRange) -> SourceRange:
    """Where it is computed; arguments and empty lists have no place, the function's stands for them."""
    found = of_function if value.node.kind == prim.Param else user_place(value.node)
    return of_function if found.source is UNKNOWN_RANGE.source else found


def _returned(values: Iterable[Value]) -> Iterator[Value]:
    """Results, and what is in those that are made as tuples or lists."""
    for each in values:
        if each.node.kind in (prim.TupleConstruct, prim.ListConstruct):
            yield from _returned(each.node.inputs)
        else:
            yield each


def _once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each reason once a place, in the order of the text."""
    kept = {(each.refusal.code, each.range, each.message): each for each in reversed(findings)}
    return tuple(sorted(kept.values(), key=lambda each: (each.range.filename, each.range.start)))


def _plain(value: Value) -> str:
    """The name of an argument as it is written."""
    return value.debug_name.partition(".")[0]


def _is_decided_by_data(node: Node, facts: Facts) -> bool:
    """Whether data decides which way a branch goes, or how often a loop turns."""
    if node.kind == prim.Loop:
        asked = (*node.inputs[:2], node.blocks[0].outputs[0])
    else:
        asked = tuple(node.inputs[:1]) if node.kind == prim.If else ()
    return any(each in facts.numbers for each in asked)


def _places(nodes: Iterable[Node]) -> tuple[SourceRange, ...]:
    """Where nodes stand, each place once."""
    return tuple(dict.fromkeys(map(user_place, nodes)))
