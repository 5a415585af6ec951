"""The trees of statements, definitions and whole modules. See ``expressions`` for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tsc.compiler.frontend.expressions import Attribute, Decl, Ident
from tsc.compiler.frontend.tree import (
    Children,
    Expr,
    Group,
    Stmt,
    Tree,
    listed,
    option,
    unless_empty,
)
from tsc.compiler.source import CompileError, SourceRange


@dataclass(slots=True, eq=False, repr=False)
class Def(Stmt):
    """A function definition. Decorators are kept beside the children.

    ``head`` runs from ``def`` to the colon. ``refusals`` are the errors for what the parser
    understood in it, but TorchScript has not.
    """

    KIND: ClassVar[str] = "def"

    name: Ident
    decl: Decl
    statements: Sequence[Stmt]
    head: SourceRange
    decorators: Sequence[Expr] = ()
    refusals: Sequence[CompileError] = ()

    @property
    def children(self) -> Children:
        return self.name, self.decl, listed(self.statements)

    @property
    def extent(self) -> SourceRange:
        """From the name to the end of the last statement; `range` may go to the end of its line."""
        return self.range.through(self.statements[-1].range)


@dataclass(slots=True, eq=False, repr=False)
class ClassDef(Stmt):
    """A class definition. ``keywords`` are those beside the base classes (``metaclass=...``).

    ``head`` runs from ``class`` to the name.
    """

    KIND: ClassVar[str] = "class"

    name: Ident
    bases: Sequence[Expr]
    body: Sequence[Stmt]
    head: SourceRange
    keywords: Sequence[Attribute] = ()
    decorators: Sequence[Expr] = ()
    refusals: Sequence[CompileError] = ()

    @property
    def superclass(self) -> Expr | None:
        return self.bases[0] if self.bases else None

    @property
    def children(self) -> Children:
        return self.name, option(self.superclass), listed(self.body), option(None), option(None)


@dataclass(slots=True, eq=False, repr=False)
class If(Stmt):
    """``if``; an ``elif`` is an ``If`` alone in the false branch."""

    KIND: ClassVar[str] = "if"

    cond: Expr
    true_branch: Sequence[Stmt]
    false_branch: Sequence[Stmt] = ()

    @property
    def children(self) -> Children:
        return self.cond, listed(self.true_branch), listed(self.false_branch)


@dataclass(slots=True, eq=False, repr=False)
class While(Stmt):
    KIND: ClassVar[str] = "while"

    cond: Expr
    body: Sequence[Stmt]
    or_else: Sequence[Stmt] = ()

    @property
    def children(self) -> Children:
        return self.cond, listed(self.body), *unless_empty(self.or_else)


@dataclass(slots=True, eq=False, repr=False)
class For(Stmt):
    """``for``: one target (a tuple literal if there are several) and one iterable."""

    KIND: ClassVar[str] = "for"

    targets: Sequence[Expr]
    iters: Sequence[Expr]
    body: Sequence[Stmt]
    or_else: Sequence[Stmt] = ()

    @property
    def target(self) -> Expr:
        return self.targets[0]

    @property
    def iter(self) -> Expr:
        return self.iters[0]

    @property
    def children(self) -> Children:
        groups = listed(self.targets), listed(self.iters), listed(self.body)
        return *groups, *unless_empty(self.or_else)


@dataclass(slots=True, eq=False, repr=False)
class WithItem(Expr):
    """``target as var`` in the head of a ``with``."""

    KIND: ClassVar[str] = "withitem"

    target: Expr
    var: Expr | None = None

    @property
    def children(self) -> Children:
        return self.target, option(self.var)


@dataclass(slots=True, eq=False, repr=False)
class With(Stmt):
    KIND: ClassVar[str] = "with"

    targets: Sequence[WithItem]
    body: Sequence[Stmt]

    @property
    def children(self) -> Children:
        return listed(self.targets), listed(self.body)


@dataclass(slots=True, eq=False, repr=False)
class Assign(Stmt):
    """``a = b = rhs``, ``a: type = rhs`` or ``a: type``.

    ``comment_type`` is what a type comment behind ``a = rhs`` says. PyTorch's trees have none.
    """

    KIND: ClassVar[str] = "assign"

    lhs_list: Sequence[Expr]
    rhs: Expr | None
    type: Expr | None = None
    comment_type: Expr | None = None

    @property
    def lhs(self) -> Expr:
        """The first target."""
        return self.lhs_list[0]

    @property
    def children(self) -> Children:
        return listed(self.lhs_list), option(self.rhs), option(self.type)


@dataclass(slots=True, eq=False, repr=False)
class AugAssign(Stmt):
    """``lhs op= rhs``; ``aug_op`` is the kind of the binary operator (``+``, ``floordiv`` ...)."""

    KIND: ClassVar[str] = "aug_assign"

    lhs: Expr
    aug_op: str
    rhs: Expr

    @property
    def children(self) -> Children:
        return self.lhs, Group(self.aug_op), self.rhs


@dataclass(slots=True, eq=False, repr=False)
class Return(Stmt):
    """``return``; without a value, ``expr`` is a ``NoneLiteral``."""

    KIND: ClassVar[str] = "return"

    expr: Expr

    @property
    def children(self) -> Children:
        return (self.expr,)


@dataclass(slots=True, eq=False, repr=False)
class Raise(Stmt):
    """``raise expr`` or ``raise expr from cause``."""

    KIND: ClassVar[str] = "raise"

    expr: Expr
    cause: Expr | None = None

    @property
    def children(self) -> Children:
        return (self.expr,) if self.cause is None else (self.expr, self.cause)


@dataclass(slots=True, eq=False, repr=False)
class Assert(Stmt):
    KIND: ClassVar[str] = "assert"

    test: Expr
    msg: Expr | None = None

    @property
    def children(self) -> Children:
        return self.test, option(self.msg)


@dataclass(slots=True, eq=False, repr=False)
class Pass(Stmt):
    KIND: ClassVar[str] = "pass"


@dataclass(slots=True, eq=False, repr=False)
class Break(Stmt):
    KIND: ClassVar[str] = "break"


@dataclass(slots=True, eq=False, repr=False)
class Continue(Stmt):
    KIND: ClassVar[str] = "continue"


@dataclass(slots=True, eq=False, repr=False)
class Delete(Stmt):
    KIND: ClassVar[str] = "del"

    targets: Sequence[Expr]

    @property
    def children(self) -> Children:
        return (listed(self.targets),)


@dataclass(slots=True, eq=False, repr=False)
class ExprStmt(Stmt):
    KIND: ClassVar[str] = "expression statement"

    expr: Expr

    @property
    def children(self) -> Children:
        return (self.expr,)


@dataclass(slots=True, eq=False, repr=False)
class Alias(Tree):
    """``name as asname`` in an import; ``name`` may have dots, or be ``*``."""

    KIND: ClassVar[str] = "alias"

    name: Ident
    asname: Ident | None = None

    @property
    def bound_name(self) -> str:
        """The name that the import defines: for ``import a.b``, it is ``a``."""
        return self.name.name.partition(".")[0] if self.asname is None else self.asname.name

    @property
    def children(self) -> Children:
        return self.name, option(self.asname)


@dataclass(slots=True, eq=False, repr=False)
class Import(Stmt):
    """``import a.b as c, d``"""

    KIND: ClassVar[str] = "import"

    names: Sequence[Alias]

    @property
    def children(self) -> Children:
        return (listed(self.names),)


@dataclass(slots=True, eq=False, repr=False)
class ImportFrom(Stmt):
    """``from ..module import a as b``; ``level`` is the number of leading dots."""

    KIND: ClassVar[str] = "from"

    module: Ident
    names: Sequence[Alias]
    level: int = 0

    @property
    def children(self) -> Children:
        module = "." * self.level + self.module.name
        return Group("ident", (module,)), listed(self.names)


@dataclass(slots=True, eq=False, repr=False)
class UnsupportedStmt(Stmt):
    """A statement of Python that TorchScript has not; ``error`` refuses it.

    ``blocks`` are the statements in it, each of which may or may not run.
    """

    KIND: ClassVar[str] = "unsupported"

    error: CompileError
    blocks: Sequence[Sequence[Stmt]] = ()


@dataclass(slots=True, eq=False, repr=False)
class BrokenStmt(Stmt):
    """One or more lines that were skipped after an error in them, which has been reported.

    ``names`` are those that the lines may have bound.
    """

    KIND: ClassVar[str] = "broken"

    names: frozenset[str]


@dataclass(slots=True, eq=False, repr=False)
class Module(Tree):
    """A whole source text: imports, functions, classes, constants and other statements."""

    KIND: ClassVar[str] = "module"

    statements: Sequence[Stmt]

    @property
    def definitions(self) -> Sequence[Def]:
        return [item for item in self.statements if isinstance(item, Def)]

    @property
    def children(self) -> Children:
        return tuple(self.statements)
