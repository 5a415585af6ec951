"""What is refused of single nodes: a table of rules, each of which tells what is wrong with a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tsc.compiler.exir import refusals
from tsc.compiler.exir.data_numbers import (
    ARITHMETIC,
    HOLDERS,
    INDEXED,
    LOGIC,
    MAKERS,
    READERS,
    TRUTHS,
    may_be_size,
    takes_late_number,
    told_of_size,
)
from tsc.compiler.exir.element_reads import reads_elements
from tsc.compiler.exir.explanation.data_sizes import size_from_data
from tsc.compiler.exir.explanation.facts import Facts
from tsc.compiler.exir.explanation.finding import Finding, at_node, place_of
from tsc.compiler.exir.explanation.isolation import changes_outside
from tsc.compiler.exir.exportable_types import holds_tensors, is_open
from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.schema import Argument
from tsc.compiler.types import ClassType, TypeKind

Rule = Callable[[Node, Facts], Iterator[Finding]]

_COMPUTED: Final = ARITHMETIC | LOGIC | TRUTHS | MAKERS | READERS.keys()
_CONTROL: Final = frozenset({prim.If, prim.Loop, prim.Return, prim.SetAttr, prim.RaiseException})


def by_kind(node: Node, _facts: Facts) -> Iterator[Finding]:
    """Nodes that are refused for what they are."""
    refusal = refusals.OF_KINDS.get(node.kind)
    if refusal is not None:
        yield at_node(refusal, node)
    lost = refusals.LOST_EFFECTS.get(node.kind)
    if lost is not None:
        yield Finding(lost, lost.summary, place_of(node), "warning")


def elements(node: Node, facts: Facts) -> Iterator[Finding]:
    """Numbers and texts that are made of what tensors hold, other than by reading one number."""
    if not facts.constants.reads_others(node) or node.kind in READERS or node.kind in TRUTHS:
        return
    refusal = refusals.READS_OF_VALUES.get(node.kind)
    if refusal is not None:
        yield at_node(refusal, node)
    elif reads_elements(node, node.operator):
        yield at_node(refusals.ELEMENT, node, f"{node.kind} reads a number out of a tensor")


def late_numbers(node: Node, facts: Facts) -> Iterator[Finding]:
    """Numbers out of tensors where a number has to be known while the program is captured."""
    found = facts.numbers.of(node)
    if not found or _computes(node) or node.kind in HOLDERS or node.kind in _CONTROL:
        return
    if node.kind in INDEXED and node.inputs[1] not in facts.numbers:
        return
    operator = node.operator
    gives_tensors = operator is not None and any(holds_tensors(e.type) for e in node.outputs)
    if not gives_tensors or any(each.type.kind is TypeKind.BoolType for each in found):
        refusal = refusals.READS_OF_VALUES.get(node.kind, refusals.ELEMENT)
        message = f"{node.kind} takes a number or a truth value that data decides"
        yield at_node(refusal, node, message)
        return
    assert operator is not None
    for argument, value in zip(operator.schema.arguments, node.inputs, strict=False):
        if value in facts.numbers and not _takes(node.kind, argument, value):
            yield at_node(refusals.SIZE, node, told_of_size(node.kind, argument))


def _computes(node: Node) -> bool:
    """Whether a node computes with single numbers or truth values, and not with bits and lists."""
    if node.kind in LOGIC:
        return node.output.type.kind is TypeKind.BoolType
    is_list = any(each.type.kind is TypeKind.ListType for each in node.outputs)
    return node.kind in _COMPUTED and not is_list


def _takes(kind: str, argument: Argument, value: Value) -> bool:
    """Whether a number out of a tensor may be this argument, by itself or as a size that data decides."""
    if takes_late_number(kind, argument):
        return True
    element = value.type.contained[0] if value.type.kind is TypeKind.ListType else value.type
    return element.kind is TypeKind.IntType and may_be_size(kind, argument)


def texts(node: Node, facts: Facts) -> Iterator[Finding]:
    """Exceptions that data decides, and whose text is made when they are raised."""
    if node.kind != prim.RaiseException or node.inputs[0].node.kind == prim.Constant:
        return
    owner = node.owning_block.owning_node
    if owner is not None and owner.kind == prim.If and owner.input in facts.numbers:
        message = "an exception that data decides has a text that is made when it is raised"
        severity = at_node(refusals.TEXT, owner).severity
        yield Finding(refusals.TEXT, message, place_of(node), severity)


def sizes(node: Node, facts: Facts) -> Iterator[Finding]:
    """Results whose sizes data decides."""
    reason = size_from_data(node) if facts.constants.reads_others(node) else None
    if reason is not None:
        yield at_node(refusals.SIZE, node, reason)


def attributes(node: Node, _facts: Facts) -> Iterator[Finding]:
    """Attributes that are set, and are no tensors; those of new objects are the program's own."""
    if node.kind != prim.SetAttr or not _is_kept(node.inputs[0]):
        return
    if not holds_tensors(node.inputs[1].type):
        name = node.string_attribute("name")
        message = f"the attribute {name} of a module is changed, and is no tensor"
        yield at_node(refusals.ATTRIBUTE, node, message)


def containers(node: Node, _facts: Facts) -> Iterator[Finding]:
    """Lists and dicts of modules that are written to."""
    if node.operator is None:
        return
    for argument, value in zip(node.operator.schema.arguments, node.inputs, strict=False):
        is_container = value.type.kind in (TypeKind.ListType, TypeKind.DictType)
        if (
            argument.is_write
            and is_container
            and _is_kept(value)
            and value.node.kind == prim.GetAttr
        ):
            name = value.node.string_attribute("name")
            what = "list" if value.type.kind is TypeKind.ListType else "dict"
            yield at_node(refusals.CONTAINER, node, f"the {what} {name} of the module is changed")


def _is_kept(value: Value) -> bool:
    """Whether a value is there before the program runs: an argument, or what one holds."""
    while value.node.kind == prim.GetAttr:
        value = value.node.input
    return value.node.kind == prim.Param and isinstance(value.type, ClassType)


def generators(node: Node, _facts: Facts) -> Iterator[Finding]:
    """Random numbers that are drawn from a generator which the program was given or made."""
    if node.operator is None or not node.has_named_input("generator"):
        return
    if node.named_input("generator").type.kind is not TypeKind.NoneType:
        yield at_node(refusals.GENERATOR, node)


def mixed_results(node: Node, facts: Facts) -> Iterator[Finding]:
    """Operators that give tensors beside something else."""
    if (
        node.operator is None
        or node.kind.startswith("prim::")
        or not facts.constants.reads_others(node)
    ):
        return
    schema = node.operator.schema
    if any(is_open(each.type) for each in schema.arguments):
        return
    gives = [holds_tensors(each.type) for each in schema.returns]
    if any(gives) and not all(gives):
        yield at_node(refusals.OPERATOR, node, f"{node.kind} gives tensors together with numbers")


RULES: Final[tuple[Rule, ...]] = (
    by_kind,
    elements,
    late_numbers,
    texts,
    sizes,
    attributes,
    containers,
    changes_outside,
    generators,
    mixed_results,
)
