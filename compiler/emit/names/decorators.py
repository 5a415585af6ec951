"""What decorators make of a function: compiled, left to Python, or one of several overloads."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.tree_views import (
    Apply,
    Attribute,
    ClassDef,
    Def,
    Expr,
    ExprStmt,
    Ident,
    Raise,
    Return,
    StringLiteral,
    TrueLiteral,
    Var,
)
from tsc.compiler.source import CompileError, codes


class Role(Enum):
    """What becomes of a definition."""

    COMPILED = auto()
    LEFT_TO_PYTHON = auto()
    DROPPED = auto()
    OVERLOAD = auto()
    STUB = auto()


def _in_jit(*names: str) -> frozenset[str]:
    modules = ("torch.jit", "torch._jit_internal", "tsc")
    return frozenset(f"{module}.{name}" for module in modules for name in names)


_ROLES: Final[dict[str, Role]] = {
    **dict.fromkeys(_in_jit("ignore"), Role.LEFT_TO_PYTHON),
    **dict.fromkeys(_in_jit("unused", "_drop"), Role.DROPPED),
    **dict.fromkeys(_in_jit("_overload", "_overload_method"), Role.OVERLOAD),
    **dict.fromkeys(("overload", "typing.overload", "typing_extensions.overload"), Role.STUB),
}
_SCRIPT: Final = _in_jit("script", "interface")
_WITHOUT_RESULT: Final = _in_jit("_drop")
_WITHOUT_EFFECT: Final = frozenset(
    (
        *_in_jit("script", "export", "script_if_tracing", "script_method"),
        *("torch.no_grad", "torch.enable_grad", "torch.inference_mode"),
        *("torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad"),
        *("torch.compile", "torch.compiler.disable", "torch.compiler.allow_in_graph"),
        *("typing.final", "typing.no_type_check", "typing_extensions.final"),
        *("typing_extensions.deprecated", "warnings.deprecated"),
    )
)
_CACHES: Final = ("functools.cache", "functools.lru_cache")
_REASONS: Final[dict[str, str]] = {
    **dict.fromkeys(_CACHES, "drop it: each call computes its result"),
    "torch.autocast": "cast in the function, with .to(dtype)",
    "staticmethod": "drop it: outside of a class it does nothing",
}
_KINDS: Final = ("property", "staticmethod", "classmethod")
_UNUSED: Final = "Cannot call @unused methods"


def role_of(definition: Def, names: ModuleNames) -> Role:
    """What the decorators of a function ask for. ``ignore(drop=True)`` is ``unused``.

    What a cache makes of a function is no function to PyTorch: it calls it in Python.
    """
    for decorator in definition.decorators:
        path = decorator_path(decorator, names) or ""
        if path in _CACHES and names.is_strict and not is_scripted(definition, names):
            return Role.LEFT_TO_PYTHON
        role = _ROLES.get(path, Role.COMPILED)
        if role is Role.LEFT_TO_PYTHON and _is_dropping(decorator):
            return Role.DROPPED
        if role is not Role.COMPILED:
            return role
    return Role.COMPILED


def has_no_effect(path: str | None) -> bool:
    """Whether a function of that path gives back what it decorates, as far as programs can tell."""
    return path in _WITHOUT_EFFECT


def is_scripted(definition: Def | ClassDef, names: ModuleNames) -> bool:
    """Whether a decorator asks for the definition to be compiled, used or not."""
    return any(decorator_path(each, names) in _SCRIPT for each in definition.decorators)


def as_compiled(definition: Def, names: ModuleNames, without_effect: Collection[str] = ()) -> Def:
    """The definition that is compiled: a dropped function only raises, whatever it is given.

    ``without_effect`` are functions of the file that change nothing when they decorate another.
    """
    if role_of(definition, names) is Role.DROPPED:
        return raising(definition, without_result=_is_without_result(definition, names))
    unknown = tuple(_unknown_decorators(definition, names, without_effect))
    if not unknown:
        return definition
    return replace(definition, refusals=(*unknown, *definition.refusals))


def without_kind(definition: Def) -> Def:
    """Without the decorators that say what kind of method it is: a property's, a static one."""
    kept = [each for each in definition.decorators if not _is_kind(each.range.text)]
    return replace(definition, decorators=kept)


def _is_kind(text: str) -> bool:
    return text in _KINDS or text.endswith((".setter", ".getter"))


def raising(definition: Def, *, without_result: bool = False) -> Def:
    """A definition that only raises, whatever it is given."""
    range = definition.extent
    exception = Var(range, Ident(range, "RuntimeError"))
    body = Raise(range, Apply(range, exception, [StringLiteral(range, _UNUSED)]))
    anything = Var(range, Ident(range, "Any"))
    plain = (param for param in definition.decl.params if not param.prefix)
    params = [replace(param, type=anything) for param in plain]
    returned = None if without_result else definition.decl.return_type
    decl = replace(definition.decl, params=params, return_type=returned)
    return replace(definition, decl=decl, statements=[body], refusals=())


def _is_without_result(definition: Def, names: ModuleNames) -> bool:
    paths = [decorator_path(decorator, names) for decorator in definition.decorators]
    return not _WITHOUT_RESULT.isdisjoint(paths)


def _unknown_decorators(
    definition: Def, names: ModuleNames, without_effect: Collection[str]
) -> Iterator[CompileError]:
    """A decorator that is not known might change what the function does: it cannot be skipped."""
    for decorator in definition.decorators:
        path = decorator_path(decorator, names)
        is_own = isinstance(decorator, Var) and decorator.name.name in without_effect
        if is_own or path in _ROLES or path in _WITHOUT_EFFECT:
            continue
        hint = _REASONS.get(path or "", "apply what it does in the function, and drop it")
        yield CompileError(
            f"decorator '@{decorator.range.text}' isn't supported",
            decorator.range,
            code=codes.NO_DECORATOR,
            hint=f"{hint}; or leave the function to Python, with @torch.jit.ignore",
        )


def functions_without_effect(definitions: Sequence[Def]) -> frozenset[str]:
    """The functions of a file that return what they are given, of those that decorate others in it."""
    used = {
        decorator.name.name
        for definition in definitions
        for decorator in definition.decorators
        if isinstance(decorator, Var)
    }
    last = {each.name.name: each for each in definitions if each.name.name in used}
    return frozenset(name for name, definition in last.items() if _is_identity(definition))


def _is_identity(definition: Def) -> bool:
    params, body = definition.decl.params, definition.statements
    if isinstance(body[0], ExprStmt) and isinstance(body[0].expr, StringLiteral):
        body = body[1:]
    if len(params) != 1 or params[0].prefix or len(body) != 1 or definition.decorators:
        return False
    (statement,) = body
    return (
        isinstance(statement, Return)
        and isinstance(statement.expr, Var)
        and statement.expr.name.name == params[0].name
    )


def decorator_path(decorator: Expr, names: ModuleNames) -> str | None:
    """The full path of a decorator, with or without arguments."""
    return names.path_of(decorator.callee if isinstance(decorator, Apply) else decorator)


def _is_dropping(decorator: Expr) -> bool:
    arguments: Sequence[Attribute] = decorator.attributes if isinstance(decorator, Apply) else ()
    return any(
        argument.name.name == "drop" and isinstance(argument.value, TrueLiteral)
        for argument in arguments
    )
