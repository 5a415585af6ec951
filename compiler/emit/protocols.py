"""What the emitter, environments, resolvers and sugared values need to know of each other.

An ``Emitter`` makes the graph of one function; an ``Environment`` knows the names of one block of it;
what they do not know is asked of a ``Resolver``, the outside of the function. All of them deal in
sugared values. The files of emission depend on these four, and so not on each other: ``ir_emitter``,
``environment`` and the rooms beside them say how each is done.

A ``SugaredValue`` stands for whatever a name or an expression denotes during emission, first-class
or not: a module namespace, a builtin function, a range, a plain ``Value``. It is *desugared* by how
it is used; every use a kind of value does not support is refused here, naming the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from tsc.compiler.emit.acceptance import Acceptance
from tsc.compiler.emit.emission_state import DefinitionContext, LoopStatus, UnusableVariable
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.tree_views import Attribute, Def, Expr, Stmt
from tsc.compiler.ir import Block, Function, Graph, Node, Value
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import Code, CompileError, Problems, SourceRange, codes
from tsc.compiler.types import Type
from tsc.compiler.value_classes import value_class


@value_class
class NamedValue:
    """An argument of a call: its value, where it stands, and its keyword when it has one."""

    value: Value
    range: SourceRange
    name: str | None = None


@value_class
class GivenArgument:
    """An argument of a call that need not be first-class: it may be a function."""

    sugared: SugaredValue
    range: SourceRange
    name: str | None = None


class Resolver(Protocol):
    """The outside of a definition: Python's builtins, and the module around it."""

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        """What a name that is no local variable means, or None if it is unknown."""
        ...

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        """The type that a name, dotted or not, means in an annotation, or None."""
        ...

    def qualified_name(self, name: str) -> str:
        """Where a name comes from: ``T.List`` is ``typing.List`` after ``import typing as T``."""
        ...

    def derive(self, name: str, definition: Def, resolver: Resolver) -> Function:
        """A new function, called ``name`` or nearly so; its definition uses another resolver."""
        ...

    def discard(self, function: Function) -> None:
        """A derived function is not needed after all."""
        ...

    def sugared_self(self, value: Value) -> SugaredValue | None:
        """What the first parameter of a definition means, if it is more than its type says."""
        ...

    def declared_attribute(self, name: str) -> Type | None:
        """The type that the class of a method annotates an attribute with, in its body."""
        ...

    def sets_again(self, attribute: str) -> bool:
        """Whether the text sets an attribute of that name in more than one place."""
        ...

    def names_near(self, name: str) -> Iterable[str]:
        """Names that ``resolve_value`` knows and that are spelled like ``name``: for suggestions."""
        ...


class Environment(Protocol):
    """The names set in one block and in those around it, as statements and values see them."""

    @property
    def block(self) -> Block:
        """The block that these names are set in."""
        ...

    @property
    def variables(self) -> tuple[str, ...]:
        """The first-class variables set in this block, in order."""
        ...

    @property
    def poisoned(self) -> tuple[str, ...]:
        """The names poisoned in this block."""
        ...

    def find(self, name: str) -> SugaredValue | None:
        """What ``name`` stands for here; a first-class value is loaded."""
        ...

    def get(self, name: str, range: SourceRange) -> SugaredValue:
        """What ``name`` stands for here or outside of the function, or an error."""
        ...

    def get_value(self, name: str, range: SourceRange) -> Value:
        """The first-class value of ``name``, or an error."""
        ...

    def find_type(self, name: str) -> Type | None:
        """The type of the variable ``name``; None if it is not first-class or not set."""
        ...

    def is_set(self, name: str) -> bool:
        """Whether ``name`` is set here or in a block around this one."""
        ...

    def is_poisoned(self, name: str) -> bool:
        """Whether ``name`` is set by a statement that has been refused."""
        ...

    def is_hidden(self, name: str, home: Environment) -> bool:
        """Whether a comprehension within ``home`` has a variable of that name."""
        ...

    def set(
        self, name: str, sugared: SugaredValue, range: SourceRange, annotation: Type | None = None
    ) -> None:
        """Emit ``name = sugared``, checked against an annotation and against outer blocks."""
        ...

    def set_value(self, name: str, value: Value, range: SourceRange) -> None:
        """Emit ``name = value``."""
        ...

    def refine(self, name: str, narrowed: Value, range: SourceRange) -> None:
        """Emit ``name = narrowed``, which is what ``name`` is already."""
        ...

    def set_type(self, name: str, type: Type) -> None:
        """Declare a variable that control flow is going to set."""
        ...

    def store(self, name: str, value: Value, range: SourceRange | None = None) -> None:
        """Emit a Store that nothing needs to be checked of."""
        ...

    def poison(self, name: str) -> None:
        """Let nobody complain about ``name``: the statement that sets it has been refused."""
        ...

    def set_unusable(self, name: str, reason: UnusableVariable) -> None:
        """Remember why ``name`` is not there after the block that sets it."""
        ...

    def remove(self, name: str, range: SourceRange) -> None:
        """Emit ``del name``."""
        ...


Evaluate = Callable[[Node, list[object]], "list[object] | None"]
"""Runs a node on constants: its results, or None if it cannot be run."""


class Emitter(Protocol):
    """The emission of one function: what statements, expressions and sugared values ask of it."""

    graph: Graph
    """The graph being made; nodes are inserted at its insertion point."""
    operators: OperatorTable
    """All operators that programs can call."""
    resolver: Resolver
    """The outside of the definition."""
    function: Function
    """The function that gets the graph."""

    @property
    def environment(self) -> Environment:
        """The names of the block at hand."""
        ...

    acceptance: Acceptance
    """The extensions of the language that may be used, and that were."""
    types: ScriptTypeParser
    """Reads annotations."""
    evaluate: Evaluate | None
    """Runs a node on constants, where the compiler has been given a way to."""
    problems: Problems | None
    """Where errors are reported, if emission is to go on behind them."""

    # -- Where emission is -------------------------------------------------------------------

    loop_status: LoopStatus
    """Whether the statement at hand is in a loop, and of what sort."""
    loops: int
    """How many loops it is in."""

    @property
    def definitions(self) -> Sequence[DefinitionContext]:
        """The definitions being emitted, the innermost one last."""
        ...

    exit_blocks: set[Block]
    """The blocks that return or raise."""
    left_blocks: set[Block]
    """The blocks that ``break`` or ``continue`` leaves."""
    entered: set[int]
    """The lists of statements, by identity, that emission with ``problems`` came to."""
    empty_lists: list[Node]
    """The literals ``[]``, whose elements are Tensors unless their uses tell otherwise."""
    derived: list[Function]
    """The functions made of nested definitions."""
    # -- Statements and expressions ----------------------------------------------------------

    def emit_statements(self, trees: Sequence[Stmt]) -> None:
        """Emit statements one after the other; what follows a return or raise is left out."""
        ...

    def emit_sugared_expression(
        self, tree: Expr, binders: int, type_hint: Type | None = None
    ) -> SugaredValue:
        """Emit an expression for whatever it means, first-class or not."""
        ...

    def emit_expression(self, tree: Expr, type_hint: Type | None = None) -> Value:
        """Emit an expression for its value."""
        ...

    def emit_values(self, trees: Sequence[Expr]) -> list[Value]:
        """Emit expressions in order, where ``*tuple`` stands for its elements."""
        ...

    def emit_arguments(self, trees: Sequence[Expr]) -> list[NamedValue]:
        """Emit the arguments of a call that are given by position."""
        ...

    def emit_keywords(self, trees: Sequence[Attribute]) -> list[NamedValue]:
        """Emit the ``name=value`` arguments of a call."""
        ...

    def scratch(self) -> Emitter:
        """An emitter for expressions that Python evaluates, which are not part of this function's graph."""
        ...

    # -- Scopes ------------------------------------------------------------------------------

    def scope(
        self, block: Block, *, is_comprehension: bool = False
    ) -> AbstractContextManager[Environment]:
        """Emit into ``block``, in an environment of its own."""
        ...

    def local_variables(self, range: SourceRange) -> AbstractContextManager[None]:
        """Emit in place, with variables that nothing outside can see."""
        ...

    def definition(
        self, declared_return_type: Type | None
    ) -> AbstractContextManager[DefinitionContext]:
        """Emit the body of a definition."""
        ...

    def loop(self, status: LoopStatus) -> AbstractContextManager[None]:
        """Emit the body of a loop."""
        ...

    def mark_exit(self) -> None:
        """The current block returns or raises: what follows is not emitted."""
        ...

    def mark_left(self) -> None:
        """The current block is left by break or continue: what follows is dead, but checked."""
        ...

    # -- Nodes -------------------------------------------------------------------------------

    def insert(
        self,
        kind: str,
        inputs: Sequence[Value] = (),
        outputs: int = 1,
        range: SourceRange | None = None,
    ) -> Node:
        """Insert a node of ``kind`` at the graph's insertion point."""
        ...

    def insert_unchecked_cast(self, value: Value, type: Type) -> Value:
        """``value`` as something of ``type``, which the compiler knows that it is."""
        ...

    def number(self, number: complex, range: SourceRange) -> Value:
        """The constant for an int, a float or a complex number: one each, at the graph's start."""
        ...

    def temporary_name(self, prefix: str) -> str:
        """The name of a variable that no program can write."""
        ...


class SugaredValue:
    """A thing an expression denotes; each method is one way in which a program may use it."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """What to call this thing in a message: "builtin function", "value of type 'int'"."""
        raise NotImplementedError

    @property
    def is_independent(self) -> bool:
        """Whether this means the same in every function, as functions and modules do."""
        return False

    def _refusal(
        self, range: SourceRange, message: str, hint: str | None = None, *, code: Code
    ) -> CompileError:
        return CompileError(message, range, code=code, hint=hint)

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        """This thing as a first-class value."""
        raise self._refusal(range, f"{self.kind} cannot be used as a value", code=codes.NOT_A_VALUE)

    def as_tuple(
        self, range: SourceRange, emitter: Emitter, size_hint: int | None = None
    ) -> list[SugaredValue]:
        """The elements of this thing, unpacked; ``size_hint`` tells how many targets there are."""
        raise self._refusal(range, f"{self.kind} cannot be used as a tuple", code=codes.NOT_A_TUPLE)

    def as_tuple_value(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        """This thing (``nn.ModuleList``, a tuple) as a tuple of sugared values."""
        raise self._refusal(
            range, f"{self.kind} cannot be used as a tuplevalue", code=codes.NOT_A_TUPLE
        )

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The meaning of ``this.name``."""
        raise self._refusal(
            range, f"attribute lookup is not defined on {self.kind}", code=codes.UNKNOWN_ATTRIBUTE
        )

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        """Whether ``this.name`` means something; what ``hasattr`` answers."""
        raise self._refusal(
            range, f"hasattr is not supported on {self.kind}", code=codes.WRONG_SPECIAL_CALL
        )

    def set_attribute(self, range: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        """Emit ``this.name = value``."""
        raise self._refusal(
            range,
            f"attribute assignment is not defined on {self.kind}",
            code=codes.NO_ATTRIBUTE_ASSIGNMENT,
        )

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        """Emit ``this(*args, **kwargs)``; ``binders`` tells to how many targets it is bound."""
        raise self._refusal(range, f"cannot call a {self.kind}", code=codes.NOT_CALLABLE)

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        """This thing as an iterable: something with a length and items by position."""
        raise self._refusal(
            range, f"{self.kind} cannot be used as an iterable", code=codes.NOT_ITERABLE
        )

    def length(self, range: SourceRange, emitter: Emitter) -> Value:
        """Emit ``len(this)``."""
        raise self._refusal(range, f"'{self.kind}' object is not iterable", code=codes.NOT_ITERABLE)

    def get_item(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        """Emit ``this[index]``."""
        raise self._refusal(
            range, f"'{self.kind}' object is not subscriptable", code=codes.NOT_SUBSCRIPTABLE
        )

    def static_length(self) -> int | None:
        """The length when the compiler knows it: then a loop over this thing can be unrolled."""
        return None

    def should_emit_unrolled(self) -> bool:
        """Whether a loop over this thing must be unrolled."""
        return self.static_length() is not None
