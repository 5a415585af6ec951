"""Strings, as programs may use them."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter
from typing import Any, Final

from tsc.runtime.construction.host.sequences import Sequence
from tsc.runtime.construction.values.operators import Operator
from tsc.runtime.construction.values.protocol import Evaluator

_WIDEST: Final = 1000
_SIZE_OF_PART: Final = 60  # bytes that a short text takes in a list
_METHODS: Final = """capitalize casefold count endswith find index isalnum isalpha isdecimal isdigit
isidentifier islower isnumeric isspace istitle isupper lower lstrip partition removeprefix
removesuffix rfind rindex rpartition rstrip startswith strip swapcase title
upper"""


def formatted(evaluator: Evaluator, value: Any, form: str) -> str:
    """``format(value, form)``"""
    if any(int(number) > _WIDEST for number in _numbers(form)):
        raise ValueError(f"the format {form!r} is too wide")
    if isinstance(value, str | int | float | complex):
        return format(value, form)
    return format(evaluator.text(value), form)


def _numbers(text: str) -> list[str]:
    return "".join(letter if letter.isdigit() else " " for letter in text).split()


def _join(evaluator: Evaluator, value: str, parts: Any) -> str:
    texts = evaluator.listed(parts)
    if all(isinstance(each, str) for each in texts):
        evaluator.check_size(sum(map(len, texts)) + len(value) * len(texts), 1)
    return value.join(texts)


def _replace(evaluator: Evaluator, value: str, old: str, new: str, count: int = -1) -> str:
    evaluator.check_size(len(value) + value.count(old) * len(new), 1)
    return value.replace(old, new, count)


def _format(evaluator: Evaluator, template: str, /, *values: Any, **named: Any) -> str:
    """``"{} {name}".format(...)``: plain fields only, since a field may reach into a value."""
    result: list[str] = []
    automatic = 0
    for text, field, form, conversion in Formatter().parse(template):
        result.append(text)
        if field is None:
            continue
        if field == "":
            field, automatic = str(automatic), automatic + 1
        if not (field.isdigit() or field.isidentifier()):
            raise ValueError(f"the field '{field}' of a format string is not supported")
        value = values[int(field)] if field.isdigit() else named[field]
        if conversion == "r":
            value = evaluator.representation(value)
        result.append(formatted(evaluator, value, form) if form else evaluator.text(value))
    return joined(evaluator, result)


def joined(evaluator: Evaluator, parts: list[str]) -> str:
    """The parts of a text as one."""
    evaluator.check_size(sum(map(len, parts)), 1)
    return "".join(parts)


def _split(name: str) -> Callable[..., list[str]]:
    def split(evaluator: Evaluator, value: str, *separator: Any, **named: Any) -> list[str]:
        given = [*separator, *named.values()]
        parts = (
            value.count(given[0])
            if given and isinstance(given[0], str) and given[0]
            else len(value) // 2
        )
        evaluator.check_size(parts, _SIZE_OF_PART)
        return getattr(value, name)(*separator, **named)

    return split


def _pad(name: str) -> Callable[..., str]:
    def pad(evaluator: Evaluator, value: str, width: int, *fill: str) -> str:
        evaluator.check_size(width, 1)
        return getattr(value, name)(width, *fill)

    return pad


def _percent_format(evaluator: Evaluator, template: str, values: Any) -> str:
    if "*" in template or any(len(number) > 3 for number in _numbers(template)):
        raise ValueError("the format is too wide")
    plain = _as_plain(evaluator, values)
    parts = plain if isinstance(plain, tuple) else (plain,)
    evaluator.check_size(sum(len(each) for each in parts if isinstance(each, str)), 1)
    return template % plain


def _as_plain(evaluator: Evaluator, values: Any) -> Any:
    if isinstance(values, tuple):
        return tuple(_as_plain(evaluator, value) for value in values)
    if isinstance(values, str | int | float | complex | dict):
        return values
    return evaluator.text(values)


class Text(Sequence):
    """``str``"""

    __slots__ = ()
    methods = frozenset(_METHODS.split())
    own_methods = {
        "join": _join,
        "replace": _replace,
        "format": _format,
        **{name: _pad(name) for name in ("center", "ljust", "rjust", "zfill")},
        **{name: _split(name) for name in ("split", "rsplit", "splitlines")},
    }

    def contains(self, evaluator: Evaluator, item: Any) -> bool:
        return item in self.host

    def combined(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        if operator.symbol == "%":
            return _percent_format(evaluator, self.host, other)
        return super().combined(evaluator, operator, other)
