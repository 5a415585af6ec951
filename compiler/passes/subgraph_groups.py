"""How groups grow: producers are merged into the groups that consume them, wherever they can be moved there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Block, Node, Value
from tsc.compiler.passes.subgraphs import create_group, merge_into_group, never
from tsc.compiler.value_classes import value_class

_MOST_BESIDE: Final = 4
"""Groups in front of one that are asked whether they may be merged into it."""


@value_class
class Wanted:
    """The kind of a group's node, what may begin one, and what may join it: asked of a producer and the group.

    What nodes read of which `repeats` holds is computed in groups once more. `may_be_beside` says whether two groups
    that do not need each other may be one.
    """

    kind: str
    may_begin: Callable[[Node], bool]
    may_join: Callable[[Node, Node], bool]
    repeats: Callable[[Value], bool] = never
    may_be_beside: Callable[[Node, Node], bool] = never


class GrowingGroups:
    """The groups of one block. `new` are those that were not there before."""

    def __init__(self, block: Block, aliases: AliasDb, wanted: Wanted) -> None:
        self.aliases = aliases
        self.new: list[Node] = []
        self._block, self._wanted = block, wanted

    def grow_all(self) -> None:
        """From the end of the block on, until nothing can be merged any more."""
        while self._grow_once():
            pass
        if self._wanted.may_be_beside is not never:
            self._join_beside()

    def group_of(self, node: Node) -> Node:
        """A new group, of one node."""
        group = create_group(node.graph, self._wanted.kind).insert_after(node)
        group.range = node.range
        merge_into_group(node, group, self.aliases, self._wanted.repeats)
        self.new.append(group)
        return group

    def _join_beside(self) -> None:
        """Merges groups into those behind them, where the order of all that matters stays."""
        groups = [each for each in self._block.nodes() if each.kind == self._wanted.kind]
        while groups:
            last = groups.pop()
            for group in reversed(groups[-_MOST_BESIDE:]):
                if self._wanted.may_be_beside(
                    group, last
                ) and self.aliases.move_before_topologically_valid(group, last):
                    groups.remove(group)
                    self._merge(group, last)

    def _merge(self, node: Node, group: Node) -> None:
        if node in self.new:
            self.new.remove(node)
        merge_into_group(node, group, self.aliases, self._wanted.repeats)

    def _grow_once(self) -> bool:
        """Goes through the block once; says whether anything was merged, which may have moved what was passed."""
        merged = False
        node = self._block.return_node.previous
        while node is not self._block.return_node:
            if node.kind == self._wanted.kind or self._wanted.may_begin(node):
                group = self._grown(node)
                merged |= group is not node
                node = group
            node = node.previous
        return merged

    def _grown(self, node: Node) -> Node:
        """The group that a node becomes, with all producers that can be merged into it."""
        group = node if node.kind == self._wanted.kind else self.group_of(node)
        while (producer := self._mergeable(group)) is not None:
            self._merge(producer, group)
        return group

    def _mergeable(self, group: Node) -> Node | None:
        """A producer of an input that was moved before the group; the last one first."""
        producers = [each.node for each in group.inputs if each.node.block is self._block]
        wanted = [each for each in producers if self._may_join(each, group)]
        for producer in sorted(dict.fromkeys(wanted), key=cmp_to_key(_latest_first)):
            if self.aliases.move_before_topologically_valid(producer, group):
                return producer
        return None

    def _may_join(self, node: Node, group: Node) -> bool:
        return node.kind == self._wanted.kind or self._wanted.may_join(node, group)


def _latest_first(a: Node, b: Node) -> int:
    return -1 if a.is_after(b) else 1
