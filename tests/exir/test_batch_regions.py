"""Regions of ``torch.vmap`` become maps; what no map can stand for is refused by the name of its node."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.compiler.exir.batch_regions import with_maps
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import MAP

from .recorded import recorded_path


def program() -> Any:
    return tsc.load_exported(recorded_path("Batched"))


def calls(graph: Graph, name: str) -> list[Node]:
    return [each for each in graph.find_nodes(Op.CALL_FUNCTION) if name in str(each.target)]


def test_a_region_is_a_map_and_the_program_stays_as_it_is() -> None:
    found = program()
    before = str(found)
    made = with_maps(found)
    assert len(made.graph.find_nodes(Op.CALL_FUNCTION, MAP)) == 2
    assert not calls(made.graph, "predispatch")
    assert str(found) == before


def test_regions_in_regions_are_maps_in_maps() -> None:
    bodies = with_maps(program()).graph_module.modules.values()
    assert sorted(len(each.graph.find_nodes(Op.CALL_FUNCTION, MAP)) for each in bodies) == [0, 1]


def test_a_program_without_regions_is_the_same() -> None:
    plain = tsc.load_exported(recorded_path("Map"))
    assert with_maps(plain) is plain


def test_the_same_random_numbers_for_all_slices_are_refused() -> None:
    found = program()
    begin = calls(found.graph, "_vmap_increment_nesting")[0]
    begin.args = (begin.args[0], "same")
    with pytest.raises(tsc.Error, match="_vmap_increment_nesting: all slices are to have the same"):
        found.module()


@pytest.mark.parametrize(
    ("name", "args", "reason"),
    [
        ("_add_batch_dim", lambda args: (3, *args[1:]), "what is no tensor"),
        ("_remove_batch_dim", lambda args: args[:2], "what is no tensor"),
        ("_add_batch_dim", lambda args: (args[0], "x", 1), "what is no dimension"),
    ],
)
def test_marks_of_another_form_are_refused(name: str, args: Any, reason: str) -> None:
    found = program()
    node = calls(found.graph, name)[0]
    node.args = args(node.args)
    with pytest.raises(tsc.Error, match=reason):
        found.module()


def test_a_region_that_begins_nowhere_is_refused() -> None:
    found = program()
    calls(found.graph, "_vmap_increment_nesting")[0].erase()
    with pytest.raises(tsc.Error, match="begins nowhere"):
        found.module()
