"""Objects that a graph makes and that nobody else sees are no objects: each attribute becomes a value of its own.

Nobody else sees an object of which attributes alone are read and written, in the block that makes it and in branches
and loops there; what is read must have been written before. Such an object may also be what a variable is after a
branch or from turn to turn, if its attributes are written where it is made, and never again: which object the variable
is then makes no difference. Attributes that change go through the inputs and outputs of branches and loops.

Who writes to a list that is an attribute may fail, and must not be taken for useless because nobody reads the list any
more: such nodes are marked (`WRITES_ATTRIBUTE`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tsc.compiler.analysis.effects import WRITES_ATTRIBUTE
from tsc.compiler.analysis.mutable_types import is_mutable_type
from tsc.compiler.ir import Block, Graph, LoopView, Node, Use, Value, prim
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import ClassType, DictType, ListType, Type
from tsc.compiler.value_classes import value_class

_CONTROL_FLOW: Final = (prim.If, prim.Loop)
_ACCESSES: Final = (prim.GetAttr, prim.SetAttr)

Attribute = tuple[Value, str]
"""An object, and the name of an attribute."""
Contents = dict[Attribute, Value]


def scalarize_objects(graph: Graph) -> bool:
    """Returns whether any object is gone."""
    made = graph.find_all_nodes(prim.CreateObject)
    if not made:
        return False
    flows = _Flows(graph, made)
    if not any(node.output in flows.objects for node in made):
        return False
    _Attributes(flows).replace(graph)
    return True


class _Flows:
    """Which values are objects that can go."""

    def __init__(self, graph: Graph, made: Sequence[Node]) -> None:
        self.made = made
        self._sources: dict[Value, list[Value]] = {}
        self._targets: dict[Value, list[Value]] = {}
        for node in graph.all_nodes():
            if node.kind == prim.If:
                for block in node.blocks:
                    self._note(block.outputs, node.outputs)
            elif node.kind == prim.Loop:
                view = LoopView(node)
                for carried in (view.carried_inputs, view.body_carried_outputs):
                    self._note(carried, view.body_carried_inputs)
                    self._note(carried, view.carried_outputs)
        makers = [each for each in made if may_rewrite("scalarize_objects", each)]
        self.objects = {each.output for each in makers} | set(self._sources)
        self._shrink()
        self.read = {value: self._read_names(value) for value in self.objects}
        """What is read of each, or of what it may become."""

    def _note(self, some: Sequence[Value], others: Sequence[Value]) -> None:
        for one, other in zip(some, others):
            if isinstance(one.type, ClassType) or isinstance(other.type, ClassType):
                self._sources.setdefault(other, []).append(one)
                self._targets.setdefault(one, []).append(other)

    def _shrink(self) -> None:
        """What an object that stays may be stays, too."""
        while True:
            rest = {value for value in self.objects if self._may_go(value)}
            if len(rest) == len(self.objects):
                return
            self.objects = rest

    def _may_go(self, value: Value) -> bool:
        near = (*self._sources.get(value, ()), *self._targets.get(value, ()))
        if not all(each in self.objects and each.type == value.type for each in near):
            return False
        uses = [use.node for use in value.uses]
        accesses = [each for each in uses if each.kind in _ACCESSES]
        flows = [each for each in uses if each.kind not in _ACCESSES]
        if len(flows) != self._flowing_uses(value) or not _are_known(value, accesses):
            return False
        if value in self._sources:
            return all(each.kind == prim.GetAttr for each in accesses)
        read = self._read_names(value) if flows else set[str]()
        return _is_written_first(value.node, accesses, flows, read)

    def _flowing_uses(self, value: Value) -> int:
        """How often a value is carried around or comes out of a block."""
        count = 0
        for use in value.uses:
            if use.node.kind == prim.Loop:
                count += use.offset >= 2
            elif use.node.kind == prim.Return:
                owner = use.node.owning_block.owning_node
                count += owner is not None and owner.kind in _CONTROL_FLOW
        return count

    def _read_names(self, value: Value) -> set[str]:
        """What is read of a value, or of any that it may become."""
        reached, pending = {value}, [value]
        while pending:
            new = [each for each in self._targets.get(pending.pop(), ()) if each not in reached]
            reached.update(new)
            pending += new
        uses = [use.node for each in reached for use in each.uses]
        return {_name(each) for each in uses if each.kind == prim.GetAttr}


def _name(access: Node) -> str:
    return access.string_attribute("name")


def _are_known(value: Value, accesses: Iterable[Node]) -> bool:
    """Whether a value is an object, and its attributes alone are read and written within branches and loops."""
    type = value.type
    if not isinstance(type, ClassType) or type.is_module:
        return False
    return all(
        each.inputs[0] is value
        and value not in each.inputs[1:]
        and type.attribute_type(_name(each)) is not None
        and _is_within(each, value.node)
        for each in accesses
    )


def _is_within(user: Node, maker: Node) -> bool:
    """Whether nothing but branches and loops are between the block of one node and that of another."""
    block = user.owning_block
    while block is not maker.owning_block:
        if block.owning_node is None or block.owning_node.kind not in _CONTROL_FLOW:
            return False
        block = block.owning_node.owning_block
    return True


def _is_written_first(
    maker: Node, accesses: Iterable[Node], flows: Sequence[Node], read: set[str]
) -> bool:
    """Whether each attribute that is read was written in the block of the object, and earlier.

    With flows, so are all that are `read` anywhere, and there is no other write.
    """
    first: dict[str, Node] = {}
    reads: list[Node] = []
    for access in accesses:
        name = _name(access)
        if access.kind == prim.GetAttr:
            reads.append(access)
        elif access.owning_block is maker.owning_block:
            known = first.setdefault(name, access)
            first[name] = access if access.is_before(known) else known
        elif flows:
            return False
        if flows and access.kind == prim.SetAttr and not all(map(access.is_before, flows)):
            return False
    if not all(_name(each) in first and first[_name(each)].is_before(each) for each in reads):
        return False
    return not flows or read <= set(first)


@value_class
class _Carried:
    """An attribute that goes around a loop: in front of it, in a turn, at the end of one, and behind the loop."""

    before: Attribute
    within: Attribute
    following: Attribute
    after: Attribute


class _Attributes:
    """What the attributes of some objects are, from node to node."""

    def __init__(self, flows: _Flows) -> None:
        self._objects, self._read = flows.objects, flows.read
        self._makers = [each for each in flows.made if each.output in flows.objects]
        self._ways: list[tuple[Node, int]] = []
        """Branches and loops that objects go through, and at which place among the outputs."""

    def replace(self, graph: Graph) -> None:
        self._mark_writes()
        self._follow(graph.block, {})
        for node, place in reversed(self._ways):
            for block in node.blocks:
                block.erase_output(place + (node.kind == prim.Loop))
            if node.kind == prim.Loop:
                node.remove_input(place + 2)
        for node, place in reversed(self._ways):
            node.erase_output(place)
            if node.kind == prim.Loop:
                node.blocks[0].erase_input(place + 1)
        for node in self._makers:
            node.destroy()

    def _mark_writes(self) -> None:
        accesses = [use.node for value in self._objects for use in value.uses]
        pending = [each.output for each in accesses if each.kind == prim.GetAttr]
        pending += [each.inputs[1] for each in accesses if each.kind == prim.SetAttr]
        seen: set[Value] = set()
        while pending:
            value = pending.pop()
            if value in seen or not is_mutable_type(value.type):
                continue
            seen.add(value)
            for use in value.uses:
                _mark(use.node)
                pending += _followers(use)

    def _follow(self, block: Block, contents: Contents) -> None:
        """Through a block, into which attributes come with some contents, and which they leave with others."""
        for node in block.nodes():
            if node.kind == prim.If:
                self._through_branches(node, contents)
            elif node.kind == prim.Loop:
                self._through_turns(node, contents)
            elif node.kind in _ACCESSES and node.inputs[0] in self._objects:
                self._access(node, (node.inputs[0], _name(node)), contents)
            else:
                for inner in node.blocks:
                    self._follow(inner, {})

    def _access(self, node: Node, attribute: Attribute, contents: Contents) -> None:
        if node.kind == prim.SetAttr:
            contents[attribute] = _typed(node, _type(attribute))
        else:
            node.output.replace_all_uses_with(contents[attribute])
        node.destroy()

    def _through_branches(self, node: Node, contents: Contents) -> None:
        ends = [dict(contents) for _ in node.blocks]
        for inner, end in zip(node.blocks, ends):
            self._follow(inner, end)
        for attribute in ends[0]:
            values = [end.get(attribute) for end in ends]
            if None in values or values[0] is values[1]:
                continue
            for inner, end in zip(node.blocks, ends):
                inner.register_output(end[attribute])
            contents[attribute] = node.add_output(_type(attribute))
        for place, after in enumerate(list(node.outputs)):
            if after in self._objects:
                self._ways.append((node, place))
                self._choose(node, ends, place, contents)

    def _choose(self, node: Node, ends: Sequence[Contents], place: int, contents: Contents) -> None:
        """One object or the other."""
        after = node.outputs[place]
        for name in sorted(self._read[after]):
            for inner, end in zip(node.blocks, ends):
                inner.register_output(end[inner.outputs[place], name])
            contents[after, name] = node.add_output(_type((after, name)))

    def _through_turns(self, node: Node, contents: Contents) -> None:
        [body] = node.blocks
        carried = [_Carried(*[each] * 4) for each in self._written_in(body) if each in contents]
        carried += self._carried_objects(LoopView(node))
        end = dict(contents)
        for each in carried:
            node.add_input(contents[each.before])
            end[each.within] = body.add_input(type=_type(each.within))
        self._follow(body, end)
        for each in carried:
            body.register_output(end[each.following])
            contents[each.after] = node.add_output(_type(each.after))

    def _carried_objects(self, view: LoopView) -> list[_Carried]:
        values = zip(
            view.carried_inputs,
            view.body_carried_inputs,
            view.body_carried_outputs,
            view.carried_outputs,
        )
        carried: list[_Carried] = []
        for place, (before, within, following, after) in enumerate(values):
            if after in self._objects:
                self._ways.append((view.node, place))
                for name in sorted(self._read[within] | self._read[after]):
                    ways = ((each, name) for each in (before, within, following, after))
                    carried.append(_Carried(*ways))
        return carried

    def _written_in(self, block: Block) -> Iterable[Attribute]:
        """Each once, in the order in which they are written."""
        writes = [each for each in block.all_nodes() if each.kind == prim.SetAttr]
        return dict.fromkeys(
            (each.inputs[0], _name(each)) for each in writes if each.inputs[0] in self._objects
        )


def _mark(node: Node) -> None:
    is_container = node.inputs and isinstance(node.inputs[0].type, ListType | DictType)
    if is_container and node.operator is not None and node.operator.is_mutable:
        node.set_attribute(WRITES_ATTRIBUTE, 1)


def _followers(use: Use) -> Sequence[Value]:
    """What a value may be, or be a part of, after a use of it."""
    node = use.node
    if node.kind == prim.Loop:
        return node.blocks[0].inputs[use.offset - 1], node.outputs[use.offset - 2]
    if node.kind != prim.Return:
        return node.outputs
    owner = node.owning_block.owning_node
    if owner is None or owner.kind not in _CONTROL_FLOW:
        return ()
    if owner.kind == prim.Loop:
        return owner.blocks[0].inputs[use.offset], owner.outputs[use.offset - 1]
    return (owner.outputs[use.offset],)


def _type(attribute: Attribute) -> Type:
    owner, name = attribute
    assert isinstance(owner.type, ClassType)
    type = owner.type.attribute_type(name)
    assert type is not None
    return type


def _typed(write: Node, wanted: Type) -> Value:
    """What a prim::SetAttr writes, as a value of the type of the attribute."""
    value = write.inputs[1]
    if value.type == wanted:
        return value
    cast = write.graph.create(prim.unchecked_cast, [value], range=write.range)
    cast.output.set_type(wanted)
    return cast.insert_before(write).output
