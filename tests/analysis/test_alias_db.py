"""Which values may share memory, and who writes to it."""

from __future__ import annotations

import pytest

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.alias_tracker import AliasTracker
from tsc.compiler.ir import Graph, Node, Value, parse_ir
from tsc.compiler.schema import Aliasing, OperatorTable

OPERATORS = OperatorTable()
for schema in (
    "aten::relu(Tensor self) -> Tensor",
    "aten::add.int(int a, int b) -> int",
    "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
    "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
    "aten::t(Tensor(a) self) -> Tensor(a)",
    "aten::contiguous(Tensor(a) self) -> Tensor(a)",
    "aten::reshape_fresh(Tensor(a) self) -> Tensor(b)",
    "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
    "aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)",
    "aten::__getitem__.t(t[](a) list, int idx) -> t(*)",
    "aten::_foreach_neg_(Tensor(a!)[] self) -> ()",
    "aten::topk(Tensor self, int k) -> (Tensor values, Tensor indices)",
):
    OPERATORS.declare(schema)
OPERATORS.declare("aten::wait(Future(t) self) -> t", aliasing=Aliasing.LETS_OTHERS_RUN)
OPERATORS.declare("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", aliasing=Aliasing.READS_LIST)
OPERATORS.declare(
    "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
    " Tensor? running_var, bool training) -> Tensor",
    aliasing=Aliasing.WRITES_STATISTICS,
)


class Aliases:
    """A graph and its AliasDb, asked by the names of values."""

    def __init__(self, body: str, inputs: str = "%x : Tensor, %one : int, %c : bool") -> None:
        self.graph: Graph = parse_ir(f"graph({inputs}):\n{body}\n", OPERATORS)
        self.graph.lint()
        self.database = AliasDb(self.graph)

    def value(self, name: str) -> Value:
        value = self.graph.names.owner(name)
        assert value is not None, name
        return value

    def node(self, name: str) -> Node:
        return self.value(name).node

    def may_alias(self, a: str, b: str) -> bool:
        forwards = self.database.may_alias(self.value(a), self.value(b))
        assert forwards is self.database.may_alias(self.value(b), self.value(a))
        return forwards

    def may_contain_alias(self, a: str, b: str) -> bool:
        return self.database.may_contain_alias(self.value(a), self.value(b))

    def has_writers(self, name: str) -> bool:
        return self.database.has_writers_within(self.value(name))


def test_new_memory_is_apart_and_views_are_not() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %v : Tensor = aten::t(%a)\n  %w : Tensor = aten::contiguous(%v)\n"
        "  %n : int = aten::add(%one, %one)\n  return (%w)"
    )
    assert not aliases.may_alias("a", "b")
    assert not aliases.may_alias("a", "x")
    assert aliases.may_alias("a", "v")
    assert aliases.may_alias("a", "w")
    assert not aliases.may_alias("b", "w")
    assert not aliases.may_alias("n", "n")


def test_inputs_may_alias_each_other() -> None:
    aliases = Aliases(
        "  return (%x)", "%x : Tensor, %y : Tensor, %n : int[], %m : int[], %l : Tensor[], %a : Any"
    )
    assert aliases.may_alias("x", "y")
    assert aliases.may_alias("n", "m")
    assert not aliases.may_alias("x", "n")
    assert not aliases.may_alias("x", "l")
    assert aliases.may_contain_alias("x", "l")
    assert not aliases.may_contain_alias("x", "n")
    assert aliases.may_alias("a", "x")
    assert aliases.may_alias("a", "l")


def test_writes_reach_views_and_out_arguments() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %v : Tensor = aten::t(%a)\n  %w : Tensor = aten::add_(%v, %x, %one)\n"
        "  %o : Tensor = aten::add(%x, %x, %one, %b)\n  %r : Tensor = aten::relu(%x)\n  return (%r)"
    )
    assert aliases.has_writers("a")
    assert aliases.has_writers("b")
    assert not aliases.has_writers("x")
    assert not aliases.has_writers("r")
    write = aliases.node("w")
    assert aliases.database.is_mutable(write)
    assert aliases.database.writes_to_alias(write, [aliases.value("a")])
    assert not aliases.database.writes_to_alias(write, [aliases.value("b")])
    assert not aliases.database.writes_to_wildcard(write)
    assert not aliases.database.is_mutable(aliases.node("r"))
    assert aliases.database.node_has_writers(aliases.node("v"))
    assert not aliases.database.node_has_writers(aliases.node("r"))


def test_writing_to_an_input_writes_to_all_of_them() -> None:
    aliases = Aliases(
        "  %v : Tensor = aten::t(%x)\n  %w : Tensor = aten::add_(%v, %x, %one)\n  return (%w)",
        "%x : Tensor, %y : Tensor, %l : Tensor[], %one : int",
    )
    assert aliases.has_writers("y")
    assert aliases.has_writers("l")
    assert aliases.database.writes_to_wildcard(aliases.node("w"))


def test_what_goes_into_a_container_may_be_found_in_any() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %l : Tensor[] = prim::ListConstruct(%a)\n"
        "  %e : Tensor = aten::__getitem__(%l, %one)\n"
        "  %m : Tensor[] = prim::ListConstruct()\n  return (%m)"
    )
    assert aliases.may_alias("a", "e")
    assert aliases.may_alias("a", "x")
    assert not aliases.may_alias("b", "e")
    assert not aliases.may_alias("l", "m")
    assert aliases.may_contain_alias("l", "a")
    assert not aliases.may_contain_alias("l", "b")


def test_what_a_view_shows_escapes_with_it() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %v : Tensor = aten::t(%a)\n  %y : Tensor = prim::If(%c)\n"
        "    block0():\n      -> (%v)\n    block1():\n      -> (%b)\n"
        "  %l : Tensor[] = prim::ListConstruct(%y)\n"
        "  %e : Tensor = aten::__getitem__(%l, %one)\n"
        "  %w : Tensor = aten::add_(%e, %x, %one)\n  return (%a)"
    )
    assert aliases.may_alias("a", "e")
    assert aliases.may_alias("b", "e")
    assert aliases.has_writers("a")


def test_a_list_made_for_one_reader_keeps_its_contents_to_itself() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %l : Tensor[] = prim::ListConstruct(%a, %a)\n"
        "  %b : Tensor = aten::cat(%l, %one)\n  return (%b)"
    )
    assert not aliases.may_alias("a", "x")
    assert not aliases.may_contain_alias("b", "a")
    assert aliases.may_contain_alias("l", "a")


def test_a_returned_container_keeps_its_contents_in_sight_but_lets_them_escape() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %t : (Tensor, int) = prim::TupleConstruct(%a, %one)\n  return (%t)"
    )
    assert not aliases.may_alias("a", "x")
    assert aliases.database.escapes([aliases.value("a")])
    assert not aliases.database.escapes([aliases.value("b")])
    assert aliases.database.escapes([aliases.value("x")])


def test_appending_writes_to_the_list_not_to_what_is_appended() -> None:
    aliases = Aliases(
        "  %l : Tensor[] = prim::ListConstruct()\n  %a : Tensor = aten::relu(%x)\n"
        "  %w : Tensor[] = aten::append(%l, %a)\n  return (%l)"
    )
    assert aliases.has_writers("l")
    assert not aliases.has_writers("a")
    assert aliases.may_alias("l", "w")
    assert aliases.may_alias("a", "x")


def test_writing_to_what_is_in_a_list() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %l : Tensor[] = prim::ListConstruct(%a)\n   = aten::_foreach_neg_(%l)\n  return (%b)"
    )
    assert aliases.has_writers("a")
    assert not aliases.has_writers("b")


def test_the_argument_of_a_view_list_is_out_of_sight_afterwards() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %l : Tensor[] = aten::chunk(%a, %one, %one)\n"
        "  %e : Tensor = aten::__getitem__(%l, %one)\n  return (%e)"
    )
    assert aliases.may_alias("a", "e")
    assert aliases.may_contain_alias("l", "a")


def test_an_if_hands_out_what_either_branch_does() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %d : Tensor = aten::relu(%x)\n  %y : Tensor = prim::If(%c)\n"
        "    block0():\n      -> (%a)\n    block1():\n      -> (%b)\n  return (%y)"
    )
    assert aliases.may_alias("y", "a")
    assert aliases.may_alias("y", "b")
    assert not aliases.may_alias("a", "b")
    assert not aliases.may_alias("y", "d")


def test_a_loop_hands_on_what_came_in_and_what_it_made() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %y : Tensor, %z : Tensor = prim::Loop(%one, %c, %a, %b)\n"
        "    block0(%i : int, %p : Tensor, %q : Tensor):\n"
        "      %v : Tensor = aten::t(%q)\n      %w : Tensor = aten::add_(%p, %x, %one)\n"
        "      %n : Tensor = aten::relu(%p)\n"
        "      -> (%c, %v, %n)\n  return (%y)"
    )
    assert aliases.may_alias("y", "a")
    assert aliases.may_alias("y", "v")
    assert aliases.may_alias("p", "b")
    assert aliases.may_alias("p", "n")
    assert aliases.has_writers("b")
    assert not aliases.may_alias("y", "x")


def test_carried_variables_that_change_places_may_be_each_other() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %y : Tensor, %z : Tensor = prim::Loop(%one, %c, %a, %b)\n"
        "    block0(%i : int, %p : Tensor, %q : Tensor):\n"
        "      -> (%c, %q, %p)\n  return (%y)"
    )
    assert aliases.may_alias("y", "a")
    assert aliases.may_alias("y", "b")
    assert aliases.may_alias("z", "a")
    assert not aliases.may_alias("y", "x")


def test_a_call_may_do_anything_with_what_it_is_given() -> None:
    aliases = Aliases(
        '  %f : Function = prim::Constant[name="f"]()\n  %a : Tensor = aten::relu(%x)\n'
        "  %b : Tensor = aten::relu(%x)\n  %y : Tensor = prim::CallFunction(%f, %a)\n  return (%y)"
    )
    assert aliases.has_writers("a")
    assert aliases.may_alias("y", "x")
    assert not aliases.has_writers("b")
    assert aliases.database.writes_to_wildcard(aliases.node("y"))


def test_what_a_fork_is_given_may_change_until_it_is_waited_for() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::relu(%x)\n"
        "  %u : Future(Tensor) = prim::fork_0(%a)\n"
        "  %y : Tensor = aten::wait(%u)\n  return (%y)\n"
        "with prim::fork_0 = graph(%p : Tensor):\n  return (%p)"
    )
    assert aliases.has_writers("a")
    assert not aliases.has_writers("b")


def test_optional_values_are_what_they_hold() -> None:
    aliases = Aliases(
        "  %a : Tensor = aten::relu(%x)\n  %none : NoneType = prim::Constant()\n"
        "  %y : Tensor? = prim::If(%c)\n"
        "    block0():\n      -> (%a)\n    block1():\n      -> (%none)\n"
        "  %z : Tensor = prim::unchecked_cast(%y)\n"
        "  %w : Tensor = aten::add_(%z, %x, %one)\n  return (%z)"
    )
    assert aliases.may_alias("z", "a")
    assert aliases.has_writers("a")


def test_statistics_are_updated_in_training_only() -> None:
    for training, written in (("1", True), ("0", False)):
        aliases = Aliases(
            f"  %t : bool = prim::Constant[value={training}]()\n  %m : Tensor = aten::relu(%x)\n"
            "  %y : Tensor = aten::batch_norm(%x, %x, %x, %m, %m, %t)\n  return (%y)"
        )
        assert aliases.has_writers("m") is written


@pytest.mark.parametrize("size", [1, 2, 7])
def test_circles_of_any_size_are_one_location(size: int) -> None:
    tracker = AliasTracker()
    ring = [tracker.new_element() for _ in range(size)]
    outside = tracker.new_element()
    for index, element in enumerate(ring):
        tracker.point_to(element, ring[(index + 1) % size])
    tracker.settle()
    assert len({tracker.locations(element) for element in ring}) == 1
    assert tracker.locations(ring[0]).isdisjoint(tracker.locations(outside))


def test_containers_may_contain_themselves() -> None:
    tracker = AliasTracker()
    a, b, c = (tracker.new_element() for _ in range(3))
    tracker.add_contained(a, b)
    tracker.add_contained(b, a)
    tracker.add_contained(c, b)
    tracker.settle()
    assert tracker.reachable(c) == {a, b, c}
    assert tracker.reachable(a) == tracker.reachable(b) == {a, b}


def test_long_chains_need_no_recursion() -> None:
    tracker = AliasTracker()
    elements = [tracker.new_element() for _ in range(20000)]
    for pointer, target in zip(elements[1:], elements):
        tracker.point_to(pointer, target)
    tracker.settle()
    assert tracker.locations(elements[-1]) == {elements[0]}


def test_a_result_may_be_a_view_of_either_input_and_what_is_computed_is_new() -> None:
    aliases = Aliases(
        """  %s : Tensor = aten::relu(%b)
  %w : Tensor = aten::add_(%a, %s, %one)
  %r : Tensor = prim::If(%c)
    block0():
      %d : Tensor = aten::t(%a)
      -> (%d)
    block1():
      %e : Tensor = aten::t(%b)
      -> (%e)
  return (%s, %r)""",
        "%a : Tensor, %b : Tensor, %one : int, %c : bool",
    )
    assert aliases.may_alias("a", "b")
    assert aliases.may_alias("r", "a")
    assert aliases.may_alias("r", "b")
    assert not any(aliases.may_alias("s", other) for other in "abr")
    assert aliases.has_writers("b")
    assert not aliases.has_writers("s")
    dumped = aliases.database.dump()
    edges = ("%a points to: WILDCARD", "%b points to: WILDCARD", "%r points to: %d, %e\n")
    assert all(each in dumped for each in (*edges, "%d points to: %a\n", "%e points to: %b\n"))
