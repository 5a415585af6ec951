"""What the decorators of ``torch.jit`` make of a function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from compiler.frontend.tree_views import Apply, Expr, Ident, Raise, StringLiteral, Var
from compiler.source import CompileError, Note, codes

if TYPE_CHECKING:
    from compiler.emit.module_names import ModuleNames
    from compiler.frontend.tree_views import Def
    from compiler.source import Problems

_IGNORED: Final = ("torch.jit.ignore", "torch.jit._drop", "torch._jit_internal.ignore")
_UNUSED: Final = ("torch.jit.unused", "torch._jit_internal.unused")
_OVERLOADS: Final = (
    *("typing.overload", "overload", "torch.jit._overload", "torch._jit_internal._overload"),
)
_MESSAGE = "This Python function is annotated to be ignored and cannot be run"


def is_ignored(definition: Def, names: ModuleNames) -> bool:
    """Whether a function is left to Python, and so is not there for TorchScript to call."""
    return any(_path(decorator, names) in _IGNORED for decorator in definition.decorators)


def as_compiled(definition: Def, names: ModuleNames) -> Def:
    """The definition that is compiled: an unused function only raises when it is called."""
    if not any(_path(decorator, names) in _UNUSED for decorator in definition.decorators):
        return definition
    range = definition.range
    exception = Var(range, Ident(range, "RuntimeError"))
    body = Raise(range, Apply(range, exception, [StringLiteral(range, _MESSAGE)]))
    return replace(definition, statements=[body], refusals=())


def refuse_redefinitions(
    definitions: Iterable[Def], names: ModuleNames, problems: Problems | None = None
) -> None:
    """One name is one function, unless a decorator says that it is overloaded.

    The error is raised, or all of them are reported as ``problems``.
    """
    first: dict[str, Def] = {}
    for definition in definitions:
        name = definition.name.name
        known = first.setdefault(name, definition)
        if known is definition or any(
            _path(each, names) in _OVERLOADS for each in known.decorators
        ):
            continue
        error = CompileError(
            f"function '{name}' already defined",
            definition.name.range,
            code=codes.REDEFINED_FUNCTION,
            notes=[Note("defined here:", known.name.range)],
            hint="rename one of them, or delete the one that is not wanted",
        )
        if problems is None:
            raise error
        problems.report(error)


def _path(decorator: Expr, names: ModuleNames) -> str | None:
    tree = decorator.callee if isinstance(decorator, Apply) else decorator
    return names.path_of(tree)
