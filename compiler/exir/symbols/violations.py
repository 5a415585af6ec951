"""Where a program is for fewer sizes than the user said: which dimension, what decided, and a way out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tsc.compiler.exir.guards import solved_source
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
    names = {spec.name for _, spec in declared if isinstance(spec, Dim)}
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
        elif isinstance(spec, DerivedDim) and spec.root.name not in names:
            names.add(spec.root.name)
            yield from _narrowed(environment, size, spec.root, source + decided)


def _source(environment: ShapeEnvironment, size: SymInt) -> str:
    return environment.backed_symbols[size.symbol].source


def _narrowed(environment: ShapeEnvironment, size: SymInt, root: Dim, where: str) -> Iterator[str]:
    """A range that guards made smaller, with the one that works; of `size`, which is the root or follows from it."""
    symbols = size.expression.free_symbols
    found = environment.range_of(*symbols if len(symbols) == 1 else [size.expression])
    least = found.lower if found.lower is not None and found.lower > 2 else root.min
    if least > root.min or found.upper != root.max:
        most = "" if found.upper is None else f", max={found.upper}"
        yield (
            f"not all sizes of {root.name} work: {where} has to be in {environment.range_of(size.expression)}; "
            f"declare {root.name} = Dim({root.name!r}, min={least}{most})"
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
            root = roots.setdefault(spec.name, size)
            _check_equal(environment, size, root, spec)
            environment.assume(size == root)
    for size, spec in declared:
        if isinstance(spec, DerivedDim):
            if spec.root.name not in roots:
                roots[spec.root.name] = _root(environment, size, spec)
            value = roots[spec.root.name] * spec.factor + spec.offset
            _check_equal(environment, size, value, spec)
            environment.knowledge.define(size.symbol, value.expression)


def _root(environment: ShapeEnvironment, size: SymInt, spec: DerivedDim) -> SymInt:
    """A symbol for what sizes follow from and none is, out of the first of them."""
    root, rest = spec.root, size.hint - spec.offset
    if rest % spec.factor:
        raise ConstraintViolationError(
            f"{_source(environment, size)} is {size.hint}, which is no {spec} for any {root}"
        )
    source = solved_source(_source(environment, size), spec.factor, spec.offset)
    hint = rest // spec.factor
    return environment.backed(hint, source, root.min, root.max, named_after=root.name)


def _check_equal(environment: ShapeEnvironment, size: SymInt, other: Any, spec: Any) -> None:
    if size.hint != other.hint:
        raise ConstraintViolationError(
            f"{_source(environment, size)} is {size.hint}, and {spec} is {other.hint} for these arguments"
        )
