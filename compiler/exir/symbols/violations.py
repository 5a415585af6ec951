"""Where a program is for fewer sizes than the user said: which dimension, what decided, and a way out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tsc.compiler.exir.exported_program import RangeConstraint
from tsc.compiler.exir.symbols.dims import DerivedDim, Dim, DimHint, DimSpec
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.sym_values import SymInt
from tsc.compiler.exir.symbols.symbol_records import Guard
from tsc.compiler.source import Error


class ConstraintViolationError(Error):
    """The program does not allow the sizes that `dynamic_shapes` declare."""


def check_declared(
    environment: ShapeEnvironment, declared: Sequence[tuple[SymInt, DimSpec]]
) -> None:
    """Raises `ConstraintViolationError` with everything that is not as it was declared, if something is not."""
    found = list(_violations(environment, declared))
    if found:
        raise ConstraintViolationError(
            "Constraints violated:\n" + "\n".join(f"  - {each}" for each in found)
        )


def _violations(
    environment: ShapeEnvironment, declared: Sequence[tuple[SymInt, DimSpec]]
) -> Iterator[str]:
    roots: dict[str, SymInt] = {}
    for size, spec in declared:
        if spec is DimHint.AUTO:
            continue
        source = _source(environment, size)
        decided = _decided(environment, size)
        if size.constant is not None:
            yield (
                f"{source} was declared {spec}, and the program is for {size.hint} only{decided}; "
                "make it Dim.STATIC or Dim.AUTO"
            )
        elif isinstance(spec, Dim):
            yield from _narrowed(environment, size, spec, source + decided)
            yield from _unequal(environment, roots, size, spec, source + decided)


def _source(environment: ShapeEnvironment, size: SymInt) -> str:
    return environment.backed_symbols[size.symbol].source


def _narrowed(environment: ShapeEnvironment, size: SymInt, spec: Dim, where: str) -> Iterator[str]:
    """A range that guards made smaller, with the one that works."""
    found = environment.range_of(size.expression)
    wanted = RangeConstraint(spec.min, spec.max)
    least = found.lower if found.lower is not None and found.lower > 2 else spec.min
    if least > spec.min or found.upper != wanted.upper:
        most = "" if found.upper is None else f", max={found.upper}"
        yield (
            f"not all sizes of {spec.name} work: {where} has to be in {found}; "
            f"declare {spec.name} = Dim({spec.name!r}, min={least}{most})"
        )


def _unequal(
    environment: ShapeEnvironment, roots: dict[str, SymInt], size: SymInt, spec: Dim, where: str
) -> Iterator[str]:
    """Two names for what the program needs to be one size."""
    for name, other in roots.items():
        if name != spec.name and other.expression == size.expression:
            yield (
                f"{where} has to be equal to {_source(environment, other)}; "
                f"declare both by one name: {spec.name} = {name}"
            )
            return
    roots.setdefault(spec.name, size)


def _decided(environment: ShapeEnvironment, size: SymInt) -> str:
    """The condition on this size that was followed last, and its place."""
    for guard in reversed(environment.guards):
        if size.symbol in guard.condition.free_symbols:
            return f" (for {guard.condition}{_place(guard)})"
    return ""


def _place(guard: Guard) -> Any:
    operator = "" if guard.operator is None else f", which {guard.operator} fixes"
    return operator + ("" if guard.place is None else f", at {guard.place}")


def unify_declared(
    environment: ShapeEnvironment, declared: Sequence[tuple[SymInt, DimSpec]]
) -> None:
    """Sizes of one name are equal, and derived ones follow from their roots, before the program runs.

    Raises `ConstraintViolationError` for example arguments that are not so.
    """
    roots: dict[str, SymInt] = {}
    for size, spec in declared:
        if isinstance(spec, Dim):
            _equate(environment, size, roots.setdefault(spec.name, size), spec)
    for size, spec in declared:
        if isinstance(spec, DerivedDim) and spec.root.name in roots:
            _equate(environment, size, roots[spec.root.name] * spec.factor + spec.offset, spec)


def _equate(environment: ShapeEnvironment, size: SymInt, other: Any, spec: Any) -> None:
    if size is other:
        return
    if size.hint != other.hint:
        raise ConstraintViolationError(
            f"{_source(environment, size)} is {size.hint}, and {spec} is {other.hint} for these arguments"
        )
    environment.assume(size == other)
