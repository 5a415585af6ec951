"""Runs the LALR tables over tokens, calling a method of a builder for each rule it recognizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tsc.compiler.frontend.grammar import END, Tables, load_tables
from tsc.compiler.frontend.tokens import Token


class UnexpectedToken(Exception):
    """The grammar has no use for a token; ``states`` is the parser's stack at that point."""

    def __init__(self, token: Token, states: list[int]) -> None:
        super().__init__(str(token))
        self.token = token
        self.states = states


@dataclass(slots=True)
class Stack:
    """How far the parser has come: its states, and the value behind each but the first."""

    states: list[int]
    values: list[Any] = field(default_factory=list[Any])


# What one rule does: how many values it takes, its method, which values, and what it makes.
_Step = tuple[int, Callable[..., Any] | None, tuple[int, ...] | None, int, str]


class _Gotos(dict[tuple[int, str, str], int]):
    """The state after a sub-tree, by the state before, the kind of the sub-tree and the next token.

    Most rules of expressions only pass a sub-tree on (a term is a factor is a power ...). Such
    steps change nothing but the state, so they are taken at once; the result is remembered.
    """

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, key: tuple[int, str, str]) -> int:
        state, origin, terminal = key
        gotos = self._tables.gotos[state]
        target = gotos[origin]
        action = self._tables.actions[target].get(terminal, 0)
        while action < 0:
            rule = self._tables.rules[~action]
            if rule.method is not None or rule.length != 1:
                break
            target = gotos[rule.origin]
            action = self._tables.actions[target].get(terminal, 0)
        self[key] = target
        return target


@cache
def _gotos() -> _Gotos:
    return _Gotos(load_tables())


def new_stack(start: str) -> Stack:
    """The stack at the beginning of a ``start`` of the grammar."""
    return Stack([load_tables().start_states[start]])


def run(builder: object, tokens: Iterable[Token], start: str, stack: Stack | None = None) -> Any:
    """What the builder makes of the tokens, which must be a ``start`` of the grammar.

    With a ``stack``, they are what follows there; after an error it shows where that was.
    """
    tables, gotos = load_tables(), _gotos()
    actions, steps, end_state = tables.actions, _steps(type(builder)), tables.end_states[start]
    stack = stack or new_stack(start)
    states, values = stack.states, stack.values
    state = states[-1]
    for token in tokens:
        terminal = token.kind
        while (action := actions[state].get(terminal)) is not None and action < 0:
            length, method, picks, only_pick, origin = steps[~action]
            if length == 1 and picks is None:  # by far the most frequent ones
                del states[-1]
                if method is not None:
                    values[-1] = method(builder, values[-1])
            else:
                children = values[-length:] if length else []
                if length:
                    del values[-length:], states[-length:]
                if method is None:
                    values.append(children[only_pick])
                elif picks is None:
                    values.append(method(builder, *children))
                else:
                    picked = [children[i] if i >= 0 else None for i in picks]
                    values.append(method(builder, *picked))
            state = gotos[states[-1], origin, terminal]
            if state == end_state and terminal == END:
                return values[-1]
            states.append(state)
        if action is None:
            raise UnexpectedToken(token, states)
        states.append(action)
        values.append(token)
        state = action
    raise AssertionError("the tokens do not end")


def settle(builder: object, stack: Stack, token: Token) -> None:
    """Makes the reductions that a token asks for, which is not read itself.

    UnexpectedToken if none may stand there.
    """

    def once() -> Iterator[Token]:
        yield token
        raise _Settled

    try:
        run(builder, once(), "module", stack)
    except _Settled:
        del stack.states[-1], stack.values[-1]


class _Settled(Exception):
    """The token has been read."""


@cache
def _steps(builder: type) -> list[_Step]:
    steps: list[_Step] = []
    for rule in load_tables().rules:
        method = None if rule.method is None else getattr(builder, rule.method)
        picks = None if rule.picks == tuple(range(rule.length)) else rule.picks
        steps.append((rule.length, method, picks, rule.picks[0] if rule.picks else -1, rule.origin))
    return steps
