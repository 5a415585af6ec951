"""Makes the trees of statements: a method for each rule of the grammar's first part."""

from __future__ import annotations

from tsc.compiler.frontend.expression_builder import operator_kind
from tsc.compiler.frontend.import_builder import ImportBuilder
from tsc.compiler.frontend.parameters import checked_parameters
from tsc.compiler.frontend.targets import check_target
from tsc.compiler.frontend.tokens import Token
from tsc.compiler.frontend.tree_views import (
    Assert,
    Assign,
    Attribute,
    AugAssign,
    Break,
    ClassDef,
    Continue,
    Decl,
    Def,
    Delete,
    DoubleStarred,
    Expr,
    ExprStmt,
    For,
    Ident,
    If,
    ListLiteral,
    Module,
    NoneLiteral,
    Param,
    Pass,
    Raise,
    Return,
    Starred,
    Stmt,
    Tree,
    TupleLiteral,
    UnsupportedStmt,
    Var,
    While,
    With,
    WithItem,
)
from tsc.compiler.frontend.type_comments import Signature, apply_type_comments, variable_type
from tsc.compiler.source import CompileError, Source, SourceRange, codes

Block = list[Stmt]


class TreeBuilder(ImportBuilder):
    """Ranges of statements begin at their first word, those of definitions at their names.

    `start` and `end` say which part of the text is parsed, if it is not all of it.
    """

    def __init__(self, source: Source, start: int = 0, end: int | None = None) -> None:
        super().__init__(source)
        self._has_type_comments = source.text.find("type:", start, end) >= 0

    # Whole texts ------------------------------------------------------------------------------

    def module(self, statements: Block | None) -> Module:
        return Module(self._between(0, len(self.source.text)), statements or [])

    def signature(
        self,
        opening: Token,
        types: list[Expr | Attribute] | None,
        closing: Token,
        return_type: Expr | None,
    ) -> Signature:
        expressions: list[Expr] = []
        for type in types or ():
            if isinstance(type, Attribute):
                raise CompileError(
                    "a type comment holds types only", type.range, code=codes.INVALID_TYPE_COMMENT
                )
            expressions.append(type.expr if isinstance(type, Starred | DoubleStarred) else type)
        end = closing.end if return_type is None else return_type.range.end
        range = self._between(opening.start, end)
        return range, expressions, return_type

    # Lines and blocks -------------------------------------------------------------------------

    def line(self, statements: Block, newline: Token) -> Block:
        self.check_with_items()
        if self._has_type_comments:
            self._apply_variable_comment(statements[-1], newline)
        return statements

    def block(self, statements: Block) -> Block:
        return statements

    def indented(self, newline: Token, indent: Token, statements: Block, dedent: Token) -> Block:
        return statements

    # Simple statements ------------------------------------------------------------------------

    def expression_statement(self, expr: Expr) -> Stmt:
        _refuse_bare_star(expr)
        return ExprStmt(expr.range, expr)

    def assign(self, sides: list[Expr]) -> Stmt:
        *targets, value = sides
        for target in targets:
            check_target(target)
        _refuse_bare_star(value)
        return Assign(self._across(sides[0], value), targets, value)

    def annotated_assign(self, target: Expr, type: Expr, value: Expr | None) -> Stmt:
        check_target(target)
        if isinstance(target, TupleLiteral | ListLiteral):
            raise CompileError(
                "only a single target can be annotated",
                target.range,
                code=codes.INVALID_TARGET,
                hint="declare each name on a line of its own before",
            )
        return Assign(self._across(target, value or type), [target], value, type)

    def augmented(self, operator: Token) -> Token:
        return operator

    def augmented_assign(self, target: Expr, operator: Token, value: Expr) -> Stmt:
        check_target(target)
        if isinstance(target, TupleLiteral | ListLiteral):
            raise CompileError(
                "augmented assignment can only have one LHS expression",
                target.range,
                code=codes.INVALID_TARGET,
                hint="write an assignment for each of them",
            )
        kind = operator_kind(operator.text.removesuffix("="))
        return AugAssign(self._across(target, value), target, kind, value)

    def return_statement(self, word: Token, value: Expr | None) -> Stmt:
        if value is None:
            return Return(word.range, NoneLiteral(word.range))
        _refuse_bare_star(value)
        return Return(self._from(word, value), value)

    def raise_statement(self, word: Token, expr: Expr | None, cause: Expr | None) -> Stmt:
        if expr is not None:
            return Raise(self._from(word, cause or expr), expr, cause)
        hint = "name the exception, as in 'raise RuntimeError(\"reason\")'"
        error = self._refuse(
            "'raise' without an exception", word.range, hint, code=codes.NO_BARE_RAISE, verb="isn't"
        )
        return UnsupportedStmt(word.range, error)

    def assert_statement(self, word: Token, test: Expr, message: Expr | None) -> Stmt:
        return Assert(self._from(word, message or test), test, message)

    def delete(self, word: Token, target: Expr) -> Stmt:
        check_target(target, action="delete")
        targets = target.inputs if isinstance(target, TupleLiteral) else [target]
        return Delete(self._from(word, target), targets)

    def pass_statement(self, word: Token) -> Stmt:
        return Pass(word.range)

    def break_statement(self, word: Token) -> Stmt:
        return Break(word.range)

    def continue_statement(self, word: Token) -> Stmt:
        return Continue(word.range)

    def outer_names(self, word: Token, names: list[Ident]) -> Stmt:
        hint = "pass the value as an argument and return the new one"
        error = self._refuse(
            f"{word.text} variables", word.range, hint, code=codes.NO_OUTER_VARIABLE
        )
        return UnsupportedStmt(self._from(word, names[-1]), error)

    # Compound statements ----------------------------------------------------------------------

    def if_statement(self, word: Token, cond: Expr, body: Block, orelse: Block | None) -> Stmt:
        return If(self._from(word, (orelse or body)[-1]), cond, body, orelse or [])

    def elif_branch(self, word: Token, cond: Expr, body: Block, orelse: Block | None) -> Block:
        return [If(self._across(cond, (orelse or body)[-1]), cond, body, orelse or [])]

    def orelse(self, body: Block) -> Block:
        return body

    def while_statement(
        self, word: Token, cond: Expr, body: Block, loop_else: Block | None
    ) -> Stmt:
        orelse = self._refused_else(word, loop_else)
        return While(self._from(word, (orelse or body)[-1]), cond, body, orelse)

    def for_statement(
        self,
        word: Token,
        target: Expr,
        iter: Expr,
        body: Block,
        loop_else: Block | None,
    ) -> Stmt:
        check_target(target)
        orelse = self._refused_else(word, loop_else)
        return For(self._from(word, (orelse or body)[-1]), [target], [iter], body, orelse)

    def loop_else(self, word: Token, body: Block) -> Block:
        return body

    def with_item(self, value: Expr, target: Expr | None) -> list[WithItem]:
        """The items that stand between brackets, or the single one that does not."""
        if target is not None:
            check_target(target)
            return [WithItem(self._across(value, target), value, target)]
        items = value.inputs if isinstance(value, TupleLiteral) and value.inputs else [value]
        self._loose_with_items = [item for item in self._loose_with_items if item not in items]
        return [
            item if isinstance(item, WithItem) else WithItem(item.range, item) for item in items
        ]

    def with_statement(self, word: Token, items: list[list[WithItem]], body: Block) -> Stmt:
        return With(self._from(word, body[-1]), [item for group in items for item in group], body)

    def try_statement(
        self,
        word: Token,
        body: Block,
        handlers: list[Block],
        orelse: Block | None,
        final: Block | None,
    ) -> Stmt:
        hint = "check the condition beforehand; an exception always ends a TorchScript program"
        error = self._refuse("try blocks", word.range, hint, code=codes.NO_TRY)
        blocks = [body, *handlers, *filter(None, (orelse, final))]
        return UnsupportedStmt(self._from(word, blocks[-1][-1]), error, blocks)

    def try_finally(self, word: Token, body: Block, final: Block) -> Stmt:
        return self.try_statement(word, body, [], None, final)

    def handler(
        self, star: Token | None, type: Expr | None, name: Token | None, body: Block
    ) -> Block:
        return body

    def match_statement(
        self,
        word: Token,
        subject: Expr,
        newline: Token,
        indent: Token,
        cases: list[Block],
        end: Token,
    ) -> Stmt:
        hint = "use 'if' and 'elif', with '==' or 'isinstance'"
        error = self._refuse("match statements", word.range, hint, code=codes.NO_MATCH)
        return UnsupportedStmt(self._from(word, cases[-1][-1]), error, cases)

    def case_head(self, word: Token, pattern: Expr, guard: Expr | None) -> None:
        """Patterns are not kept, nor are the names that they give with ``as``."""
        self._loose_with_items.clear()

    def case(self, head: None, body: Block) -> Block:
        return body

    # Definitions ------------------------------------------------------------------------------

    def parameter(self, ident: Ident, type: Expr | None, default: Expr | None) -> Param:
        range = ident.range.through((default or type or ident).range)
        return Param(range, ident, type, default)

    def rest_parameter(self, stars: Token, ident: Ident, type: Expr | None = None) -> Param:
        range = self._from(stars, type or ident)
        return Param(range, ident, type, prefix="*" if stars.text == "*" else "**")

    def parameter_mark(self, mark: Token) -> Token:
        return mark

    def parameters(self, opening: Token, items: list[Param | Token] | None, closing: Token) -> Decl:
        return Decl(self._between(opening.start, closing.end), checked_parameters(items or []))

    def definition(
        self,
        word: Token,
        name: Ident,
        decl: Decl,
        return_type: Expr | None,
        colon: Token,
        body: Block,
    ) -> Def:
        decl.return_type = return_type
        head = self._between(word.start, colon.end)
        if self._has_type_comments:
            self._apply_type_comments(decl, head, body[0].range.start)
        refusals = self._refusals_since(word.start)
        return Def(self._across(name, body[-1]), name, decl, body, head, refusals=refusals)

    def class_definition(
        self, word: Token, name: Ident, arguments: list[Tree] | None, body: Block
    ) -> ClassDef:
        bases = [argument for argument in arguments or () if isinstance(argument, Expr)]
        keywords = [argument for argument in arguments or () if isinstance(argument, Attribute)]
        refusals = self._refusals_since(word.start)
        range = self._across(name, body[-1])
        head = self._from(word, name)
        return ClassDef(range, name, bases, body, head, keywords, refusals=refusals)

    def decorator(self, expr: Expr, newline: Token) -> Expr:
        return expr

    def decorated(self, decorators: list[Expr], definition: Stmt) -> Stmt:
        if isinstance(definition, Def | ClassDef):
            definition.decorators = decorators
        return definition

    def asynchronous(self, word: Token, definition: Def) -> Stmt:
        return self._refuse_async(word, "function definitions", definition)

    def asynchronous_for(
        self, word: Token, loop: Token, target: Expr, iter: Expr, body: Block, orelse: object
    ) -> Stmt:
        return self._refuse_async(word, "for loops", body[-1], body)

    def asynchronous_with(
        self, word: Token, with_word: Token, items: list[list[WithItem]], body: Block
    ) -> Stmt:
        return self._refuse_async(word, "with statements", body[-1], body)

    # What several rules need ------------------------------------------------------------------

    def _refuse_async(self, word: Token, construct: str, last: Tree, *blocks: Block) -> Stmt:
        hint = "drop 'async'; torch.jit.fork runs a function asynchronously"
        error = self._refuse(f"async {construct}", word.range, hint, code=codes.NO_ASYNC)
        return UnsupportedStmt(self._from(word, last), error, blocks)

    def _refused_else(self, word: Token, loop_else: Block | None) -> Block:
        if loop_else is None:
            return []
        hint = "set a flag before 'break' and test it after the loop"
        self._refuse(
            f"else branches of {word.text} loops", word.range, hint, code=codes.NO_LOOP_ELSE
        )
        return loop_else

    def _refusals_since(self, start: int) -> list[CompileError]:
        """What was refused in the definition that begins there, in the order of the text."""
        count = 0
        for error in reversed(self.refusals):
            if error.range.end <= start:
                break
            count += 1
        found = self.refusals[len(self.refusals) - count :]
        return sorted(found, key=lambda error: error.range.start)

    def _apply_type_comments(self, decl: Decl, head: SourceRange, body_start: int) -> None:
        """Comments lie before, between and behind the parameters, and before the body."""
        edges = [decl.range.start]
        for param in decl.params:
            edges += [param.range.start, param.range.end]
        edges.append(decl.range.end)
        gaps = [*zip(edges[::2], edges[1::2]), (head.end, body_start)]
        try:
            apply_type_comments(decl, head, gaps, self.part)
        except CompileError as error:  # it spoils this definition, not the whole text
            self.refusals.append(error)

    def _apply_variable_comment(self, statement: Stmt, newline: Token) -> None:
        if not isinstance(statement, Assign) or statement.type is not None:
            return
        if len(statement.lhs_list) == 1 and isinstance(statement.lhs, Var):
            gap = (statement.range.end, newline.start)
            try:
                statement.comment_type = variable_type(self.source.text, gap, self.part)
            except CompileError as error:  # it spoils this definition, not the whole text
                self.refusals.append(error)


def _refuse_bare_star(expr: Expr) -> None:
    if isinstance(expr, Starred):
        raise CompileError(
            "a starred expression stands only in a list, a tuple or a call",
            expr.range,
            code=codes.MISPLACED_STAR,
            hint="add a comma to make a tuple of it, or drop the star",
        )
