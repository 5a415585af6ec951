"""Checks lists of parameters and notes what the marks ``/`` and ``*`` say about them."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.frontend.tokens import Token
from tsc.compiler.frontend.tree_views import Param
from tsc.compiler.source import CompileError, codes


def checked_parameters(items: Sequence[Param | Token]) -> list[Param]:
    """The parameters without the marks between them, which come as tokens."""
    params: list[Param] = []
    star: Param | Token | None = None
    for position, item in enumerate(items):
        if params and params[-1].prefix == "**":
            raise CompileError(
                "'**' must be the last parameter", params[-1].range, code=codes.INVALID_PARAMETERS
            )
        if isinstance(item, Token) and item.text == "/":
            _mark_positional_only(item, params, star)
        elif _is_star(item):
            if star is not None:
                raise CompileError(
                    "'*' may be given only once", item.range, code=codes.INVALID_PARAMETERS
                )
            star = item
            if isinstance(item, Token):
                _check_bare_star(item, items[position + 1 : position + 2])
        if isinstance(item, Param):
            item.kwarg_only = star is not None and not item.prefix
            params.append(item)
    _check_names(params)
    _check_defaults(params)
    return params


def _is_star(item: Param | Token) -> bool:
    return item.text == "*" if isinstance(item, Token) else item.prefix == "*"


def _mark_positional_only(slash: Token, params: list[Param], star: Param | Token | None) -> None:
    if not params or star is not None or params[-1].positional_only:
        raise CompileError(
            "'/' stands in the wrong place",
            slash.range,
            code=codes.INVALID_PARAMETERS,
            hint="it comes once, after the parameters that are positional-only",
        )
    for param in params:
        param.positional_only = True


def _check_bare_star(star: Token, following: Sequence[Param | Token]) -> None:
    if not following or isinstance(following[0], Token) or following[0].prefix:
        raise CompileError(
            "named parameters must follow '*'",
            star.range,
            code=codes.INVALID_PARAMETERS,
            hint="'*' makes the parameters after it keyword-only",
        )


def _check_names(params: list[Param]) -> None:
    seen: set[str] = set()
    for param in params:
        if param.name in seen:
            raise CompileError(
                f"there are two parameters {param.name!r}",
                param.ident.range,
                code=codes.INVALID_PARAMETERS,
            )
        seen.add(param.name)


def _check_defaults(params: list[Param]) -> None:
    with_default: Param | None = None
    for param in params:
        if param.kwarg_only or param.prefix:
            continue
        if param.default is not None:
            with_default = param
        elif with_default is not None:
            raise CompileError(
                f"the parameter {param.name!r} has no default, but follows one that has",
                param.range,
                code=codes.INVALID_PARAMETERS,
                hint=f"move it before {with_default.name!r}, or give it a default",
            )
