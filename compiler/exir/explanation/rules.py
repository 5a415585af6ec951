"""What is refused of single nodes: a table of rules, each of which tells what is wrong with a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tsc.compiler.exir import refusals
from tsc.compiler.exir.data_numbers import (
    ARITHMETIC,
    FUNCTIONS,
    HOLDERS,
    LOGIC,
    MAKERS,
    READERS,
    TESTS,
    TEXTS,
    TRUTHS,
    may_be_size,
    takes_late_number,
    told_of_size,
)
from tsc.compiler.exir.element_reads import reads_elements
from tsc.compiler.exir.explanation.data_sizes import size_from_data
from tsc.compiler.exir.explanation.facts import Facts
from tsc.compiler.exir.explanation.finding import Finding, at_node
from tsc.compiler.exir.explanation.isolation import changes_outside
from tsc.compiler.exir.explanation.lists import is_list_step
from tsc.compiler.exir.explanation.texts import is_only_told
from tsc.compiler.exir.exportable_types import holds_tensors, is_open
from tsc.compiler.ir import Node, Value, prim, user_place
from tsc.compiler.schema import Argument
from tsc.compiler.types import ClassType, Type, TypeKind

Rule = Callable[[Node, Facts], Iterator[Finding]]

_COMPUTED: Final = ARITHMETIC | FUNCTIONS | TESTS | LOGIC | TRUTHS | MAKERS | READERS.keys()
_BUFFERED: Final = (TypeKind.TensorType, TypeKind.IntType, TypeKind.FloatType, TypeKind.BoolType)
_LENGTHENING: Final = frozenset(
    {"aten::append", "aten::extend", "aten::insert", "aten::add_", "aten::update"}
)
_SHORTENING: Final = frozenset(
    {"aten::pop", "aten::popitem", "aten::Delete", "aten::clear", "aten::remove"}
)
_RESIZING: Final = _LENGTHENING | _SHORTENING
_CONTROL: Final = frozenset(
    {prim.If, prim.Loop, prim.Return, prim.SetAttr, prim.RaiseException, "prim::Print"}
)


def by_kind(node: Node, _facts: Facts) -> Iterator[Finding]:
    """Nodes that are refused for what they are."""
    refusal = refusals.OF_KINDS.get(node.kind)
    if refusal is not None:
        yield at_node(refusal, node)
    lost = refusals.LOST_EFFECTS.get(node.kind)
    if lost is not None:
        yield Finding(lost, lost.summary, user_place(node), "warning")


def elements(node: Node, facts: Facts) -> Iterator[Finding]:
    """Numbers and texts that are made of what tensors hold, other than by reading one number."""
    if not facts.constants.reads_others(node) or node.kind in READERS or node.kind in TRUTHS:
        return
    if node.kind in TEXTS:
        if not is_only_told(node):
            yield at_node(refusals.TEXT, node)
    elif reads_elements(node, node.operator):
        yield at_node(refusals.ELEMENT, node, f"{node.kind} reads a number out of a tensor")


def late_numbers(node: Node, facts: Facts) -> Iterator[Finding]:
    """Numbers out of tensors where a number has to be known while the program is captured."""
    found = facts.numbers.of(node)
    if not found or _computes(node) or node.kind in HOLDERS or node.kind in _CONTROL:
        return
    if is_list_step(node, facts) or (node.kind in TEXTS and is_only_told(node)):
        return
    operator = node.operator
    gives_tensors = operator is not None and any(holds_tensors(e.type) for e in node.outputs)
    is_container_step = operator is not None and any(
        is_open(each.type) for each in operator.schema.arguments
    )
    has_truths = any(each.type.kind is TypeKind.BoolType for each in found)
    if not gives_tensors or is_container_step or has_truths:
        refusal = refusals.TEXT if node.kind in TEXTS else refusals.ELEMENT
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


def sizes(node: Node, facts: Facts) -> Iterator[Finding]:
    """Results whose sizes data decides."""
    reason = size_from_data(node) if facts.constants.reads_others(node) else None
    if reason is not None:
        yield at_node(refusals.SIZE, node, reason)


def attributes(node: Node, _facts: Facts) -> Iterator[Finding]:
    """Attributes that are set, and that no buffers can hold; those of new objects are the program's own."""
    if node.kind != prim.SetAttr or not _is_kept(node.inputs[0]):
        return
    name, owner = node.string_attribute("name"), node.inputs[0].type
    assert isinstance(owner, ClassType)
    if not _fits_buffers(owner.attributes[name].type):
        message = f"the attribute {name} of a module is changed, and no buffer could hold it"
        yield at_node(refusals.ATTRIBUTE, node, message)


def _fits_buffers(type: Type) -> bool:
    """Whether tensors and numbers are all that is in values of a type."""
    if type.kind in (TypeKind.ListType, TypeKind.TupleType):
        return all(map(_fits_buffers, type.contained))
    return type.kind in _BUFFERED


def containers(node: Node, _facts: Facts) -> Iterator[Finding]:
    """Lists and dicts of modules that get more or fewer elements, or ones that no buffers can hold."""
    if node.operator is None or node.operator.schema.name not in _RESIZING | {"aten::_set_item"}:
        return
    value = node.inputs[0]
    is_container = value.type.kind in (TypeKind.ListType, TypeKind.DictType)
    if not is_container or value.node.kind != prim.GetAttr or not _is_kept(value):
        return
    name = value.node.string_attribute("name")
    what = "list" if value.type.kind is TypeKind.ListType else "dict"
    if node.kind in _RESIZING and not _keeps_size(node, name):
        yield at_node(refusals.CONTAINER, node, f"the {what} {name} of the module is changed")
    elif node.kind not in _SHORTENING and not _fits_buffers(node.inputs[-1].type):
        message = (
            f"an element of the {what} {name} of the module is changed, and no buffer could hold it"
        )
        yield at_node(refusals.CONTAINER, node, message)


def _keeps_size(node: Node, name: str) -> bool:
    """Whether a container gets elements here and loses some elsewhere, or the other way round."""
    others = _LENGTHENING if node.kind in _SHORTENING else _SHORTENING
    return any(
        each.kind in others
        and each.inputs[0].node.kind == prim.GetAttr
        and each.inputs[0].node.string_attribute("name") == name
        for each in node.graph.all_nodes()
    )


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
    sizes,
    attributes,
    containers,
    changes_outside,
    generators,
    mixed_results,
)
