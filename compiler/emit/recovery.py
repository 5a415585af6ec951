"""Emission that goes on behind errors, to find all problems of a function in one pass.

A statement that is refused is left behind: its problem is reported, the variables that it sets are
*poisoned*, so that no use of them is refused in turn, and the next statement is emitted. Of an
``if`` or a loop with a bad head, the blocks are emitted nevertheless. Behind an error in a statement,
its names are looked up. What is known of types from a condition that is refused is lost: the
variables in it that it may have narrowed are poisoned, too.

The graphs that come out are good for nothing: only the problems are wanted, and the schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from tsc.compiler.emit.emission_state import LoopStatus
from tsc.compiler.emit.names.known_modules import CONSTANT_FUNCTIONS
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.emit.remaining_names import report_remaining_names
from tsc.compiler.emit.statements import statements
from tsc.compiler.emit.statements.conditions import IDENTITY
from tsc.compiler.emit.statements.control_flow import emit_if_else, emit_loop
from tsc.compiler.emit.statements.definitions import (
    argument_of,
    declared_return_type,
    emit_parameter,
    finish,
    schema_of,
)
from tsc.compiler.emit.statements.refinement import Condition
from tsc.compiler.frontend.possible_names import possibly_bound_names
from tsc.compiler.frontend.tree import Group
from tsc.compiler.frontend.tree_views import (
    Apply,
    Assert,
    Assign,
    AugAssign,
    BinOp,
    Break,
    BrokenStmt,
    ClassDef,
    Continue,
    Def,
    Expr,
    FalseLiteral,
    For,
    If,
    Import,
    ImportFrom,
    ListLiteral,
    Raise,
    Return,
    Select,
    Starred,
    Stmt,
    Tree,
    TrueLiteral,
    TupleLiteral,
    UnsupportedStmt,
    Var,
    While,
    With,
)
from tsc.compiler.ir import Value, prim
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import CompileError, FollowUp
from tsc.compiler.types import ANY, BOOL, INT, OptionalType, Type, UnionType

T = TypeVar("T")
_ASSIGNMENT_EXPRESSION = re.compile(r"\b([^\W\d]\w*+)\s*+:=")
_DECIDED = frozenset(
    ("hasattr", *(path.rpartition(".")[2] for path in CONSTANT_FUNCTIONS), "is_scripting")
)


# -- Functions -------------------------------------------------------------------------------


def emit_function_recovering(emitter: Emitter, definition: Def) -> FunctionSchema | None:
    """Emit a definition to its end; its schema, or None if problems keep it from being known."""
    for refusal in definition.refusals:
        _report(emitter, refusal)
    arguments = _arguments(emitter, definition)
    declared = _attempt(emitter, lambda: declared_return_type(emitter, definition))
    is_declared = definition.decl.return_type is not None
    if arguments is not None and declared is not None:
        emitter.function.schema = schema_of(emitter.function, arguments, declared)
    with emitter.definition(declared) as context:
        context.is_unknown = is_declared and declared is None
        _emit_parameters(emitter, definition, arguments)
        emitter.emit_statements(definition.statements)
        returned = None
        if not context.is_incomplete and not (declared is None and context.is_unknown):
            returned = _attempt(emitter, lambda: finish(emitter, definition))
    returned = declared if returned is None or context.is_unknown else returned
    if arguments is None or returned is None:
        return None
    return schema_of(emitter.function, arguments, returned)


def _arguments(emitter: Emitter, definition: Def) -> tuple[Argument, ...] | None:
    """The arguments of the schema, if all of them are known."""
    found = [
        _attempt(emitter, lambda param=param: argument_of(emitter, param))
        for param in definition.decl.params
    ]
    body = definition.statements[0].range.start
    if any(refusal.range.start < body for refusal in definition.refusals):
        return None
    known = tuple(argument for argument in found if argument is not None)
    return known if len(known) == len(found) else None


def _emit_parameters(
    emitter: Emitter, definition: Def, arguments: tuple[Argument, ...] | None
) -> None:
    """If some of them are not known, each is emitted alone, and poisoned where that fails."""
    for position, param in enumerate(definition.decl.params):
        if arguments is not None:
            emit_parameter(emitter, param, arguments[position])
            continue
        argument = None if param.type is None else _type_of(emitter, param.type)
        if argument is None:
            emitter.environment.poison(param.name)
        else:
            emitter.environment.set_type(param.name, argument)


def _type_of(emitter: Emitter, tree: Expr) -> Type | None:
    """The type that an annotation means, if it means one."""
    try:
        return emitter.types.parse_type(tree)
    except (CompileError, FollowUp):
        return None


# -- Statements ------------------------------------------------------------------------------


def emit_recovering(emitter: Emitter, tree: Stmt) -> None:
    """Emit a statement; if it is refused, say so, and make of it what can be made."""
    try:
        statements.emit_statement(emitter, tree)
    except CompileError as error:
        _report(emitter, error)
    except FollowUp:
        _look_at_value(emitter, tree)
    else:
        if isinstance(tree, While | For):
            emitter.emit_statements(tree.or_else)
        return
    report_remaining_names(emitter, tree)
    _poison(emitter, _ASSIGNMENT_EXPRESSION.findall(tree.range.text))
    _carry_on(emitter, tree)


def _look_at_value(emitter: Emitter, tree: Stmt) -> None:
    """What is set to an attribute of something unknown may be wrong in itself."""
    if isinstance(tree, Assign) and isinstance(tree.lhs, Select) and tree.rhs is not None:
        value = tree.rhs
        _attempt(emitter, lambda: emitter.emit_sugared_expression(value, 1))


def _report(emitter: Emitter, error: CompileError) -> None:
    assert emitter.problems is not None
    emitter.problems.report(error)


def _attempt(emitter: Emitter, action: Callable[[], T]) -> T | None:
    """What an action gives, or None if it is refused."""
    try:
        return action()
    except CompileError as error:
        _report(emitter, error)
    except FollowUp:
        pass
    return None


def _carry_on(emitter: Emitter, tree: Stmt) -> None:
    match tree:
        case Assign() | AugAssign():
            _carry_on_assignment(emitter, tree)
        case Return():
            emitter.definitions[-1].is_unknown = True
            emitter.mark_exit()
        case Raise():
            emitter.mark_exit()
        case Break() | Continue():
            emitter.mark_left()
        case Assert():
            _poison_narrowed(emitter, tree.test)
        case Def() | ClassDef():
            emitter.environment.poison(tree.name.name)
        case Import() | ImportFrom():
            _poison(emitter, (alias.bound_name for alias in tree.names))
        case BrokenStmt():
            _poison(emitter, tree.names)
            emitter.definitions[-1].is_incomplete = True
        case If() | While() | For() | With() | UnsupportedStmt():
            _attempt(emitter, lambda: _carry_on_compound(emitter, tree))
        case _:
            pass


def _carry_on_assignment(emitter: Emitter, tree: Assign | AugAssign) -> None:
    """A variable has the type that it is annotated with, whatever it is set to."""
    targets = tree.lhs_list if isinstance(tree, Assign) else (tree.lhs,)
    if isinstance(tree, Assign) and tree.type is not None and isinstance(tree.lhs, Var):
        name = tree.lhs.name.name
        type = _type_of(emitter, tree.type)
        if type is not None and not emitter.environment.is_set(name):
            emitter.environment.set_type(name, type)
            return
    _poison_targets(emitter, targets)


def _carry_on_compound(emitter: Emitter, tree: If | While | For | With | UnsupportedStmt) -> None:
    """Emit the blocks of a statement that failed in its head, or behind it."""
    blocks = _blocks_of(tree)
    if any(id(block) in emitter.entered for block in blocks if block):
        _poison(emitter, possibly_bound_names(tree.range.text))
        blocks = [block for block in blocks if id(block) not in emitter.entered]
        _emit_alternatives(emitter, tree, blocks)
        return
    match tree:
        case If() if _may_be_decided(tree.cond):
            _poison(emitter, possibly_bound_names(tree.range.text))
            emitter.definitions[-1].is_incomplete = True
        case If():
            _poison_narrowed(emitter, tree.cond)
            condition = Condition(_unknown(emitter, BOOL))
            emit_if_else(emitter, tree.range, condition, tree.true_branch, tree.false_branch)
        case While():
            _poison_narrowed(emitter, tree.cond)
            _emit_body_of_loop(emitter, tree, ())
        case For():
            _emit_body_of_loop(emitter, tree, tree.targets)
        case With():
            _poison_targets(emitter, [item.var for item in tree.targets if item.var is not None])
            emitter.emit_statements(tree.body)
        case UnsupportedStmt():
            _poison(emitter, possibly_bound_names(tree.range.text))
            emitter.definitions[-1].is_incomplete = True
            _emit_alternatives(emitter, tree, blocks)


def _blocks_of(tree: If | While | For | With | UnsupportedStmt) -> list[Sequence[Stmt]]:
    match tree:
        case If():
            return [tree.true_branch, tree.false_branch]
        case While() | For():
            return [tree.body, tree.or_else]
        case With():
            return [tree.body]
        case UnsupportedStmt():
            return list(tree.blocks)


def _emit_body_of_loop(emitter: Emitter, tree: While | For, targets: Sequence[Expr]) -> None:
    def emit_iteration(_counter: Value) -> None:
        _poison_targets(emitter, targets)
        emitter.emit_statements(tree.body)

    with emitter.loop(LoopStatus.IN_LOOP):
        emit_loop(emitter, tree.range, _unknown(emitter, INT), None, emit_iteration)
    emitter.emit_statements(tree.or_else)


def _emit_alternatives(emitter: Emitter, tree: Stmt, blocks: Sequence[Sequence[Stmt]]) -> None:
    """Emit blocks of which nobody knows whether and when they run; what they set is poisoned."""
    node = emitter.insert(prim.If, [_unknown(emitter, BOOL)], 0, tree.range)
    for block in blocks:
        with emitter.scope(node.add_block()):
            emitter.emit_statements(block)
        _poison(emitter, possibly_bound_names(tree.range.text))


# -- Names -----------------------------------------------------------------------------------


def _poison(emitter: Emitter, names: Iterable[str]) -> None:
    for name in names:
        emitter.environment.poison(name)


def _poison_targets(emitter: Emitter, targets: Iterable[Expr]) -> None:
    pending = list(targets)
    while pending:
        target = pending.pop()
        if isinstance(target, Var):
            emitter.environment.poison(target.name.name)
        elif isinstance(target, TupleLiteral | ListLiteral):
            pending.extend(target.inputs)
        elif isinstance(target, Starred):
            pending.append(target.expr)


def _poison_narrowed(emitter: Emitter, condition: Expr) -> None:
    """Poison the variables of which a condition may have told that they are not None, or the like."""
    trees = list(_trees_in(condition))
    asks_for_type = any(_callee_name(tree) == "isinstance" or _is_identity(tree) for tree in trees)
    for tree in trees:
        if isinstance(tree, Var):
            name = tree.name.name
            type = emitter.environment.find_type(name)
            if type is None:
                continue
            if asks_for_type or isinstance(type, OptionalType | UnionType) or type == ANY:
                emitter.environment.poison(name)


def _may_be_decided(condition: Expr) -> bool:
    """Whether the compiler may have decided a condition, and dropped a branch that it cannot read."""
    return any(
        isinstance(tree, TrueLiteral | FalseLiteral) or _callee_name(tree) in _DECIDED
        for tree in _trees_in(condition)
    )


def _callee_name(tree: Tree) -> str | None:
    """The last name in what is called: ``isinstance`` for ``torch.jit.isinstance(...)``."""
    callee = tree.callee if isinstance(tree, Apply) else None
    if isinstance(callee, Select):
        return callee.selector.name
    return callee.name.name if isinstance(callee, Var) else None


def _is_identity(tree: Tree) -> bool:
    return isinstance(tree, BinOp) and tree.operator in IDENTITY


def _trees_in(tree: Tree) -> Iterator[Tree]:
    """A tree and all trees in it."""
    pending: list[Tree | Group | str] = [tree]
    while pending:
        part = pending.pop()
        if isinstance(part, Tree):
            yield part
        if not isinstance(part, str):
            pending.extend(part.children)


def _unknown(emitter: Emitter, type: Type) -> Value:
    return emitter.insert(prim.Uninitialized).output.set_type(type)
