"""The example calls of `tsc export`: one, or one for each of several methods."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tsc.compiler.exir.symbols.dynamic_text import parse_dynamic_shapes
from tsc.compiler.source import UsageError
from tsc.runtime.commands.command_arguments import parse_arguments, refuse_wrong_arguments
from tsc.runtime.programs.exported_unit import ExportedUnit

_OF_METHOD: Final = re.compile(r"\s*([A-Za-z_][\w.]*)\s*:(?!:)(.*)", re.DOTALL)
_FORWARD: Final = "forward"


@dataclass(frozen=True, slots=True)
class ExampleCall:
    """A call that a program is captured on: `function` is None for the only one, `name` is what files are called by."""

    function: str | None
    arguments: str

    @property
    def name(self) -> str:
        return self.function or _FORWARD


def example_calls(
    function: str | None, arguments: Sequence[str], *, is_several: bool
) -> list[ExampleCall]:
    """The calls that ``--args`` spells: with several, each begins with the name of its method.

    Raises `UsageError` for names that are missing, or there twice.
    """
    if not is_several:
        if len(arguments) > 1:
            raise UsageError(
                "--args is there twice: several methods are several files, "
                'as in --args "encode: …" --args "decode: …" -o "model-{method}.pt2"'
            )
        return [ExampleCall(function, arguments[0] if arguments else "")]
    if function is not None and not any(map(_OF_METHOD.fullmatch, arguments)):
        return [ExampleCall(function, *example_text(arguments))]
    calls = [_call_of_method(each) for each in arguments]
    names = [each.function for each in calls]
    if function is not None or len(set(names)) < len(names) or not calls:
        raise UsageError(
            "with {method} in the name of the file, name each method once before its arguments, "
            'as in --args "encode: torch.ones(3)"'
        )
    return calls


def example_text(arguments: Sequence[str]) -> Sequence[str]:
    """One text of arguments, empty if there is none."""
    return arguments[:1] or ("",)


def _call_of_method(text: str) -> ExampleCall:
    found = _OF_METHOD.fullmatch(text)
    if found is None:
        raise UsageError(
            f"--args {text!r}: with {{method}} in the name of the file, the name of the method comes first, "
            f'as in --args "forward: {text}"'
        )
    return ExampleCall(found[1], found[2])


def unit_arguments(unit: Any, chosen: Any, text: str) -> tuple[list[Any], dict[str, Any]]:
    """The arguments that a text spells, which the function takes."""
    positional, named = parse_arguments(text, chosen.schema, unit)
    refuse_wrong_arguments(chosen, positional, named)
    return positional, named


def shapes_of(
    unit: Any, calls: Sequence[ExampleCall], init: str | None, dynamic: str | None
) -> dict[str, Any]:
    """What ``--dynamic`` says of the arguments of each call, by its name: an argument of several is meant in each.

    Raises `UsageError` for arguments that none of them has, and for options that exported programs do not take.
    """
    if isinstance(unit, ExportedUnit):
        given = (("--args", any(each.arguments for each in calls)), ("--dynamic", dynamic))
        for option, is_given in given:
            if is_given:
                raise UsageError(f"{option}: an exported program is captured already")
    if dynamic is None:
        return {}
    shapes = parse_dynamic_shapes(dynamic)
    if len(calls) == 1:
        return {calls[0].name: shapes}
    found: dict[str, Any] = {}
    for each in calls:
        taken = {e.name for e in unit.choose(each.function, init).schema.arguments}
        found[each.name] = {name: dims for name, dims in shapes.items() if name in taken} or None
    known = {name for each in found.values() if each for name in each}
    unknown = [name for name in shapes if name not in known]
    if unknown:
        raise UsageError(f"--dynamic: no method has an argument {unknown[0]}")
    return found
