"""Verifiers: the rules that every program follows, and those of its dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.verification.operator_rules import (
    breaks_backend,
    breaks_core,
    breaks_edge,
    is_unknown,
    writes,
)
from tsc.compiler.exir.verification.signature_rules import signature_violations
from tsc.compiler.exir.verification.structure import structure_violations
from tsc.compiler.exir.verification.violation import Violation
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import Error, UsageError


class Dialect(Enum):
    """What a program may call; each one allows less than the one before, but `BACKEND`, which adds lowered modules."""

    TRAINING = "training"
    """As captured: operators may write."""
    ATEN = "aten"
    """No operator writes."""
    CORE = "core"
    """Nothing but the operators of core ATen."""
    EDGE = "edge"
    """Numbers are tensors, dtypes meet nowhere, nothing looks into anything else, and memory has an order of dims."""
    BACKEND = "backend"
    """Of any dialect, with calls of lowered modules."""


class VerificationError(Error):
    """A program that is not of a dialect: `violations` are the nodes that break rules."""

    __module__ = "tsc"

    def __init__(self, dialect: Dialect, violations: list[Violation]) -> None:
        more = f"\n  … and {len(violations) - _SHOWN} more" if len(violations) > _SHOWN else ""
        lines = "".join(f"\n  {each}" for each in violations[:_SHOWN])
        super().__init__(f"the program is not of the dialect {dialect.value}:{lines}{more}")
        self.violations = violations


_SHOWN: Final = 10
Rule = Callable[[Node, OperatorTable], str | None]
_RULES: Final[dict[Dialect, tuple[Rule, ...]]] = {
    Dialect.TRAINING: (is_unknown,),
    Dialect.ATEN: (is_unknown, writes),
    Dialect.CORE: (is_unknown, writes, breaks_core),
    Dialect.EDGE: (is_unknown, writes, breaks_edge),
    Dialect.BACKEND: (is_unknown, breaks_backend),
}


def dialect_named(name: str) -> Dialect:
    """By the name that programs and users give it. Raises `UsageError` for one that there is not."""
    try:
        return Dialect(name.lower())
    except ValueError:
        there = ", ".join(each.value for each in Dialect)
        raise UsageError(f"there is no dialect {name}; there are: {there}") from None


def violations(
    program: ExportedProgram, dialect: Dialect, operators: OperatorTable
) -> list[Violation]:
    """All nodes that break a rule of the dialect, with the rule."""
    found = list(structure_violations(program.graph_module))
    if not found:
        found += signature_violations(program)
        found += _operator_violations(program.graph_module, _RULES[dialect], operators, "")
    return found


def _operator_violations(
    module: GraphModule, rules: tuple[Rule, ...], operators: OperatorTable, path: str
) -> Iterator[Violation]:
    for node in module.graph.find_nodes(Op.CALL_FUNCTION):
        broken = next((told for rule in rules if (told := rule(node, operators))), None)
        if broken is not None:
            yield Violation(f"{path}{node.name}", broken)
    for name, each in module.modules.items():
        yield from _operator_violations(each, rules, operators, f"{path}{name}.")
