"""``isinstance``: decided at compile time where the types allow it, a node otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tsc.compiler.emit.calls.call_arguments import check_argument_count
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.emit.statements.refinement import Condition, Refinement, RefinementSet
from tsc.compiler.frontend.tree_views import Apply, Expr, TupleLiteral, Var
from tsc.compiler.ir import prim
from tsc.compiler.types import ANY, BOOL, Type, unify_all, union, union_members


@dataclass(slots=True)
class _Split:
    """The alternatives of a subject's type: which may be instances, which cannot."""

    instances: list[Type] = field(default_factory=list[Type])
    others: list[Type] = field(default_factory=list[Type])
    is_always_instance: bool = True


def emit_isinstance(emitter: Emitter, tree: Apply) -> Condition:
    """``isinstance(x, T)`` or ``isinstance(x, (T, U))``."""
    check_argument_count(tree, 2)
    subject = tree.inputs[0]
    value = emitter.emit_expression(subject)
    tested = _alternatives(_named_types(emitter, tree.inputs[1]))
    split = _split(_alternatives([value.type]), tested)
    refinements = _refinements(subject, split)
    if split.is_always_instance or not split.instances:
        result = bool(split.instances)
        constant = emitter.graph.insert_constant(result, range=subject.range)
        return Condition(constant, refinements, result)
    node = emitter.insert(prim.isinstance, [value]).set_attribute("types", tested)
    return Condition(node.output.set_type(BOOL), refinements)


def _named_types(emitter: Emitter, tree: Expr) -> list[Type]:
    if isinstance(tree, TupleLiteral):
        return [type for element in tree.inputs for type in _named_types(emitter, element)]
    return [emitter.types.parse_type(tree)]


def _alternatives(types: Iterable[Type]) -> tuple[Type, ...]:
    """The types as the members of a Union: flat, none part of another, in the order of kinds."""
    members = union_members(union(types))
    return tuple(sorted(members, key=lambda type: (type.kind, type.schema_text)))


def _split(actual: Sequence[Type], tested: Sequence[Type]) -> _Split:
    split = _Split()
    for type in actual:
        if type == ANY:
            split.instances.extend(tested)
            split.others.append(ANY)
            split.is_always_instance = split.instances == [ANY]
            break
        narrower = [found for test in tested if (found := _narrower(type, test)) is not None]
        if narrower:
            split.instances.append(narrower[-1])
        else:
            split.others.append(type)
            split.is_always_instance = False
    return split


def _narrower(a: Type, b: Type) -> Type | None:
    if a.is_subtype_of(b):
        return a
    return b if b.is_subtype_of(a) else None


def _refinements(subject: Expr, split: _Split) -> RefinementSet:
    if not isinstance(subject, Var):
        return RefinementSet()

    name = subject.name.name
    return RefinementSet(_refined(name, split.instances), _refined(name, split.others))


def _refined(name: str, types: list[Type]) -> tuple[Refinement, ...]:
    if not types:
        return ()
    unified = unify_all(types, default_to_union=True)
    assert isinstance(unified, Type)
    return (Refinement(name, unified),)
