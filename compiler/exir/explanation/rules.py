"""What is refused of single nodes: a table of rules, each of which tells what is wrong with a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tsc.compiler.analysis.metadata import METADATA_READERS
from tsc.compiler.exir import refusals
from tsc.compiler.exir.explanation.constants import ConstantTensors
from tsc.compiler.exir.explanation.data_sizes import size_from_data
from tsc.compiler.exir.explanation.finding import Finding, at_node, place_of
from tsc.compiler.exir.explanation.types import holds_tensors, is_open
from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.types import ClassType, TypeKind

Rule = Callable[[Node, ConstantTensors], Iterator[Finding]]

_TRUTHS: Final = frozenset({"aten::Bool", "aten::is_nonzero"})
_BRANCHING: Final = frozenset(
    {prim.If, prim.Return, "aten::__not__", "aten::__and__", "aten::__or__"}
)
_SEARCHES: Final = frozenset({"aten::__contains__", "aten::index", "aten::count", "aten::remove"})


def by_kind(node: Node, _constants: ConstantTensors) -> Iterator[Finding]:
    """Nodes that are refused for what they are."""
    refusal = refusals.OF_KINDS.get(node.kind)
    if refusal is not None:
        yield at_node(refusal, node)
    lost = refusals.LOST_EFFECTS.get(node.kind)
    if lost is not None:
        yield Finding(lost, lost.summary, place_of(node), "warning")


def elements(node: Node, constants: ConstantTensors) -> Iterator[Finding]:
    """Numbers and texts that are made of what tensors hold."""
    if not constants.reads_others(node) or _decides_branches(node):
        return
    refusal = refusals.READS_OF_VALUES.get(node.kind)
    if refusal is not None:
        yield at_node(refusal, node)
    elif _reads_elements(node):
        yield at_node(refusals.ELEMENT, node, f"{node.kind} reads a number out of a tensor")


def _decides_branches(node: Node) -> bool:
    """Whether the truth of a tensor only decides branches, which become `cond`: no turns of loops, nothing raised."""
    if node.kind not in _TRUTHS:
        return False
    return all(
        each.node.kind in _BRANCHING and each.node.find_node(prim.RaiseException) is None
        for each in node.output.uses
    )


def _reads_elements(node: Node) -> bool:
    """Whether a result that is no tensor tells what a tensor holds; sizes and dtypes do not."""
    operator = node.operator
    if operator is None or node.kind.startswith("prim::") or node.kind in METADATA_READERS:
        return False
    schema = operator.schema
    if any(is_open(each.type) for each in schema.arguments):
        return node.kind in _SEARCHES
    return bool(schema.returns) and not any(holds_tensors(each.type) for each in schema.returns)


def sizes(node: Node, constants: ConstantTensors) -> Iterator[Finding]:
    """Results whose sizes data decides."""
    reason = size_from_data(node) if constants.reads_others(node) else None
    if reason is not None:
        yield at_node(refusals.SIZE, node, reason)


def attributes(node: Node, _constants: ConstantTensors) -> Iterator[Finding]:
    """Attributes that are set, and are no tensors; those of new objects are the program's own."""
    if node.kind != prim.SetAttr or not _is_kept(node.inputs[0]):
        return
    if not holds_tensors(node.inputs[1].type):
        name = node.string_attribute("name")
        message = f"the attribute {name} of a module is changed, and is no tensor"
        yield at_node(refusals.ATTRIBUTE, node, message)


def containers(node: Node, _constants: ConstantTensors) -> Iterator[Finding]:
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


def regions(node: Node, _constants: ConstantTensors) -> Iterator[Finding]:
    """``with`` of something that is no object of a class of the program."""
    if node.kind != prim.Enter:
        return
    type = node.input.type
    if not isinstance(type, ClassType) or type.qualified_name.startswith("__torch__.torch."):
        yield at_node(refusals.REGION, node.input.node)


def generators(node: Node, _constants: ConstantTensors) -> Iterator[Finding]:
    """Random numbers that are drawn from a generator which the program was given or made."""
    if node.operator is None or not node.has_named_input("generator"):
        return
    if node.named_input("generator").type.kind is not TypeKind.NoneType:
        yield at_node(refusals.GENERATOR, node)


def mixed_results(node: Node, constants: ConstantTensors) -> Iterator[Finding]:
    """Operators that give tensors beside something else."""
    if node.operator is None or node.kind.startswith("prim::") or not constants.reads_others(node):
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
    sizes,
    attributes,
    containers,
    regions,
    generators,
    mixed_results,
)
