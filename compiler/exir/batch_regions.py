"""Regions of ``torch.vmap``, as graphs that PyTorch exports have them: what they compute is a ``map`` over slices.

Marks are calls of ``_vmap_increment_nesting(batch_size, randomness)`` and ``_vmap_decrement_nesting()``. Between them
``_add_batch_dim(x, dim, level)`` is a slice of a tensor along a dimension, and ``_remove_batch_dim(y, level,
batch_size, dim)`` stacks what was computed of the slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar, cast

from tsc.compiler.exir.arguments import Argument, leaves
from tsc.compiler.exir.copying import copy_module, graph_of_nodes, read_outside
from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import GETITEM, MAP, PREDISPATCH, Target, operator_target
from tsc.compiler.ir.errors import GraphError

_BEGIN: Final = Target(f"{PREDISPATCH}_vmap_increment_nesting")
_END: Final = Target(f"{PREDISPATCH}_vmap_decrement_nesting")
_SLICE: Final = Target(f"{PREDISPATCH}_add_batch_dim")
_STACK: Final = Target(f"{PREDISPATCH}_remove_batch_dim")
_LOAD: Final = Target(f"{PREDISPATCH}lazy_load_decompositions")
_FULL: Final = operator_target("aten::full")
_MOVE: Final = operator_target("aten::movedim", "int")
MARKS: Final = frozenset({_BEGIN, _END, _SLICE, _STACK, _LOAD})

Program = TypeVar("Program", bound=ExportedProgram)


def with_maps(program: Program) -> Program:
    """The program with a call of ``map_impl`` for each region; the same one if it has none.

    Raises `GraphError`, which names the node, for a region that no map can stand for.
    """
    module = _mapped(program.graph_module)
    return program if module is program.graph_module else replace(program, graph_module=module)


def _mapped(module: GraphModule) -> GraphModule:
    modules = {name: _mapped(each) for name, each in module.modules.items()}
    is_marked = any(node.target in MARKS for node in module.graph.nodes)
    if not is_marked and modules == module.modules:
        return module
    made = copy_module(module)
    made.modules = modules
    for each in made.graph.find_nodes(Op.CALL_FUNCTION, _LOAD):
        each.erase()
    while (end := next(iter(made.graph.find_nodes(Op.CALL_FUNCTION, _END)), None)) is not None:
        _replace_region(made, end)
    return made


def _replace_region(module: GraphModule, end: Node) -> None:
    """Call a map in the place of the innermost region, which is the one that ends first."""
    begin, nodes = end.previous, list[Node]()
    while begin.target != _BEGIN:
        if begin.op is not Op.CALL_FUNCTION and begin.op is not Op.GET_ATTR:
            raise GraphError(f"{end.name} ends a region that begins nowhere")
        nodes.insert(0, begin)
        begin = begin.previous
    if "same" in begin.args:
        raise GraphError(f"{begin.name}: all slices are to have the same random numbers")
    slices = [each for each in nodes if each.target == _SLICE]
    stacks = [each for each in nodes if each.target == _STACK]
    if not slices or not stacks:
        raise GraphError(f"{begin.name} begins a region that takes or gives no slices")
    if begin.args[:1] == (0,) and all(isinstance(e.meta.get("val"), FakeTensor) for e in stacks):
        _make_empty(module.graph, end, stacks)
    else:
        _call_map(module, end, [e for e in nodes if e.target not in MARKS], slices, stacks)
    for each in [end, *reversed(nodes), begin]:
        each.erase()


def _make_empty(graph: Graph, end: Node, stacks: Sequence[Node]) -> None:
    """Tensors without elements, in the place of stacks of no slices, which not all runtimes go over."""
    with graph.inserting_before(end):
        for each in stacks:
            known = cast("FakeTensor", each.meta["val"])
            made = graph.call_function(_FULL, (list(known.size), 0), {"dtype": known.dtype})
            made.meta = dict(each.meta)
            each.replace_all_uses_with(made)


def _call_map(
    module: GraphModule,
    end: Node,
    nodes: Sequence[Node],
    slices: Sequence[Node],
    stacks: Sequence[Node],
) -> None:
    results = [_operand(each) for each in stacks]
    inside = {*nodes, *slices}
    shared = [e for e in dict.fromkeys([*read_outside(nodes), *results]) if e not in inside]
    body = graph_of_nodes(module, nodes, [*slices, *shared], results)
    graph = module.graph
    name = _new_name(module)
    module.modules[name] = body
    with graph.inserting_before(end):
        whole: list[Argument] = [_moved(graph, _operand(each), each.args[1], 0) for each in slices]
        call = graph.call_function(MAP, (graph.get_attr(name), whole, list(shared)))
        call.meta = {key: each for key, each in stacks[0].meta.items() if key != "val"}
        for place, each in enumerate(stacks):
            found = graph.call_function(GETITEM, (call, place))
            found.meta["val"] = None if each.args[3] else each.meta.get("val")
            moved = _moved(graph, found, 0, each.args[3])
            moved.meta = dict(each.meta)
            each.replace_all_uses_with(moved)


def _operand(node: Node) -> Node:
    """The tensor that is sliced or stacked."""
    found = next(iter(leaves(node.args[:1])), None)
    if not isinstance(found, Node) or len(node.args) not in (3, 4):
        raise GraphError(f"{node.name} slices or stacks what is no tensor")
    return found


def _moved(graph: Graph, tensor: Node, source: object, destination: object) -> Node:
    """The tensor with a dimension in another place; itself where that is the same one."""
    if type(source) is not int or type(destination) is not int:
        raise GraphError(f"{tensor.name} is sliced along what is no dimension")
    if source == destination:
        return tensor
    moved = graph.call_function(_MOVE, (tensor, source, destination))
    known = tensor.meta.get("val")
    if isinstance(known, FakeTensor):
        moved.meta["val"] = _moved_value(known, source, destination)
    return moved


def _moved_value(known: FakeTensor, source: int, destination: int) -> FakeTensor:
    dims = list(range(len(known.size)))
    if not -len(dims) <= source < len(dims):
        raise GraphError(f"a tensor of {len(dims)} dimensions is sliced along dimension {source}")
    dims.insert(destination, dims.pop(source))
    stride = known.stride and tuple([known.stride[each] for each in dims])
    return replace(known, size=tuple([known.size[each] for each in dims]), stride=stride)


def _new_name(module: GraphModule) -> str:
    """Of a graph that no other one of the module has."""
    number = 0
    while f"map_body_graph_{number}" in module.modules:
        number += 1
    return f"map_body_graph_{number}"
