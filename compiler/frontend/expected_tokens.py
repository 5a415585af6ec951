"""Which tokens the grammar would have accepted where it met an unexpected one, in plain words."""

from __future__ import annotations

from tsc.compiler.frontend.grammar import END, load_tables
from tsc.compiler.frontend.lalr import UnexpectedToken
from tsc.compiler.frontend.tokens import DEDENT, INDENT, NAME, NEWLINE, NUMBER, STRING, Token

_EXPRESSION_STARTS = frozenset((NAME, NUMBER, STRING))
_PARAMETER_STARTS = frozenset((NAME, "STAR", "DOUBLESTAR", "SLASH"))
_MOST_ALTERNATIVES = 4
_KINDS = {
    NAME: "a name",
    NEWLINE: "the end of the line",
    INDENT: "an indented block",
    DEDENT: "the end of the block",
    END: "nothing",
}
_AFTER_A_VALUE = frozenset(
    (
        *("PLUS", "MINUS", "STAR", "SLASH", "DOUBLESLASH", "PERCENT", "AT", "DOUBLESTAR", "VBAR"),
        *("CIRCUMFLEX", "AMPERSAND", "LEFTSHIFT", "RIGHTSHIFT", "LESS", "GREATER", "LESSEQUAL"),
        *("GREATEREQUAL", "EQEQUAL", "NOTEQUAL", "IS", "NOT", "AND", "OR", "DOT", "LSQB"),
        *("COLONEQUAL", "STRING"),
    )
)


def expected_kinds(unexpected: UnexpectedToken) -> frozenset[str]:
    """The kinds of tokens that could have followed."""
    candidates = load_tables().actions[unexpected.states[-1]]
    return frozenset(kind for kind in candidates if _is_acceptable(unexpected.states, kind))


def _is_acceptable(states: list[int], kind: str) -> bool:
    """Whether the reductions that a token asks for end in a state that takes it."""
    tables = load_tables()
    stack = list(states)
    while (action := tables.actions[stack[-1]].get(kind)) is not None and action < 0:
        rule = tables.rules[~action]
        if rule.length:
            del stack[-rule.length :]
        stack.append(tables.gotos[stack[-1]][rule.origin])
    return action is not None


def describe_expected(kinds: frozenset[str]) -> str | None:
    """``an expression``, ``':' or ','``; None if there are too many to list."""
    if kinds >= _EXPRESSION_STARTS:
        return "an expression"
    if kinds >= _PARAMETER_STARTS:
        return "a parameter"
    if "VBAR" in kinds:  # a value has ended; of what may follow, operators tell nothing
        kinds -= _AFTER_A_VALUE
    if len(kinds) > _MOST_ALTERNATIVES or not kinds:
        return None
    words = sorted(_KINDS.get(kind) or repr(literal_of(kind)) for kind in kinds)
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def describe_token(token: Token) -> str:
    """What was found, as a reader sees it."""
    if token.kind == NAME:
        return f"name {token.text!r}"
    if token.kind == NUMBER:
        return f"number {token.text}"
    if token.kind == STRING:
        return "string"
    return _KINDS.get(token.kind) or repr(token.text)


def literal_of(kind: str) -> str:
    """How a keyword or an operator is written."""
    return next((text for text, name in load_tables().literals.items() if name == kind), kind)
