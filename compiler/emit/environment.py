"""What names stand for while a function is emitted: one environment a block, chained outwards.

First-class values live in the graph: setting a variable emits a ``prim::Store``, reading it a
``prim::Load``, and the environment keeps its type alone. Whatever else a name may stand for (a
module, a function, a range) is kept in the environment; an inner block cannot set it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice

from tsc.compiler.emit.calls.call_hints import conversion_hint
from tsc.compiler.emit.calls.changed_types import changed_type_hint
from tsc.compiler.emit.calls.conversions import try_convert_to_type
from tsc.compiler.emit.calls.missing_annotations import missing_annotation, type_error
from tsc.compiler.emit.emission_state import UnusableVariable
from tsc.compiler.emit.names.similar_names import NameIndex
from tsc.compiler.emit.protocols import Emitter, Environment, SugaredValue
from tsc.compiler.emit.sugared_values import SimpleValue
from tsc.compiler.emit.sugared_values.poisoned import POISONED, PoisonedValue
from tsc.compiler.ir import Block, Scope, Value, prim
from tsc.compiler.source import CompileError, FollowUp, SourceRange, codes, extensions
from tsc.compiler.types import ListType, Type, without_shapes

_MOST_SUGGESTED = 500  # variables of a function among which a misspelt one is looked for

_OTHER_SPELLINGS = {
    "true": "True",
    "false": "False",
    **dict.fromkeys(("null", "nil", "none", "nullptr"), "None"),
}
"""What other languages call the constants of Python."""


class BlockEnvironment:
    """The names set in one block; other names are looked up in the environments around it."""

    __slots__ = (
        "_declared",
        "_emitter",
        "_names",
        "_unusable",
        "block",
        "is_comprehension",
        "parent",
    )

    def __init__(
        self,
        emitter: Emitter,
        block: Block,
        parent: BlockEnvironment | None = None,
        *,
        is_comprehension: bool = False,
    ) -> None:
        self._emitter = emitter
        self.block = block
        self.parent = parent
        self.is_comprehension = is_comprehension
        self._names: Scope[Type | SugaredValue] = Scope(None if parent is None else parent._names)
        self._unusable: dict[str, UnusableVariable] = {}
        self._declared: dict[str, Type] = {}

    def end(self) -> None:
        """The block is emitted: what it set can still be asked for, but no more is set."""
        self._names.end()

    # -- Reading -----------------------------------------------------------------------------

    def find(self, name: str) -> SugaredValue | None:
        """What ``name`` stands for here; a first-class value is loaded."""
        meaning = self._names.find(name)
        return SimpleValue(self._load(name, meaning)) if isinstance(meaning, Type) else meaning

    def get(self, name: str, range: SourceRange) -> SugaredValue:
        """What ``name`` stands for here or outside of the function, or an error."""
        found = self.find(name) or self._emitter.resolver.resolve_value(name, self._emitter, range)
        if isinstance(found, PoisonedValue):
            raise FollowUp
        if found is not None:
            return found
        unusable = self._find_unusable(name)
        if unusable is not None:
            raise unusable.error(range)
        raise CompileError(
            f"undefined value {name}",
            range,
            code=codes.UNDEFINED_NAME,
            hint=self._similar_name(name),
        )

    def get_value(self, name: str, range: SourceRange) -> Value:
        return self.get(name, range).as_value(range, self._emitter)

    def find_type(self, name: str) -> Type | None:
        """The type of the variable ``name``; None if it is not first-class or not set."""
        meaning = self._names.find(name)
        return meaning if isinstance(meaning, Type) else None

    def is_set(self, name: str) -> bool:
        return self._names.find(name) is not None

    def is_poisoned(self, name: str) -> bool:
        """Whether ``name`` is set by a statement that has been refused."""
        return isinstance(self._names.find(name), PoisonedValue)

    @property
    def poisoned(self) -> tuple[str, ...]:
        """The names poisoned in this block."""
        names = self._names
        return tuple(
            name for name in names.names() if isinstance(names.find_here(name), PoisonedValue)
        )

    def is_hidden(self, name: str, home: Environment) -> bool:
        """Whether a comprehension within ``home`` has a variable of that name."""
        is_set = False
        for environment in self._outwards():
            if environment is home:
                return False
            is_set = is_set or environment._names.find_here(name) is not None
            if is_set and environment.is_comprehension:
                return True
        return False

    @property
    def variables(self) -> tuple[str, ...]:
        """The first-class variables set in this block, in order."""
        names = self._names
        return tuple(name for name in names.names() if isinstance(names.find_here(name), Type))

    def _outwards(self) -> Iterator[BlockEnvironment]:
        environment: BlockEnvironment | None = self
        while environment is not None:
            yield environment
            environment = environment.parent

    def _load(self, name: str, type: Type) -> Value:
        graph = self._emitter.graph
        node = graph.insert_node(graph.create(prim.Load)).set_attribute("name", name)
        output = node.output.set_type(type)
        return output.set_debug_name(name) if is_meaningful(name) else output

    def _find_unusable(self, name: str) -> UnusableVariable | None:
        for environment in self._outwards():
            if name in environment._unusable:
                return environment._unusable[name]
        return None

    def _similar_name(self, name: str) -> str | None:
        if name in _OTHER_SPELLINGS:
            return f"did you mean '{_OTHER_SPELLINGS[name]}'?"
        local = islice(self._names.all_names(), _MOST_SUGGESTED)
        known = NameIndex(other for other in local if not other.startswith("$")).near(name)
        known += self._emitter.resolver.names_near(name)
        similar = get_close_matches(name, known, n=1)
        if not similar and f"aten::{name}" in self._emitter.operators:
            similar = [f"torch.{name}"]
        return f"did you mean '{similar[0]}'?" if similar else None

    # -- Setting -----------------------------------------------------------------------------

    def set_value(self, name: str, value: Value, range: SourceRange) -> None:
        self.set(name, SimpleValue(value), range)

    def set(
        self,
        name: str,
        sugared: SugaredValue,
        range: SourceRange,
        annotation: Type | None = None,
    ) -> None:
        """Emit ``name = sugared``, checked against an annotation and against outer blocks."""
        if not isinstance(sugared, SimpleValue):
            self._check_not_reassigned(name, sugared, range, annotation)
            self._names.set(name, sugared)
            return
        value = sugared.value
        if annotation is not None:
            self._declared[name] = annotation
        self._name_value(name, value)
        if self.parent is not None:
            value = self._fit_outer_variable(name, value, range, annotation)
        _check_annotation(name, value, range, annotation, self._emitter)
        self.store(name, value, range)
        self._names.set(name, annotation or value.type)

    def refine(self, name: str, narrowed: Value, range: SourceRange) -> None:
        """Emit ``name = narrowed``, which is what ``name`` is already."""
        self._remember_type(name)
        self.set_value(name, narrowed, range)

    def set_type(self, name: str, type: Type) -> None:
        """Declare a variable that control flow is going to set."""
        self._remember_type(name)
        self._names.set(name, type)

    def _remember_type(self, name: str) -> None:
        """A variable of this block may get a narrower type."""
        type = self._names.find_here(name)
        if isinstance(type, Type):
            self._declared.setdefault(name, type)

    def poison(self, name: str) -> None:
        """Let nobody complain about ``name``: the statement that sets it has been refused."""
        self._names.set(name, POISONED)

    def set_unusable(self, name: str, reason: UnusableVariable) -> None:
        self._unusable[name] = reason

    def remove(self, name: str, range: SourceRange) -> None:
        """``del name``"""
        if not self.is_set(name):
            raise CompileError(
                f"undefined value {name}",
                range,
                code=codes.UNDEFINED_NAME,
                hint=self._similar_name(name),
            )
        self._names.remove(name)

    def store(self, name: str, value: Value, range: SourceRange | None = None) -> None:
        """Emit a Store that nothing needs to be checked of."""
        graph = self._emitter.graph
        node = graph.create(prim.Store, [value], 0, range).set_attribute("name", name)
        graph.insert_node(node)

    def _name_value(self, name: str, value: Value) -> None:
        here = value.node.block is self.block
        if here and not value.has_debug_name and is_meaningful(name):
            value.set_debug_name(name)

    # -- What may be set again from an inner block -------------------------------------------

    def _check_not_reassigned(
        self, name: str, sugared: SugaredValue, range: SourceRange, annotation: Type | None
    ) -> None:
        if self.parent is None or not self.parent.is_set(name) or self.parent.is_poisoned(name):
            return
        _refuse_annotation(name, range, annotation)
        raise CompileError(
            f"Cannot re-assign '{name}' to a value of type {sugared.kind} because {name} is not a "
            "first-class value, as tensors, numbers, containers and objects are",
            range,
            code=codes.REASSIGNED_NAME,
            hint="use another name inside of the block",
        )

    def _fit_outer_variable(
        self, name: str, value: Value, range: SourceRange, annotation: Type | None
    ) -> Value:
        """``value``, converted to the type the variable has outside of this block."""
        assert self.parent is not None
        outer = self.parent.find(name)
        if outer is None or isinstance(outer, PoisonedValue):
            return value
        _refuse_annotation(name, range, annotation)
        if not isinstance(outer, SimpleValue):
            raise CompileError(
                f"Cannot re-assign '{name}' because it has type {outer.kind} and {name} is not a "
                "first-class value, as tensors, numbers, containers and objects are",
                range,
                code=codes.REASSIGNED_NAME,
                hint="use another name inside of the block",
            )
        type = without_shapes(outer.value.type)
        fitted = try_convert_to_type(range, self._emitter, type, value, allow_conversions=True)
        if fitted.type.is_subtype_of(type):
            return fitted
        block = self.parent._first_block(name)
        error = _type_changed(name, outer.value, fitted.type, range, block)
        declared = self.parent._declared_type(name) if self._is_branch else None
        if declared is None or not fitted.type.is_subtype_of(declared):
            raise error
        self._emitter.acceptance.use(extensions.REFINED_ASSIGNMENTS, range, error.message)
        return fitted

    def _first_block(self, name: str) -> Block | None:
        """The outermost block in which a variable is set."""
        homes = [each.block for each in self._outwards() if each._names.find_here(name) is not None]
        return homes[-1] if homes else None

    def _declared_type(self, name: str) -> Type | None:
        """The type that a variable may have after an ``if`` in this block: what it is declared to
        be, or is outside of the block in which it was set last. None if a loop lies in between.
        """
        for environment in self._outwards():
            if name in environment._declared:
                return environment._declared[name]
            if environment._names.find_here(name) is not None:
                outer = environment.parent
                return None if outer is None else outer._outer_type(name)
            if not environment._is_branch:
                return None
        return None

    def _outer_type(self, name: str) -> Type | None:
        declared = (each._declared[name] for each in self._outwards() if name in each._declared)
        return next(declared, None) or self.find_type(name)

    @property
    def _is_branch(self) -> bool:
        """Whether this is the environment of a branch of an ``if``."""
        node = self.block.owning_node
        return node is not None and node.kind == prim.If


def is_meaningful(name: str) -> bool:
    """Whether a person chose the name: not ``$temporary``, not ``_12``."""
    if not name or name.startswith("$"):
        return False
    return not name.startswith("_") or not (name[1:] == "" or name[1:].isdigit())


def _refuse_annotation(name: str, range: SourceRange, annotation: Type | None) -> None:
    if annotation is not None:
        raise CompileError(
            f"the type of variable '{name}' is annotated here, but it is already defined in an outer "
            "block",
            range,
            code=codes.REPEATED_ANNOTATION,
            hint="annotate the first assignment only",
        )


def _check_annotation(
    name: str, value: Value, range: SourceRange, annotation: Type | None, emitter: Emitter
) -> None:
    if annotation is not None and not value.type.is_subtype_of(annotation):
        raise type_error(
            f"Variable '{name}' is annotated with type {annotation.message_text} but is being "
            f"assigned to a value of type {value.type.message_text}",
            range,
            emitter,
            missing_annotation(value, annotation),
            code=codes.ANNOTATION_MISMATCH,
            hint=conversion_hint("...", value.type, annotation),
        )


def _type_changed(
    name: str, value: Value, now: Type, range: SourceRange, block: Block | None
) -> CompileError:
    before = value.type
    notes: list[str] = []
    if isinstance(before, ListType) and isinstance(now, ListType):
        notes.append(
            "Empty lists default to List[Tensor]: annotate the variable to start a list of another "
            "type, as in `x: List[int] = []`"
        )
    reason = now.why_not_subtype_of(before)
    if reason:
        notes.append(reason)
    return CompileError(
        f"Variable '{name}' previously had type {before.message_text} but is now being assigned "
        f"a value of type {now.message_text}",
        range,
        code=codes.CHANGED_TYPE,
        notes=notes,
        hint=changed_type_hint(name, value, now, block),
    )
