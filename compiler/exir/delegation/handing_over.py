"""Parts of a program are cut out, and calls of lowered modules stand in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from tsc.compiler.exir.copying import copy_node, mapped
from tsc.compiler.exir.delegation.effects import is_random, writes_inside, written_nodes
from tsc.compiler.exir.delegation.lowered_module import CALL_DELEGATE, LoweredModule
from tsc.compiler.exir.delegation.memory import SharedMemory
from tsc.compiler.exir.delegation.partitions import Stage, stages
from tsc.compiler.exir.exported_program import CallSpec, ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import EFFECTS, Graph, GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.signature import (
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
)
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.schema import OperatorTable

Program = TypeVar("Program", bound=ExportedProgram)
Lower = Callable[[Program], LoweredModule]
"""What a backend makes of a part: a program whose parameters, buffers and constants are its own."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A program as stages, what of it a part may have for itself, and why some calls are not for any backend."""

    stages: Sequence[Stage]
    owned: Mapping[Node, InputSpec]
    kept: Mapping[Node, str]


def parts_of(
    program: ExportedProgram,
    is_taken: Callable[[Node], bool],
    operators: OperatorTable,
    tied: Mapping[str, frozenset[str]],
) -> Parts:
    """Which nodes go together. What is random, writes, or shares memory that is written is not handed over.

    `tied` are, for a tensor of the program by its path, those that may lie in the same memory, itself among them.
    """
    graph = program.graph
    memory = SharedMemory(operators)
    for node in graph.nodes:
        memory.add(node)
    written = memory.written()
    acting = dict(_acting(program.graph_module, operators))
    kept = dict.fromkeys(written, "it may share memory with what is written") | acting

    def is_free(node: Node) -> bool:
        if node.target == GETITEM and isinstance(node.args[0], Node):
            return node not in kept and is_free(node.args[0])
        return node.op is Op.CALL_FUNCTION and node not in kept and is_taken(node)

    found = [_worthwhile(each) for each in stages(graph, is_free, acting.__contains__)]
    specs = list(zip(graph.placeholders, program.graph_signature.input_specs))
    changing = _updated(program) | {spec.target for node, spec in specs if node in written}
    owned = {
        node: spec
        for node, spec in specs
        if spec.target is not None
        and changing.isdisjoint(tied.get(spec.target, {spec.target}))
        and isinstance(node.meta.get("val"), FakeTensor)
    }
    return Parts(found, owned, kept)


def _acting(module: GraphModule, operators: OperatorTable) -> Iterator[tuple[Node, str]]:
    """The nodes whose place counts, and why."""
    for node in module.graph.nodes:
        if written_nodes(node, operators) or writes_inside(node, module, operators):
            yield node, "it writes to a tensor"
        elif is_random(node, operators):
            yield node, "it is random"
        elif isinstance(node.target, Target) and _checks(node.target, node):
            yield node, "it checks something"
        elif isinstance(node.target, Target) and node.target.base_name in EFFECTS:
            yield node, "it has effects"


def _checks(target: Target, node: Node) -> bool:
    """Whether a call is there for what it refuses; what was computed has the form that the program tells."""
    if target.base_name == "_assert_tensor_metadata":
        return isinstance(node.args[0], Node) and node.args[0].op is Op.PLACEHOLDER
    return "assert" in target.base_name or target.base_name.startswith("sym_constrain")


def _updated(program: ExportedProgram) -> set[str | None]:
    """What the program itself updates when it has run."""
    specs = program.graph_signature.output_specs
    return {each.target for each in specs if each.kind is not OutputKind.USER_OUTPUT}


def _worthwhile(stage: Stage) -> Stage:
    """A group of which nobody reads a tensor is not handed over."""
    inside = set(stage.nodes)
    given = [each for each in stage.nodes if any(user not in inside for user in each.users)]
    gives_tensors = any(isinstance(each.meta.get("val"), FakeTensor) for each in given)
    return stage if gives_tensors else replace(stage, is_handed_over=False)


def hand_over(program: Program, parts: Parts, lower: Lower[Program]) -> Program:
    """The same program, with calls of lowered modules in the place of the groups."""
    graph, nodes = Graph(), dict[Node, Node]()
    modules = dict(program.graph_module.modules)
    for stage in parts.stages:
        if not stage.is_handed_over:
            for node in stage.nodes:
                copy_node(node, graph, nodes)
            continue
        part = _Part(program, stage.nodes, parts.owned)
        name = f"lowered_module_{sum(isinstance(e, LoweredModule) for e in modules.values())}"
        modules[name] = lower(part.program())
        _call(graph, name, part, nodes)
    for each in graph.find_nodes(Op.GET_ATTR):
        if not each.users:
            each.erase()
    graph.output(mapped(program.graph.output_node.args[0], nodes))
    graph.output_node.meta.update(program.graph.output_node.meta)
    return replace(program, graph_module=GraphModule(graph, modules))


def _call(graph: Graph, name: str, part: _Part[Program], nodes: dict[Node, Node]) -> None:
    """The call of a lowered module; its results have the names of the nodes that they replace."""
    module = graph.get_attr(name)
    operands = [nodes[each] for each in part.operands]
    call = graph.call_function(CALL_DELEGATE, (module, *operands))
    call.meta["val"] = tuple([each.meta.get("val") for each in part.results])
    for place, each in enumerate(part.results):
        made = graph.call_function(GETITEM, (call, place), name=each.name)
        made.meta.update(each.meta)
        nodes[each] = made


class _Part(Generic[Program]):
    """A group: what it takes, what it has for itself, and what others read of it."""

    def __init__(
        self, whole: Program, group: Sequence[Node], owned: Mapping[Node, InputSpec]
    ) -> None:
        self._whole = whole
        self._group = group
        self._owned = owned
        inside = set(group)
        needed = dict.fromkeys(each for node in group for each in node.input_nodes)
        outside = [each for each in needed if each not in inside]
        self._modules = [each for each in outside if each.op is Op.GET_ATTR]
        self._own = [each for each in outside if each in owned]
        self.operands = [
            each for each in outside if each not in owned and each.op is not Op.GET_ATTR
        ]
        self.results = [node for node in group if any(each not in inside for each in node.users)]

    def program(self) -> Program:
        """The group as a program: first what it has for itself, then its operands."""
        graph, nodes = Graph(), dict[Node, Node]()
        for node in (*self._own, *self.operands):
            made = nodes[node] = graph.placeholder(node.name)
            made.meta.update(node.meta)
        for node in (*self._modules, *self._group):
            copy_node(node, graph, nodes)
        graph.output(tuple([nodes[each] for each in self.results]))
        specs = [*[self._owned[each] for each in self._own], *self._user_inputs()]
        outputs = [OutputSpec(OutputKind.USER_OUTPUT, each.name) for each in self.results]
        return replace(
            self._whole,
            graph_module=GraphModule(graph, self._whole.graph_module.modules),
            graph_signature=ExportGraphSignature(specs, outputs),
            call_spec=_flat_call(len(self.operands), len(self.results)),
        )

    def _user_inputs(self) -> Iterator[InputSpec]:
        for each in self.operands:
            yield InputSpec(InputKind.USER_INPUT, each.name)


def _flat_call(operands: int, results: int) -> CallSpec:
    _, taken = tree_flatten((tuple(range(operands)), {}))
    _, given = tree_flatten(tuple(range(results)))
    return CallSpec(taken, given)
