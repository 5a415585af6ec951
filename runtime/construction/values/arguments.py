"""How the arguments of a call find the parameters of a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsc.compiler.frontend.tree_views import Param


def bound_arguments(
    function: str,
    params: Sequence[Param],
    defaults: Mapping[str, object],
    arguments: list[Any],
    keywords: dict[str, Any],
) -> dict[str, Any]:
    """The value of each parameter. Raises TypeError for arguments that do not fit."""
    variables: dict[str, Any] = {}
    rest = dict(keywords)
    position = 0
    for param in params:
        name = param.name
        if param.prefix == "*":
            variables[name] = tuple(arguments[position:])
            position = len(arguments)
        elif param.prefix == "**":
            variables[name], rest = rest, {}
        elif not param.kwarg_only and position < len(arguments):
            if name in rest and not param.positional_only:
                raise TypeError(f"{function}() got multiple values for argument '{name}'")
            variables[name] = arguments[position]
            position += 1
        elif name in rest and not param.positional_only:
            variables[name] = rest.pop(name)
        elif name in defaults:
            variables[name] = defaults[name]
    _check_all_taken(function, params, len(arguments), position, rest)
    missing = [each for each in params if each.name not in variables]
    if missing:
        raise TypeError(_missing_message(function, missing))
    return variables


def _check_all_taken(
    function: str, params: Sequence[Param], given: int, taken: int, rest: dict[str, Any]
) -> None:
    if taken < given:
        raise TypeError(_too_many_message(function, params, given))
    if rest:
        raise TypeError(f"{function}() got an unexpected keyword argument '{next(iter(rest))}'")


def _too_many_message(function: str, params: Sequence[Param], given: int) -> str:
    positional = [each for each in params if not (each.kwarg_only or each.prefix)]
    most = len(positional)
    least = most - sum(each.default is not None for each in positional)
    takes = str(most) if least == most else f"from {least} to {most}"
    plural = "" if takes == "1" else "s"
    were = "was" if given == 1 else "were"
    return f"{function}() takes {takes} positional argument{plural} but {given} {were} given"


def _missing_message(function: str, missing: list[Param]) -> str:
    kind = "keyword-only" if missing[0].kwarg_only else "positional"
    names = [f"'{each.name}'" for each in missing if each.kwarg_only == missing[0].kwarg_only]
    plural = "" if len(names) == 1 else "s"
    joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{function}() missing {len(names)} required {kind} argument{plural}: {joined}"
