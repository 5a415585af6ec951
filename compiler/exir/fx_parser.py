"""Graphs from their text: as `fx_text` writes it, as PyTorch does, and with ``#users`` as older versions did.

FX writes strings without quotes. A word that is no constant is read as a string; a string with a comma, a bracket or a
space has to stand in quotes.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from tsc.compiler.exir.arguments import Argument, TorchConstant
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import Target
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.types.tensor_options import Device

_NODE: Final = re.compile(
    r"%(?P<name>\w+)\s*:?\s*(\[(#|num_)users=\d+\])?\s*=\s*(?P<op>\w+)\[\s*target\s*=\s*(?P<target>[^\]]+?)\s*\]\s*(?P<rest>.*)"
)
_DEFAULT: Final = re.compile(r"\(default=(.*)\)")
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<mark>[%\[\](){},:])|(?P<word>[^\s%\[\](){},:'"][^\s\[\](){},:]*(?::\d+)?))"""
)
_CLOSING: Final = {"[": "]", "(": ")", "{": "}"}
_WORDS: Final = {"None": None, "True": True, "False": False}
_MOST_NESTED: Final = 200


def parse_fx_graph(text: str) -> Graph:
    """The graph of a text. Raises `GraphError`, which tells the line, for what is none."""
    reader = _GraphReader()
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    wanted = [(number, line) for number, line in lines if line]
    if not wanted or not re.fullmatch(r"graph\(.*\):", wanted[0][1]):
        raise GraphError("the text of a graph begins with 'graph():'")
    for number, line in wanted[1:]:
        try:
            reader.read(line)
        except GraphError as error:
            raise GraphError(f"line {number}: {error}\n  {line}") from None
    reader.graph.output_node  # noqa: B018 - raises where there is none
    return reader.graph


class _GraphReader:
    def __init__(self) -> None:
        self.graph = Graph()
        self._nodes: dict[str, Node] = {}
        self._has_ended = False

    def read(self, line: str) -> None:
        """One line, which is one node."""
        if self._has_ended:
            raise GraphError("nothing stands after the output")
        if line.startswith("return "):
            self.graph.output(_Arguments(line[7:], self._nodes, marked=False).whole())
            self._has_ended = True
            return
        match = _NODE.fullmatch(line)
        if match is None:
            raise GraphError("a node has the form %name : [num_users=1] = op[target=...](...)")
        node = self._node(match["op"], match["target"], match["rest"], match["name"])
        if node.name != match["name"]:
            raise GraphError(f"there are two nodes of the name {match['name']}")
        self._nodes[node.name] = node

    def _node(self, op: str, target: str, rest: str, name: str) -> Node:
        create = self.graph.create_node
        if op == "placeholder":
            default = _DEFAULT.fullmatch(rest)
            args = (_Arguments(default[1], self._nodes).whole(),) if default else ()
            return create(Op.PLACEHOLDER, target, args, name=name)
        if op == "get_attr":
            return create(Op.GET_ATTR, target, name=name)
        if op == "call_function":
            args, kwargs = _Arguments(rest, self._nodes).call()
            return create(Op.CALL_FUNCTION, Target(target), args, kwargs, name)
        raise GraphError(
            f"an exported graph has no {op}: only placeholder, call_function, get_attr and output"
        )


class _Arguments:
    """Arguments from a piece of a line."""

    def __init__(self, text: str, nodes: dict[str, Node], *, marked: bool = True) -> None:
        """Unless `marked`, the names of nodes stand without ``%``."""
        self._text, self._nodes, self._marked = text, nodes, marked
        self._at = self._depth = 0
        self._token = self._next()

    def whole(self) -> Argument:
        """The only argument."""
        argument = self._argument()
        self._end()
        return argument

    def call(self) -> tuple[tuple[Argument, ...], dict[str, Argument]]:
        """``(args = (...), kwargs = {...})``"""
        self._take("(")
        args = self._named("args")
        self._take(",")
        kwargs = self._named("kwargs")
        self._take(")")
        self._end()
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise GraphError("args are a tuple, kwargs a dict")
        return args, kwargs

    def _named(self, name: str) -> Argument:
        self._take(name)
        self._take("=")
        return self._argument()

    def _argument(self) -> Argument:
        token = self._token
        if token == "%":
            self._token = self._next()
            return self._known(self._take())
        if token in _CLOSING:
            return self._container(token)
        if token[:1] in ("'", '"'):
            return ast.literal_eval(self._take())
        return self._word(self._take())

    def _container(self, opening: str) -> Argument:
        self._depth += 1
        if self._depth > _MOST_NESTED:
            raise GraphError("the arguments are nested too deep")
        self._take(opening)
        keys, items = self._items(_CLOSING[opening], keyed=opening == "{")
        self._depth -= 1
        if opening == "{":
            return dict(zip(keys, items, strict=True))
        return tuple(items) if opening == "(" else items

    def _items(self, closing: str, *, keyed: bool) -> tuple[list[str], list[Argument]]:
        keys: list[str] = []
        items: list[Argument] = []
        while self._token != closing:
            if keyed:
                keys.append(self._take())
                self._take(":")
            items.append(self._argument())
            if self._token != closing:
                self._take(",")
        self._take(closing)
        return keys, items

    def _word(self, word: str) -> Argument:
        if word in _WORDS:
            return _WORDS[word]
        if not self._marked and word in self._nodes:
            return self._nodes[word]
        return _number(word) if _number(word) is not None else _constant(word)

    def _known(self, name: str) -> Node:
        if name not in self._nodes:
            raise GraphError(f"there is no node %{name} before this one")
        return self._nodes[name]

    # -- Tokens ------------------------------------------------------------------------------------

    def _next(self) -> str:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            if self._text[self._at :].strip():
                raise GraphError(f"cannot read {self._text[self._at :].strip()!r}")
            return ""
        self._at = match.end()
        return match[0].strip()

    def _take(self, wanted: str | None = None) -> str:
        token = self._token
        if not token or wanted not in (None, token):
            raise GraphError(f"expected {wanted or 'an argument'}, found {token or 'the end'}")
        self._token = self._next()
        return token

    def _end(self) -> None:
        if self._token:
            raise GraphError(f"expected the end, found {self._token}")


def _number(word: str) -> int | float | complex | None:
    for read in (int, float, complex):
        try:
            return read(word)
        except ValueError:
            continue
    return None


def _constant(word: str) -> Argument:
    if word.startswith("torch."):
        return TorchConstant(word.removeprefix("torch."))
    try:
        return Device.parse(word)
    except ValueError:
        return word
