"""The trees of expressions.

Names and structure are PyTorch's (``torch/csrc/jit/frontend/tree_views.h``); the kinds that
PyTorch's C++ parser does not know are at the end. A range begins where the first sub-tree does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from tsc.compiler.frontend.tree import Children, Expr, Group, Tree, listed, option
from tsc.compiler.source import CompileError


@dataclass(slots=True, eq=False, repr=False)
class Ident(Tree):
    """A name as it is written."""

    KIND: ClassVar[str] = "ident"

    name: str

    @property
    def children(self) -> Children:
        return (self.name,)


@dataclass(slots=True, eq=False, repr=False)
class Param(Tree):
    """A parameter. ``prefix`` is ``*`` or ``**`` if it takes what is left of the arguments."""

    KIND: ClassVar[str] = "param"

    ident: Ident
    type: Expr | None = None
    default: Expr | None = None
    kwarg_only: bool = False
    prefix: Literal["", "*", "**"] = ""
    positional_only: bool = False
    is_of_overload: bool = False

    @property
    def name(self) -> str:
        return self.ident.name

    @property
    def children(self) -> Children:
        return self.ident, option(self.type), option(self.default), Group(str(self.kwarg_only))


@dataclass(slots=True, eq=False, repr=False)
class Decl(Tree):
    """The parameters and the return type of a function."""

    KIND: ClassVar[str] = "decl"

    params: Sequence[Param]
    return_type: Expr | None = None

    @property
    def children(self) -> Children:
        return listed(self.params), option(self.return_type)


@dataclass(slots=True, eq=False, repr=False)
class Var(Expr):
    KIND: ClassVar[str] = "variable"

    name: Ident

    @property
    def children(self) -> Children:
        return (self.name,)


@dataclass(slots=True, eq=False, repr=False)
class Const(Expr):
    """A number; ``text`` is as written, with the sign of a negative constant."""

    KIND: ClassVar[str] = "const"

    text: str

    @property
    def is_complex(self) -> bool:
        return self.text[-1] in "jJ"

    @property
    def is_integral(self) -> bool:
        return isinstance(self.value, int)

    @property
    def is_floating_point(self) -> bool:
        return isinstance(self.value, float)

    @property
    def value(self) -> int | float | complex:
        if self.is_complex:
            magnitude = complex(self.text.lstrip("-").replace("_", ""))
            return -magnitude if self.text[0] == "-" else magnitude  # the real part is -0.0, too
        try:
            return int(self.text, 0)
        except ValueError:
            return float(self.text)

    @property
    def children(self) -> Children:
        return (self.text,)


@dataclass(slots=True, eq=False, repr=False)
class StringLiteral(Expr):
    """A string; ``text`` is its value, after escapes and concatenation."""

    KIND: ClassVar[str] = "string_literal"

    text: str

    @property
    def children(self) -> Children:
        return (self.text,)


@dataclass(slots=True, eq=False, repr=False)
class TrueLiteral(Expr):
    KIND: ClassVar[str] = "True"


@dataclass(slots=True, eq=False, repr=False)
class FalseLiteral(Expr):
    KIND: ClassVar[str] = "False"


@dataclass(slots=True, eq=False, repr=False)
class NoneLiteral(Expr):
    KIND: ClassVar[str] = "None"


@dataclass(slots=True, eq=False, repr=False)
class Dots(Expr):
    """``...``"""

    KIND: ClassVar[str] = "dots"


@dataclass(slots=True, eq=False, repr=False)
class Attribute(Tree):
    """``name=value`` in a call."""

    KIND: ClassVar[str] = "attribute"

    name: Ident
    value: Expr

    @property
    def children(self) -> Children:
        return self.name, self.value


@dataclass(slots=True, eq=False, repr=False)
class Apply(Expr):
    """A call. ``inputs`` may hold a ``Starred``, or a ``DoubleStarred`` after the attributes."""

    KIND: ClassVar[str] = "apply"

    callee: Expr
    inputs: Sequence[Expr]
    attributes: Sequence[Attribute] = ()

    @property
    def children(self) -> Children:
        return self.callee, listed(self.inputs), listed(self.attributes)


@dataclass(slots=True, eq=False, repr=False)
class Select(Expr):
    """``value.selector``"""

    KIND: ClassVar[str] = "."

    value: Expr
    selector: Ident

    @property
    def children(self) -> Children:
        return self.value, self.selector


@dataclass(slots=True, eq=False, repr=False)
class SliceExpr(Expr):
    """``start:end:step`` between square brackets."""

    KIND: ClassVar[str] = "slice expr"

    start: Expr | None = None
    end: Expr | None = None
    step: Expr | None = None

    @property
    def children(self) -> Children:
        return option(self.start), option(self.end), option(self.step)


@dataclass(slots=True, eq=False, repr=False)
class Subscript(Expr):
    """``value[a, b]``"""

    KIND: ClassVar[str] = "subscript"

    value: Expr
    subscript_exprs: Sequence[Expr]

    @property
    def children(self) -> Children:
        return self.value, listed(self.subscript_exprs)


@dataclass(slots=True, eq=False, repr=False)
class BinOp(Expr):
    """A binary operator; ``operator`` is the kind of the tree (``+``, ``pow operator``, ``and``).

    A chained comparison is the ``and`` of its parts, as in PyTorch; a sum is a left-recursive
    chain, which may be thousands deep.
    """

    operator: str
    lhs: Expr
    rhs: Expr

    @property
    def kind(self) -> str:
        return self.operator

    @property
    def children(self) -> Children:
        return self.lhs, self.rhs


@dataclass(slots=True, eq=False, repr=False)
class UnaryOp(Expr):
    """``unary minus``, ``unary plus``, ``~`` or ``not``. ``a not in b`` is a ``not`` of an ``in``.

    The sign of a number is part of its ``Const``.
    """

    operator: str
    expr: Expr

    @property
    def kind(self) -> str:
        return self.operator

    @property
    def children(self) -> Children:
        return (self.expr,)


@dataclass(slots=True, eq=False, repr=False)
class TernaryIf(Expr):
    """``true_expr if cond else false_expr``"""

    KIND: ClassVar[str] = "if"

    cond: Expr
    true_expr: Expr
    false_expr: Expr

    @property
    def children(self) -> Children:
        return self.cond, self.true_expr, self.false_expr


@dataclass(slots=True, eq=False, repr=False)
class ListLiteral(Expr):
    KIND: ClassVar[str] = "list-literal"

    inputs: Sequence[Expr]

    @property
    def children(self) -> Children:
        return (listed(self.inputs),)


@dataclass(slots=True, eq=False, repr=False)
class TupleLiteral(Expr):
    KIND: ClassVar[str] = "tuple-literal"

    inputs: Sequence[Expr]

    @property
    def children(self) -> Children:
        return (listed(self.inputs),)


@dataclass(slots=True, eq=False, repr=False)
class DictLiteral(Expr):
    """``{key: value}``; a ``**mapping`` is a ``DoubleStarred`` both as key and as value."""

    KIND: ClassVar[str] = "dict-literal"

    key_inputs: Sequence[Expr]
    value_inputs: Sequence[Expr]

    @property
    def children(self) -> Children:
        return listed(self.key_inputs), listed(self.value_inputs)


@dataclass(slots=True, eq=False, repr=False)
class Starred(Expr):
    """``*expr``"""

    KIND: ClassVar[str] = "starred"

    expr: Expr

    @property
    def children(self) -> Children:
        return (self.expr,)


@dataclass(slots=True, eq=False, repr=False)
class SetLiteral(Expr):
    KIND: ClassVar[str] = "set-literal"

    inputs: Sequence[Expr]

    @property
    def children(self) -> Children:
        return (listed(self.inputs),)


@dataclass(slots=True, eq=False, repr=False)
class DoubleStarred(Expr):
    """``**expr`` in a call or a dict literal."""

    KIND: ClassVar[str] = "double-starred"

    expr: Expr

    @property
    def children(self) -> Children:
        return (self.expr,)


@dataclass(slots=True, eq=False, repr=False)
class Lambda(Expr):
    KIND: ClassVar[str] = "lambda"

    decl: Decl
    body: Expr

    @property
    def children(self) -> Children:
        return self.decl, self.body


@dataclass(slots=True, eq=False, repr=False)
class UnsupportedExpr(Expr):
    """An expression of Python that TorchScript has not; ``error`` refuses it."""

    KIND: ClassVar[str] = "unsupported"

    error: CompileError
