"""Groups pointwise operators, and the views between them, into `prim::FusionGroup` nodes: each runs as one kernel.

Nodes move together only where nothing notices. What a view shows is read where it lies, so a view is in a group only
if nobody else looks through it. A single operator that computes elements is a group, too: large ones are computed by
several processors. Operators that write in place are in groups; that what they write is not read elsewhere in the
group by another name is known when it runs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.effects import may_write_statistics
from tsc.compiler.ir import Block, Graph, Node, Value, prim
from tsc.compiler.passes.name_writes import name_writes
from tsc.compiler.passes.sizes_of_tensors import SizesOfTensors
from tsc.compiler.passes.subgraph_groups import GrowingGroups, Wanted
from tsc.compiler.passes.subgraphs import inline_subgraph, never, size_of, subgraph_of
from tsc.compiler.passes.written_parts import (
    PartOperators,
    join_number,
    name_wholes,
    take_parts_out,
)
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import INT, ListType, TensorType

_VIEWS: Final = frozenset(
    {
        *("aten::chunk", "aten::split", "aten::unbind", "aten::select", "aten::slice"),
        *("aten::unsqueeze", "aten::transpose", "aten::permute", "aten::t"),
        *("aten::expand", "aten::expand_as", prim.ConstantChunk, prim.ListUnpack),
        *("aten::view", "aten::reshape", "aten::flatten", "aten::squeeze", "aten::unflatten"),
        *("aten::view_as", "aten::reshape_as", "aten::swapaxes", "aten::movedim", "aten::narrow"),
        *("aten::diagonal", "aten::unfold"),
        *("aten::contiguous", "aten::to", "aten::detach"),
    }
)
"""They tell where elements lie, by sizes, strides and numbers alone, or copy them, maybe to another dtype."""

CREATIONS: Final = frozenset(
    {
        *("aten::zeros", "aten::ones", "aten::full", "aten::eye", "aten::arange"),
        *("aten::zeros_like", "aten::ones_like", "aten::full_like"),
    }
)
"""They make tensors of sizes and constants: the same ones for arguments of one kind, so that a group may hold them."""

_CHEAP: Final = frozenset(
    {
        *("aten::mm", "aten::bmm", "aten::mv", "aten::matmul", "aten::linear", "aten::addmm"),
        *("aten::cat", "aten::stack", "aten::index", "aten::index_select", "aten::embedding"),
        *("aten::copy_", "aten::fill_", "aten::zero_", prim.with_part_, prim.number_as),
    }
)
"""Operators that take no longer by themselves than a group with nothing else in it."""

_MOST_INPUTS: Final = 24
"""Of a group; more addresses than that do not stay in the registers of a processor."""
_MOST_NODES: Final = 96
"""Of a group: the time to make code of it grows with them."""


def fuse_graph(
    graph: Graph,
    *,
    is_fusible: Callable[[Node], bool],
    part_operators: PartOperators,
    operators: OperatorTable,
    with_given: bool = True,
    in_loops: bool = False,
    beside: bool = True,
) -> bool:
    """Returns whether there is a group now that there was not. Integers that the graph is given may tell what results
    of groups are like, or may not; groups that do not need each other become one, or do not. With `in_loops`, what is
    outside of loops stays as it is.
    """
    _name_writes(graph, is_fusible, part_operators, SizesOfTensors(graph, with_given=with_given))
    sizes = SizesOfTensors(graph, with_given=with_given)

    @functools.cache
    def may_begin(node: Node) -> bool:
        return is_fusible(node) and _has_known_numbers(node, sizes)

    wanted = Wanted(
        prim.FusionGroup,
        may_begin,
        lambda node, group: _may_join(node, group, may_begin, sizes),
        sizes.determine,
        _may_be_one if beside else never,
    )
    aliases = AliasDb(graph, errors_matter=True)
    changed = False
    pending = [(graph.block, not in_loops)]
    while pending:
        block, is_looked_through = pending.pop()
        if is_looked_through:
            changed |= _group(block, aliases, wanted, is_fusible)
        pending += [
            (inner, is_looked_through or node.kind == prim.Loop)
            for node in block.nodes()
            for inner in node.blocks
        ]
    take_parts_out(graph, operators)
    return changed


def _name_writes(
    graph: Graph,
    is_fusible: Callable[[Node], bool],
    operators: PartOperators,
    sizes: SizesOfTensors,
) -> None:
    for node in list(graph.all_nodes()):
        join_number(node, operators.number_as)

    def is_known(view: Node) -> bool:
        return _is_view(view, sizes)

    name_writes(
        graph,
        writes=lambda node: _writes(node) and is_fusible(node),
        name_wholes=lambda node, written: name_wholes(
            node, written, operators.with_part_, is_known
        ),
    )


def _group(
    block: Block, aliases: AliasDb, wanted: Wanted, is_fusible: Callable[[Node], bool]
) -> bool:
    """Groups the nodes of one block. Groups that nobody reads go; those not worth it are taken apart again."""
    groups = GrowingGroups(block, aliases, wanted)
    groups.grow_all()
    small = {each for each in groups.new if not _is_worth_it(each, is_fusible)}
    for group in groups.new:
        writing = [node for node in subgraph_of(group).nodes() if _may_write(node)]
        if not group.outputs and not writing:
            group.destroy()
        elif group in small:
            inline_subgraph(group)
        elif not group.outputs:
            _return(group, writing[-1].output)
    return len(small) < len(groups.new)


def _return(group: Node, written: Value) -> None:
    """A group that nobody needs a result of says by what it has written that it has run."""
    subgraph_of(group).register_output(written)
    group.add_output().copy_metadata(written)


def _may_join(
    node: Node, group: Node, is_fusible: Callable[[Node], bool], sizes: SizesOfTensors
) -> bool:
    if len(group.inputs) + len(node.inputs) > _MOST_INPUTS:
        return False
    if not is_fusible(node):
        if any(use.node is not group for output in node.outputs for use in output.uses):
            return False
        if _is_creation(node, sizes):
            return size_of(group) < _MOST_NODES
        if any(_is_written_in(output, group) for output in node.outputs):
            return False
        if not (_is_view(node, sizes) or _is_list_of_tensors(node)):
            return False
    return size_of(group) < _MOST_NODES


def _may_be_one(first: Node, second: Node) -> bool:
    """Whether two groups are small enough to be one: a call costs as much as hundreds of elements."""
    inputs = dict.fromkeys((*first.inputs, *second.inputs))
    return len(inputs) <= _MOST_INPUTS and size_of(first) + size_of(second) <= _MOST_NODES


def _writes(node: Node) -> bool:
    return node.schema is not None and node.schema.is_mutable


def _may_write(node: Node) -> bool:
    return _writes(node) or may_write_statistics(node)


def _is_written_in(value: Value, group: Node) -> bool:
    """Whether a node of a group writes to what it is given, and none says of what that is a part."""
    inner = [name for given, name in zip(group.inputs, subgraph_of(group).inputs) if given is value]
    uses = [use for name in inner for use in name.uses]
    if any(use.node.kind == prim.with_part_ and use.offset == 2 for use in uses):
        return False
    return any(_writes(use.node) and use.offset == 0 for use in uses)


def _has_known_numbers(node: Node, sizes: SizesOfTensors) -> bool:
    """Whether all lists of numbers that a node reads are constants, or follow from sizes; and all integers, where they
    may tell what results are like.
    """
    computes = node.kind == prim.number_as or (
        node.operator is not None and node.operator.computes_elements
    )
    types = (ListType(INT),) if computes else (ListType(INT), INT)
    read = [each for each in node.inputs if each.type in types]
    return all(map(sizes.tell, read))


def _is_view(node: Node, sizes: SizesOfTensors) -> bool:
    """Whether a node makes views, by numbers that do not depend on more than sizes."""
    if node.kind == prim.ListUnpack and node.inputs[0].node.kind not in _VIEWS:
        return False  # a group takes tensors, no lists of them
    return node.kind in _VIEWS and all(
        isinstance(value.type, TensorType) or sizes.tell(value) for value in node.inputs[1:]
    )


def _is_creation(node: Node, sizes: SizesOfTensors) -> bool:
    """Whether a node makes a tensor of nothing but constants and what sizes tell."""
    return node.kind in CREATIONS and all(
        isinstance(value.type, TensorType) or sizes.tell(value) for value in node.inputs
    )


def _is_list_of_tensors(node: Node) -> bool:
    """Whether a node makes a list, for an operator that joins what is in it, or indexes by it."""
    return (
        node.kind == prim.ListConstruct
        and all(isinstance(each.type, TensorType) for each in node.inputs)
        and bool(node.inputs)
    )


def _is_worth_it(group: Node, is_fusible: Callable[[Node], bool]) -> bool:
    """What computes elements or takes long by itself is; what copies or multiplies is, together with something else."""
    nodes = [node for node in subgraph_of(group).nodes() if is_fusible(node)]
    steps = [node for node in nodes if node.kind not in (prim.with_part_, prim.number_as)]
    return len(steps) > 1 or any(node.kind not in _CHEAP for node in steps)
