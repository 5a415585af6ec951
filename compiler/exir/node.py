"""Nodes of exported graphs: what is done, with which arguments, and what is known of the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from tsc.compiler.exir.arguments import Argument, Leaf, leaves, map_argument
from tsc.compiler.exir.targets import Target
from tsc.compiler.ir.errors import GraphError

if TYPE_CHECKING:
    from tsc.compiler.exir.graph import Graph


class Op(Enum):
    """What a node does. Graphs of other tools may also call methods and modules; these refuse that."""

    PLACEHOLDER = "placeholder"
    CALL_FUNCTION = "call_function"
    GET_ATTR = "get_attr"
    OUTPUT = "output"


class Node:
    """One step of a graph.

    `target` is what is called, the name of an input, or the name of a graph in the module that holds this one. `meta`
    holds ``val`` (a `FakeTensor`, a `SymInt`, a tuple or list of these, or None), ``stack_trace``,
    ``nn_module_stack`` and ``source_fn_stack``. `users` are the nodes that have this one among their arguments.
    """

    __slots__ = (
        *("_args", "_kwargs", "graph", "meta", "name", "next", "op", "previous", "target"),
        "users",
    )

    def __init__(self, graph: Graph | None, name: str, op: Op, target: Target | str) -> None:
        self.graph, self.name, self.op, self.target = graph, name, op, target
        self.meta: dict[str, Any] = {}
        self.users: dict[Node, None] = {}
        self.next: Node = self
        self.previous: Node = self
        self._args: tuple[Argument, ...] = ()
        self._kwargs: dict[str, Argument] = {}

    def __repr__(self) -> str:
        return self.name

    @property
    def op_name(self) -> str:
        """What it does, as its text says: "placeholder", "call_function", "get_attr" or "output"."""
        return self.op.value

    @property
    def args(self) -> tuple[Argument, ...]:
        return self._args

    @args.setter
    def args(self, args: Sequence[Argument]) -> None:
        self._set_arguments(tuple(args), self._kwargs)

    @property
    def kwargs(self) -> Mapping[str, Argument]:
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs: Mapping[str, Argument]) -> None:
        self._set_arguments(self._args, dict(kwargs))

    def _set_arguments(self, args: tuple[Argument, ...], kwargs: dict[str, Argument]) -> None:
        for each in self.input_nodes:
            each.users.pop(self, None)
        self._args, self._kwargs = args, kwargs
        for each in self.input_nodes:
            each.users[self] = None

    @property
    def input_nodes(self) -> list[Node]:
        """The nodes among the arguments, each once, in their order."""
        found = [*leaves(self._args), *leaves(self._kwargs)]
        return list(dict.fromkeys(each for each in found if isinstance(each, Node)))

    def replace_input(self, old: Node, new: Argument) -> None:
        """Put another argument wherever a node is one."""

        def changed(leaf: Leaf) -> Argument:
            return new if leaf is old else leaf

        args = tuple([map_argument(each, changed) for each in self._args])
        kwargs = {key: map_argument(each, changed) for key, each in self._kwargs.items()}
        self._set_arguments(args, kwargs)

    def replace_all_uses_with(self, new: Node) -> None:
        """Have all users read another node, which this one may be among the arguments of."""
        for user in [each for each in self.users if each is not new]:
            user.replace_input(self, new)

    def erase(self) -> None:
        """Take a node that nobody reads out of its graph. Raises `GraphError` for one that is read."""
        if self.users:
            readers = ", ".join(each.name for each in self.users)
            raise GraphError(f"{self.name} is read by {readers}: it cannot be erased")
        self._set_arguments((), {})
        self.previous.next, self.next.previous = self.next, self.previous
        self.next = self.previous = self
        self.graph = None

    def move_before(self, other: Node | None) -> None:
        """Take a node out of its list, and link it in front of another one of the same graph, or at the end."""
        assert self.graph is not None
        self.previous.next, self.next.previous = self.next, self.previous
        self.insert_before(self.graph.end if other is None else other)

    def insert_before(self, other: Node) -> None:
        """Link a node that is in no list in front of another one."""
        before = other.previous
        self.previous, self.next = before, other
        before.next = other.previous = self
