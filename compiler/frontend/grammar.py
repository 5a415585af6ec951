"""The LALR tables of the grammar ``torchscript.lark``.

Lark turns the grammar into tables, which are shipped beside it as JSON, so that using the compiler
costs neither half a second for building them, nor Lark's import, nor a writable cache directory.
``python -m tsc.compiler.frontend.grammar`` writes them anew. If they do not fit the grammar (somebody
is editing it), they are built in memory.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from tsc.compiler.value_classes import value_class

GRAMMAR_PATH = Path(__file__).with_name("torchscript.lark")
TABLES_PATH = Path(__file__).with_name("torchscript.tables.json")
STARTS = ("module", "expression", "signature")
END = "$END"
_FORMAT = 1


@value_class
class Rule:
    """A rule ``origin: expansion`` of the grammar.

    ``picks`` are the positions of the sub-trees that the method gets, -1 standing for a ``None``;
    a rule without a method passes its only pick on.
    """

    origin: str
    length: int
    method: str | None
    picks: tuple[int, ...]


@value_class
class Tables:
    """What the parser needs: rules, and for each state its actions and gotos.

    An action is the next state, or for a reduction by ``rules[n]`` the number ``~n``.
    """

    fingerprint: int
    literals: Mapping[str, str]
    patterns: Mapping[str, str]
    rules: Sequence[Rule]
    actions: Sequence[Mapping[str, int]]
    gotos: Sequence[Mapping[str, int]]
    start_states: Mapping[str, int]
    end_states: Mapping[str, int]


@cache
def load_tables() -> Tables:
    """The tables for the grammar as it is now."""
    grammar = GRAMMAR_PATH.read_text(encoding="utf-8")
    try:
        tables = _decode(json.loads(TABLES_PATH.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return build_tables(grammar)
    return tables if tables.fingerprint == _fingerprint(grammar) else build_tables(grammar)


def write_tables() -> None:
    """Builds the tables and ships them beside the grammar."""
    tables = build_tables(GRAMMAR_PATH.read_text(encoding="utf-8"))
    TABLES_PATH.write_text(encode(tables), encoding="utf-8")


def build_tables(grammar: str) -> Tables:
    """Lets Lark compute the tables. States are renumbered so that the result is always the same."""
    from lark import Lark, lexer
    from lark import grammar as lark_grammar

    lark = Lark(grammar, parser="lalr", lexer="basic", start=list(STARTS), maybe_placeholders=True)
    data, memo = cast(Any, lark).memo_serialize([lexer.TerminalDef, lark_grammar.Rule])
    terminals = [entry for entry in memo.values() if entry["__type__"] == "TerminalDef"]
    table = data["parser"]["parser"]
    lark_rules = [memo[reference["@"]] for reference in data["rules"]]
    numbers = {_rule_key(rule): number for number, rule in enumerate(lark_rules)}
    order = _breadth_first(table)
    renumbered = {state: number for number, state in enumerate(order)}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    nonterminals = {rule["origin"]["name"] for rule in lark_rules}
    for state in order:
        row: dict[str, int] = {}
        for token, (is_reduction, argument) in table["states"][state].items():
            name = table["tokens"][token]
            if is_reduction:
                row[name] = ~numbers[_rule_key(memo[argument["@"]])]
            else:
                row[name] = renumbered[argument]
        actions.append({name: row[name] for name in sorted(row) if name not in nonterminals})
        gotos.append({name: row[name] for name in sorted(row) if name in nonterminals})
    return Tables(
        fingerprint=_fingerprint(grammar),
        literals=_patterns(terminals, "PatternStr"),
        patterns=_patterns(terminals, "PatternRE"),
        rules=[_rule(rule) for rule in lark_rules],
        actions=actions,
        gotos=gotos,
        start_states={name: renumbered[table["start_states"][name]] for name in STARTS},
        end_states={name: renumbered[table["end_states"][name]] for name in STARTS},
    )


def encode(tables: Tables) -> str:
    """The tables as JSON; equal rows are written once."""
    rows: dict[str, int] = {}

    def row(content: Mapping[str, int]) -> int:
        return rows.setdefault(json.dumps(content, separators=(",", ":")), len(rows))

    content = {
        "format": _FORMAT,
        "fingerprint": tables.fingerprint,
        "literals": tables.literals,
        "patterns": tables.patterns,
        "rules": [[rule.origin, rule.length, rule.method, rule.picks] for rule in tables.rules],
        "actions": [row(actions) for actions in tables.actions],
        "gotos": [row(gotos) for gotos in tables.gotos],
        "start_states": tables.start_states,
        "end_states": tables.end_states,
    }
    fields = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in content.items()]
    fields.append('"rows": [\n' + ",\n".join(rows) + "\n]")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _decode(content: dict[str, Any]) -> Tables:
    if content["format"] != _FORMAT:
        raise ValueError("tables of another format")
    rows = content["rows"]
    return Tables(
        fingerprint=content["fingerprint"],
        literals=content["literals"],
        patterns=content["patterns"],
        rules=[
            Rule(origin, length, method, tuple(picks))
            for origin, length, method, picks in content["rules"]
        ],
        actions=[rows[number] for number in content["actions"]],
        gotos=[rows[number] for number in content["gotos"]],
        start_states=content["start_states"],
        end_states=content["end_states"],
    )


def _fingerprint(grammar: str) -> int:
    return zlib.crc32(grammar.encode())


def _patterns(terminals: Sequence[Any], pattern_type: str) -> dict[str, str]:
    """Regular expressions by terminal, or terminals by literal text."""
    chosen = [entry for entry in terminals if entry["pattern"]["__type__"] == pattern_type]
    pairs = sorted((entry["name"], entry["pattern"]["value"]) for entry in chosen)
    return {value: name for name, value in pairs} if pattern_type == "PatternStr" else dict(pairs)


def _rule_key(rule: Any) -> tuple[str, int]:
    return rule["origin"]["name"], rule["order"]


def _rule(rule: Any) -> Rule:
    options, expansion = rule["options"], rule["expansion"]
    picks = _picks(expansion, options["keep_all_tokens"], options["empty_indices"])
    passes = options["expand1"] and rule["alias"] is None and len(picks) == 1
    method = None if passes else rule["alias"] or rule["origin"]["name"]
    return Rule(rule["origin"]["name"], len(expansion), method, picks)


def _picks(
    expansion: Sequence[Any], keep_all: bool, empty_indices: Sequence[bool]
) -> tuple[int, ...]:
    """Which symbols a method gets: Lark marks each absent ``[optional]`` one with a ``True``."""
    present = iter(enumerate(expansion))
    picks: list[int] = []
    for is_absent in empty_indices or [False] * len(expansion):
        if is_absent:
            picks.append(-1)
            continue
        position, symbol = next(present)
        if keep_all or not symbol.get("filter_out", False):
            picks.append(position)
    return tuple(picks)


def _breadth_first(table: Any) -> list[int]:
    """The states in an order that does not depend on how Lark numbered them."""
    order = [table["start_states"][name] for name in STARTS]
    seen = set(order)
    for state in order:
        row = table["states"][state]
        shifts = {
            table["tokens"][token]: target for token, (reduce, target) in row.items() if not reduce
        }
        for name in sorted(shifts):
            if shifts[name] not in seen:
                seen.add(shifts[name])
                order.append(shifts[name])
    return order


if __name__ == "__main__":
    write_tables()
