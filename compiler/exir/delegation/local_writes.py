"""Writes to tensors that nobody else sees become operators that give new ones: ``relu_(conv)`` is ``relu(conv)``."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from tsc.compiler.exir.copying import copy_module
from tsc.compiler.exir.delegation.effects import written_nodes
from tsc.compiler.exir.delegation.memory import SharedMemory
from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import Target, operator_target
from tsc.compiler.schema import OperatorTable

Program = TypeVar("Program", bound=ExportedProgram)
_OTHER_SIZES: Final = frozenset({"resize_", "resize_as_", "set_"})


def without_local_writes(program: Program, operators: OperatorTable) -> Program:
    """The same program, in which only writes that somebody else sees are left."""
    module = copy_module(program.graph_module)
    replace_local_writes(module.graph, operators)
    return replace(program, graph_module=module)


def replace_local_writes(graph: Graph, operators: OperatorTable) -> None:
    """Replace those whose tensor a call made, of which there was no view before; the others stay."""
    memory = SharedMemory(operators)
    for node in graph.nodes:
        target = _functional(node, operators)
        written = node.args[0] if target is not None else None
        if (
            isinstance(written, Node)
            and written.op is Op.CALL_FUNCTION
            and memory.is_alone(written)
        ):
            assert target is not None
            memory.add(_replace(graph, node, written, target, memory))
        else:
            memory.add(node)


def _functional(node: Node, operators: OperatorTable) -> Target | None:
    """The operator that gives what this one writes to its first argument, of the same dtype."""
    target = node.target
    if not isinstance(target, Target) or target.base_name in _OTHER_SIZES:
        return None
    written = written_nodes(node, operators)
    if len(written) != 1 or written[0] is not node.args[0] or not target.name.endswith("_"):
        return None
    name = target.name.removesuffix("_")
    if operators.find(name, target.overload) is None or not _of_one_dtype(node):
        return None
    return operator_target(name, target.overload)


def _of_one_dtype(node: Node) -> bool:
    known = [each.meta.get("val") for each in (node, *node.input_nodes)]
    return len({each.dtype for each in known if isinstance(each, FakeTensor)}) == 1


def _replace(graph: Graph, node: Node, written: Node, target: Target, before: SharedMemory) -> Node:
    """Who reads the tensor afterwards reads the new one."""
    with graph.inserting_before(node):
        made = graph.call_function(target, node.args, node.kwargs)
    made.meta.update(node.meta)
    for user in [each for each in written.users if each is not made and each not in before]:
        user.replace_input(written, made)
    node.replace_all_uses_with(made)
    node.erase()
    made.name = node.name
    return made
