"""``if``, ``while`` and ``for``, with ``break`` and ``continue``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from tsc.compiler.emit.emission_state import LoopStatus, UnusableVariable, check_loops
from tsc.compiler.emit.protocols import Emitter, Environment, SugaredValue
from tsc.compiler.emit.statements.assignments import assign_to_targets, check_targets
from tsc.compiler.emit.statements.conditions import emit_condition, insert_refinements
from tsc.compiler.emit.statements.loop_status import has_break, outside_of_loop
from tsc.compiler.emit.statements.refinement import NOTHING_KNOWN, Condition, RefinementSet
from tsc.compiler.emit.sugared_values import SimpleValue
from tsc.compiler.frontend.tree_views import (
    Break,
    Continue,
    Expr,
    For,
    If,
    ListLiteral,
    Starred,
    Stmt,
    TupleLiteral,
    While,
)
from tsc.compiler.ir import MAX_TRIP_COUNT, Block, Value, prim
from tsc.compiler.source import Code, CompileError, SourceRange, codes, extensions
from tsc.compiler.types import FLOAT, INT, Type, unify_types

EmitBody = Callable[[], None]
_UNSET = codes.POSSIBLY_UNDEFINED_NAME
_ONE_TYPE = "set it on every path, with values of one type"


# -- if --------------------------------------------------------------------------------------


def emit_if(emitter: Emitter, tree: If) -> None:
    condition = emit_condition(emitter, tree.cond)
    emit_if_else(emitter, tree.range, condition, tree.true_branch, tree.false_branch)


def emit_if_else(
    emitter: Emitter,
    range: SourceRange,
    condition: Condition,
    true_branch: Sequence[Stmt],
    false_branch: Sequence[Stmt],
) -> None:
    """Emit an If; of one whose condition is decided, only the branch that runs, in place."""
    refinements = condition.refinements
    if condition.static is not None:
        known = refinements if condition.static else refinements.negated()
        insert_refinements(emitter, known, range)
        emitter.emit_statements(true_branch if condition.static else false_branch)
        return
    node = emitter.insert(prim.If, [condition.value], 0, range)
    then_block, else_block = node.add_block(), node.add_block()
    then_names = _emit_branch(emitter, then_block, true_branch, refinements, range)
    else_names = _emit_branch(emitter, else_block, false_branch, refinements.negated(), range)
    if then_block in emitter.exit_blocks and else_block in emitter.exit_blocks:
        emitter.mark_exit()
        return
    _Merge(emitter, range, then_names, else_names).run()
    if then_block in emitter.left_blocks and else_block in emitter.left_blocks:
        emitter.mark_left()


def _emit_branch(
    emitter: Emitter,
    block: Block,
    branch: Sequence[Stmt],
    refinements: RefinementSet,
    range: SourceRange,
) -> Environment:
    with emitter.scope(block) as environment:
        insert_refinements(emitter, refinements, range)
        emitter.emit_statements(branch)
    return environment


class _Merge:
    """Declares, after an ``if``, the variables that its branches set.

    A variable survives if it has a value on each path that reaches the end. The others are
    remembered, for the message if they are used later. A branch that returns or raises does not
    count. One that a break or continue leaves does where it has the variable, as in PyTorch; that
    it may do without goes further than PyTorch.
    """

    __slots__ = ("else_names", "emitter", "range", "then_names")

    def __init__(
        self,
        emitter: Emitter,
        range: SourceRange,
        then_names: Environment,
        else_names: Environment,
    ) -> None:
        self.emitter = emitter
        self.range = range
        self.then_names = then_names
        self.else_names = else_names

    def run(self) -> None:
        survivors: dict[str, None] = {}
        for name in self.then_names.variables:
            if self._may_lack(self.else_names) or self.else_names.is_set(name):
                survivors[name] = None
            else:
                self._forget(name, f"{name} is not defined in the false branch")
        for name in self.else_names.variables:
            if self._may_lack(self.then_names) or self.then_names.is_set(name):
                survivors[name] = None
            else:
                self._forget(name, f"{name} is not defined in the true branch")
        for name in sorted(survivors):
            self._declare(name)
        for branch in (self.then_names, self.else_names):
            if branch.block not in self.emitter.exit_blocks:
                self._poison(branch.poisoned)

    def _poison(self, names: Sequence[str]) -> None:
        for name in names:
            self.emitter.environment.poison(name)

    def _may_lack(self, branch: Environment) -> bool:
        """Whether the branch does without a variable that the other sets."""
        if branch.block in self.emitter.exit_blocks:
            return True
        if branch.block not in self.emitter.left_blocks:
            return False
        return self.emitter.acceptance.allows(extensions.LEFT_BRANCHES, self.range)

    def _is_left_without(self, branch: Environment, name: str) -> bool:
        """Whether what the branch knows of a variable does not count behind the ``if``."""
        if branch.block in self.emitter.exit_blocks:
            return True
        if branch.block not in self.emitter.left_blocks:
            return False
        if self.emitter.acceptance.allows(extensions.LEFT_REFINEMENTS, self.range):
            return True
        return self._may_lack(branch) and not branch.is_set(name)

    def _declare(self, name: str) -> None:
        if self.then_names.is_poisoned(name) or self.else_names.is_poisoned(name):
            self._poison([name])
            return
        for leaving, staying in (
            (self.then_names, self.else_names),
            (self.else_names, self.then_names),
        ):
            if self._is_left_without(leaving, name) and staying.is_set(name):
                type = self._type_in(staying, name)
                self._store_placeholder(leaving, name, type)
                self._set_type(name, type)
                return
        then_type = self._type_in(self.then_names, name)
        else_type = self._type_in(self.else_names, name)
        outer = self.emitter.environment.find_type(name)
        unified = unify_types(then_type, else_type, default_to_union=outer is not None, hint=outer)
        if unified is not None:
            self._set_type(name, unified)
            return
        message = (
            f"Type mismatch: {name} is set to type {then_type.message_text} in the true branch "
            f"and type {else_type.message_text} in the false branch"
        )
        hint = f"set it to a float in both branches, as in `{name} = 1.0`"
        hint = hint if {then_type, else_type} == {INT, FLOAT} else _ONE_TYPE
        self._forget(name, message, codes.DIFFERENT_BRANCHES, hint)

    def _type_in(self, branch: Environment, name: str) -> Type:
        type = branch.find_type(name)
        if type is not None:
            return type
        with self.emitter.graph.insert_at(branch.block):
            return branch.get_value(name, self.range).type

    def _store_placeholder(self, leaving: Environment, name: str, type: Type) -> None:
        """A branch that exits leaves some value, so that the other decides on the type."""
        with self.emitter.graph.insert_at(leaving.block):
            value = self.emitter.insert(prim.Uninitialized).output.set_type(type)
            leaving.store(name, value)

    def _set_type(self, name: str, type: Type) -> None:
        self.emitter.environment.set_type(name, type)

    def _forget(self, name: str, message: str, code: Code = _UNSET, hint: str = _ONE_TYPE) -> None:
        reason = UnusableVariable(f"{message} and was used here", self.range, hint, code)
        self.emitter.environment.set_unusable(name, reason)


# -- while, for ------------------------------------------------------------------------------


def emit_while(emitter: Emitter, tree: While) -> None:
    _refuse_else(emitter, tree.or_else)
    with emitter.loop(LoopStatus.IN_LOOP):
        refinements = emit_loop(
            emitter,
            tree.range,
            emitter.number(MAX_TRIP_COUNT, tree.range),
            tree.cond,
            lambda counter: emitter.emit_statements(tree.body),
        )
    if not any(map(has_break, tree.body)):
        _refine_by_loop(emitter, refinements.negated(), tree.range)


def _refine_by_loop(emitter: Emitter, refinements: RefinementSet, range: SourceRange) -> None:
    if not refinements.if_true:
        return
    if emitter.acceptance.allows(extensions.LOOP_REFINEMENTS, range):
        insert_refinements(emitter, refinements, range)


def emit_for(emitter: Emitter, tree: For) -> None:
    _refuse_else(emitter, tree.or_else)
    if len(tree.iters) != 1:
        raise CompileError(
            "List of iterables is not supported currently",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    _check_lists_in_a_row(tree)
    emit_for_each(
        emitter, tree.range, tree.targets, tree.iter, lambda: emitter.emit_statements(tree.body)
    )


def _check_lists_in_a_row(tree: For) -> None:
    """``for a, b in [1, 2, 3], [4, 5, 6]`` goes through two lists, one after the other."""
    target = tree.targets[0]
    if not isinstance(tree.iter, TupleLiteral) or not isinstance(target, TupleLiteral):
        return
    if any(isinstance(each, Starred) for each in target.inputs):
        return
    for item in tree.iter.inputs:
        if isinstance(item, ListLiteral) and len(item.inputs) != len(target.inputs):
            raise CompileError(
                f"List of iterables is not supported currently: {len(item.inputs)} elements are "
                f"unpacked to {len(target.inputs)} names",
                item.range,
                code=codes.WRONG_UNPACKING,
                hint="zip(a, b) goes through two lists side by side",
            )


def emit_for_each(
    emitter: Emitter,
    range: SourceRange,
    targets: Sequence[Expr],
    iterated: Expr,
    emit_body: EmitBody,
) -> None:
    """Emit ``emit_body`` for each element of an iterable, assigned to ``targets``."""
    sugared = emitter.emit_sugared_expression(iterated, 1)
    emit_for_each_of(emitter, range, targets, sugared, emit_body, iterated.range)


def emit_for_each_of(
    emitter: Emitter,
    range: SourceRange,
    targets: Sequence[Expr],
    sugared: SugaredValue,
    emit_body: EmitBody,
    iterated: SourceRange | None = None,
) -> None:
    with _blaming(iterated or range, range):
        iterable = sugared.iterator(range, emitter)
    if iterable.should_emit_unrolled():
        _emit_unrolled(emitter, range, targets, iterable, emit_body)
        return

    def emit_iteration(counter: Value) -> None:
        element = iterable.get_item(range, emitter, counter).as_value(range, emitter)
        check_targets(targets, range)
        with _blaming(targets[0].range.through(targets[-1].range), range):
            target = _as_one_target(targets, range)
            assign_to_targets(emitter, target, [SimpleValue(element)], range)
        emit_body()

    trip_count = iterable.length(range, emitter)
    with emitter.loop(LoopStatus.IN_LOOP):
        emit_loop(emitter, range, trip_count, None, emit_iteration)


@contextmanager
def _blaming(part: SourceRange, whole: SourceRange) -> Generator[None]:
    """Errors about the whole of a statement are about a part of it."""
    try:
        yield
    except CompileError as error:
        if error.range != whole:
            raise
        raise error.at(part) from None


def _as_one_target(targets: Sequence[Expr], range: SourceRange) -> Sequence[Expr]:
    return targets if len(targets) == 1 else [TupleLiteral(range, targets)]


def emit_loop(
    emitter: Emitter,
    range: SourceRange,
    trip_count: Value,
    condition: Expr | None,
    emit_iteration: Callable[[Value], None],
) -> RefinementSet:
    """Emit a Loop of two blocks: the body, and the condition to enter it once more.

    Returns what the condition tells.
    """
    refinements = NOTHING_KNOWN
    check_loops(emitter.loops, range)
    node = emitter.insert(prim.Loop, outputs=0, range=range)
    body, condition_block = node.add_block(), node.add_block()
    if condition is None:
        with emitter.graph.insert_at(node):
            condition_block.register_output(emitter.graph.insert_constant(True, range=range))
    else:
        with emitter.scope(condition_block):
            emitted = emit_condition(emitter, condition)
            condition_block.register_output(emitted.value)
        refinements = emitted.refinements
    node.add_input(trip_count)
    counter = body.add_input(type=INT)
    with emitter.scope(body) as environment:
        _refine_by_loop(emitter, refinements, range)
        emit_iteration(counter)
    _forget_variables_of_loop(emitter, environment, range)
    return refinements


def _forget_variables_of_loop(emitter: Emitter, body: Environment, range: SourceRange) -> None:
    """What only the body sets is not there after the loop, for the body may never run."""
    for name in body.poisoned:
        emitter.environment.poison(name)
    for name in body.variables:
        if not emitter.environment.is_set(name):
            hint = "set it before the loop as well, for the body may never run"
            reason = UnusableVariable(f"undefined value {name}", range, hint)
            emitter.environment.set_unusable(name, reason)


def _emit_unrolled(
    emitter: Emitter,
    range: SourceRange,
    targets: Sequence[Expr],
    iterable: SugaredValue,
    emit_body: EmitBody,
) -> None:
    """Emit the body once for each element; all of them in the environment outside, as PyTorch."""
    length = iterable.static_length()
    assert length is not None
    with emitter.loop(LoopStatus.IN_UNROLLED_LOOP):
        for position in itertools.islice(itertools.count(), length):
            index = emitter.number(position, range)
            element = iterable.get_item(range, emitter, index)
            assign_to_targets(emitter, targets, [element], range)
            emit_body()


def _refuse_else(emitter: Emitter, or_else: Sequence[Stmt]) -> None:
    if or_else and emitter.problems is None:  # or else it has been reported as a refusal
        raise CompileError(
            "else branches of loops aren't supported",
            or_else[0].range,
            code=codes.NO_LOOP_ELSE,
            hint="set a flag before `break`, and test it after the loop",
        )


def emit_break(emitter: Emitter, tree: Break) -> None:
    _emit_jump(emitter, tree, prim.BreakStmt)


def emit_continue(emitter: Emitter, tree: Continue) -> None:
    _emit_jump(emitter, tree, prim.ContinueStmt)


def _emit_jump(emitter: Emitter, tree: Break | Continue, kind: str) -> None:
    if emitter.loop_status is LoopStatus.NOT_IN_LOOP:
        raise outside_of_loop(tree)
    if emitter.loop_status is LoopStatus.IN_UNROLLED_LOOP:
        raise CompileError(
            "Loops over a module list or a tuple are written out item by item, so we do not "
            "support break or continue inside them",
            tree.range,
            code=codes.NO_JUMP_FROM_UNROLLED_LOOP,
            hint="iterate over a list, or use an if statement",
        )
    emitter.insert(kind, outputs=0, range=tree.range)
    emitter.mark_left()
