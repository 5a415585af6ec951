"""Makes the trees of expressions: a method for each rule of the grammar's second part."""

from __future__ import annotations

from typing import TypeVar

from tsc.compiler.frontend.atom_builder import AtomBuilder
from tsc.compiler.frontend.parameters import checked_parameters
from tsc.compiler.frontend.targets import check_target
from tsc.compiler.frontend.tokens import Token
from tsc.compiler.frontend.tree_views import (
    Apply,
    Attribute,
    BinOp,
    CompFor,
    Const,
    Decl,
    DictComp,
    DictLiteral,
    DoubleStarred,
    Expr,
    GeneratorExp,
    Ident,
    Lambda,
    ListComp,
    ListLiteral,
    Param,
    Select,
    SetComp,
    SetLiteral,
    SliceExpr,
    Starred,
    Subscript,
    TernaryIf,
    Tree,
    TupleLiteral,
    UnaryOp,
    UnsupportedExpr,
    Var,
    WithItem,
)
from tsc.compiler.source import CompileError, codes

T = TypeVar("T")

# The kinds that PyTorch gives to operators, where they are not the operators themselves.
_BINARY_KINDS = {
    "**": "pow operator",
    "//": "floordiv",
    "<=": "le",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
}
_UNARY_KINDS = {"-": "unary minus", "+": "unary plus"}


def operator_kind(text: str) -> str:
    """The kind of a ``BinOp`` by the operator as it is written."""
    return _BINARY_KINDS.get(text, text)


class ExpressionBuilder(AtomBuilder):
    """Ranges are those of PyTorch's C++ parser: brackets around an expression do not count."""

    # Displays and comprehensions --------------------------------------------------------------

    def empty_tuple(self, opening: Token, closing: Token) -> Expr:
        return TupleLiteral(self._between(opening.start, closing.end), [])

    def tuple_of_one(self, item: Expr) -> Expr:
        return TupleLiteral(item.range, [item])

    def open_tuple(self, items: list[Expr]) -> Expr:
        return TupleLiteral(self._across(items[0], items[-1]), items)

    def list_literal(self, opening: Token, items: list[Expr] | None, closing: Token) -> Expr:
        return ListLiteral(self._between(opening.start, closing.end), items or [])

    def set_literal(self, opening: Token, items: list[Expr], closing: Token) -> Expr:
        return SetLiteral(self._between(opening.start, closing.end), items)

    def dict_literal(
        self, opening: Token, entries: list[list[Expr]] | None, closing: Token
    ) -> Expr:
        if entries is None:
            return DictLiteral(self._between(opening.start, closing.end), [], [])
        keys = [entry[0] for entry in entries]
        values = [entry[1] for entry in entries]
        return DictLiteral(self._between(keys[0].range.start, closing.end), keys, values)

    def double_starred_entry(self, stars: Token, mapping: Expr) -> list[Expr]:
        entry = self.double_starred(stars, mapping)
        return [entry, entry]

    def list_comprehension(self, elt: Expr, clauses: list[CompFor]) -> Expr:
        return ListComp(self._across(elt, clauses[-1]), clauses, elt)

    def set_comprehension(self, elt: Expr, clauses: list[CompFor]) -> Expr:
        return SetComp(self._across(elt, clauses[-1]), clauses, elt)

    def dict_comprehension(self, entry: list[Expr], clauses: list[CompFor]) -> Expr:
        key, value = entry
        if isinstance(key, DoubleStarred):
            raise CompileError(
                "dict unpacking cannot be used in a dict comprehension",
                key.range,
                code=codes.NO_DICT_UNPACKING,
            )
        return DictComp(self._across(key, clauses[-1]), clauses, key, value)

    def generator(self, elt: Expr, clauses: list[CompFor]) -> Expr:
        return GeneratorExp(self._across(elt, clauses[-1]), clauses, elt)

    def clause(self, asynchronous: Token | None, word: Token, target: Expr, iter: Expr) -> CompFor:
        if asynchronous is not None:
            self._refuse(
                "async comprehensions", asynchronous.range, "drop 'async'", code=codes.NO_ASYNC
            )
        check_target(target)
        return CompFor(self._between(word.start, iter.range.end), target, iter)

    def condition(self, clause: CompFor, condition: Expr) -> CompFor:
        clause.conditions.append(condition)
        clause.range = self._across(clause, condition)
        return clause

    # Primaries --------------------------------------------------------------------------------

    def select(self, value: Expr, selector: Ident) -> Expr:
        return Select(self._across(value, selector), value, selector)

    def apply(
        self, callee: Expr, opening: Token, arguments: list[Tree] | None, closing: Token
    ) -> Expr:
        range = self._between(callee.range.start, closing.end)
        inputs: list[Expr] = []
        attributes: list[Attribute] = []
        for argument in arguments or ():
            if isinstance(argument, Attribute):
                attributes.append(argument)
            elif isinstance(argument, Expr):
                _check_order(argument, inputs, attributes)
                inputs.append(argument)
        if attributes:
            _check_repetition(attributes)
        return Apply(range, callee, inputs, attributes)

    def apply_to_generator(
        self, callee: Expr, elt: Expr, clauses: list[CompFor], closing: Token
    ) -> Expr:
        range = self._between(callee.range.start, closing.end)
        return Apply(range, callee, [self.generator(elt, clauses)])

    def keyword_argument(self, name: Expr, value: Expr) -> Attribute:
        if not isinstance(name, Var):
            raise CompileError(
                "the name of a keyword argument must be a plain name",
                name.range,
                code=codes.INVALID_ARGUMENTS,
                hint="did you mean '==' instead of '='?",
            )
        return Attribute(self._across(name, value), name.name, value)

    def starred(self, star: Token, expr: Expr) -> Expr:
        return Starred(self._between(star.start, expr.range.end), expr)

    def double_starred(self, stars: Token, expr: Expr) -> Expr:
        return DoubleStarred(self._between(stars.start, expr.range.end), expr)

    def subscript(self, value: Expr, opening: Token, items: list[Expr], closing: Token) -> Expr:
        """``x[(a, b)]`` is ``x[a, b]``, as in Python; the empty tuple stays one."""
        if len(items) == 1 and isinstance(items[0], TupleLiteral) and items[0].inputs:
            items = list(items[0].inputs)
        return Subscript(self._between(value.range.start, closing.end), value, items)

    def slice(
        self, first: Expr | None, colon: Token, second: Expr | None, third: Expr | None
    ) -> Expr:
        start = colon.start if first is None else first.range.start
        last = third or second
        end = colon.end if last is None else last.range.end
        return SliceExpr(self._between(start, end), first, second, third)

    # Operators --------------------------------------------------------------------------------

    def binary(self, lhs: Expr, operator: Token, rhs: Expr) -> Expr:
        return BinOp(self._across(lhs, rhs), operator_kind(operator.text), lhs, rhs)

    def unary(self, operator: Token, expr: Expr) -> Expr:
        is_number = isinstance(expr, Const) and not expr.text.startswith("-")
        if operator.text == "-" and isinstance(expr, Const) and is_number:
            return Const(expr.range, "-" + expr.text)
        range = self._between(operator.start, expr.range.end)
        return UnaryOp(range, _UNARY_KINDS.get(operator.text, operator.text), expr)

    def comparator(self, *words: Token) -> str:
        return " ".join(word.text for word in words)

    def first_comparison(self, lhs: Expr, comparator: str, rhs: Expr) -> tuple[Expr, Expr]:
        """The tree so far, and the operand that a further comparison would begin with."""
        return self._compare(lhs, comparator, rhs), rhs

    def next_comparison(
        self, compared: tuple[Expr, Expr], comparator: str, rhs: Expr
    ) -> tuple[Expr, Expr]:
        so_far, lhs = compared
        comparison = self._compare(lhs, comparator, rhs)
        return BinOp(self._across(so_far, comparison), "and", so_far, comparison), rhs

    def comparison(self, compared: tuple[Expr, Expr]) -> Expr:
        return compared[0]

    def _compare(self, lhs: Expr, comparator: str, rhs: Expr) -> Expr:
        range = self._across(lhs, rhs)
        if comparator == "not in":
            return UnaryOp(range, "not", BinOp(range, "in", lhs, rhs))
        return BinOp(range, operator_kind(comparator), lhs, rhs)

    def ternary(self, true_expr: Expr, cond: Expr, false_expr: Expr) -> Expr:
        return TernaryIf(self._across(true_expr, false_expr), cond, true_expr, false_expr)

    def lambda_parameter(self, ident: Ident, default: Expr | None) -> Param:
        range = ident.range if default is None else self._across(ident, default)
        return Param(range, ident, None, default)

    def lambda_expression(
        self, word: Token, parameters: list[Param | Token] | None, body: Expr
    ) -> Expr:
        decl = Decl(word.range, checked_parameters(parameters or []))
        return Lambda(self._between(word.start, body.range.end), decl, body)

    # What TorchScript has not -----------------------------------------------------------------

    def walrus(self, target: Expr, value: Expr) -> Expr:
        range = self._across(target, value)
        hint = "assign the value in a statement of its own"
        return UnsupportedExpr(
            range,
            self._refuse(
                "assignment expressions (':=')", range, hint, code=codes.NO_ASSIGNMENT_EXPRESSION
            ),
        )

    def yielded(self, word: Token, value: Expr | None) -> Expr:
        end = word.end if value is None else value.range.end
        hint = "collect the values in a list and return it"
        error = self._refuse("generators ('yield')", word.range, hint, code=codes.NO_GENERATOR)
        return UnsupportedExpr(self._between(word.start, end), error)

    def awaited(self, word: Token, value: Expr) -> Expr:
        hint = "torch.jit.fork runs a function asynchronously, torch.jit.wait gives its result"
        error = self._refuse("await expressions", word.range, hint, code=codes.NO_ASYNC)
        return UnsupportedExpr(self._between(word.start, value.range.end), error)

    def bracketed_with_item(self, value: Expr, word: Token, target: Expr) -> Expr:
        item = WithItem(self._across(value, target), value, target)
        self._loose_with_items.append(item)
        return item


def _check_order(argument: Expr, inputs: list[Expr], attributes: list[Attribute]) -> None:
    if isinstance(argument, Starred | DoubleStarred):
        return
    if attributes:
        raise CompileError(
            "a positional argument follows a keyword argument",
            argument.range,
            code=codes.INVALID_ARGUMENTS,
            hint="name it as well, or move it to the front",
        )
    if inputs and isinstance(inputs[-1], DoubleStarred):
        raise CompileError(
            "a positional argument follows '**'", argument.range, code=codes.INVALID_ARGUMENTS
        )


def _check_repetition(attributes: list[Attribute]) -> None:
    seen: set[str] = set()
    for attribute in attributes:
        if attribute.name.name in seen:
            raise CompileError(
                f"the keyword argument {attribute.name.name!r} is given twice",
                attribute.name.range,
                code=codes.INVALID_ARGUMENTS,
            )
        seen.add(attribute.name.name)
