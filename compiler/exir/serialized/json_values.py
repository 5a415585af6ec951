"""JSON of somebody else: every field is checked when it is asked for, and an error says where it stands."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from tsc.compiler.source import Error

_T = TypeVar("_T")
_NOT_FINITE: Final = {"Infinity": float("inf"), "-Infinity": float("-inf"), "NaN": float("nan")}


class SerializedProgramError(Error):
    """A serialized program that is not what PyTorch writes, or has something in it that tsc does not know.

    `hint` says what to do about it, where that is not to get another copy of the file.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def read_json(text: str, place: str) -> JsonObject:
    """The object that a text spells; `place` is what errors call it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise SerializedProgramError(f"{place} is no JSON") from None
    return JsonObject.of(value, place)


class JsonObject:
    """An object, and where it stands in the file."""

    __slots__ = ("fields", "place")

    def __init__(self, fields: dict[str, Any], place: str) -> None:
        self.fields = fields
        self.place = place

    @staticmethod
    def of(value: Any, place: str) -> JsonObject:
        """Raises `SerializedProgramError` for a value that is no object."""
        return JsonObject(cast("dict[str, Any]", checked(value, dict, place)), place)

    def has(self, name: str) -> bool:
        """Whether there is a field, and something in it."""
        return self.fields.get(name) is not None

    def text(self, name: str) -> str:
        return checked(self._field(name), str, f"{self.place}.{name}")

    def integer(self, name: str) -> int:
        return integer(self._field(name), f"{self.place}.{name}")

    def flag(self, name: str) -> bool:
        return checked(self._field(name), bool, f"{self.place}.{name}")

    def object(self, name: str) -> JsonObject:
        return JsonObject.of(self._field(name), f"{self.place}.{name}")

    def items(self, name: str) -> list[Any]:
        return array(self._field(name), f"{self.place}.{name}")

    def objects(self, name: str) -> list[JsonObject]:
        """The objects of a list."""
        place = f"{self.place}.{name}"
        return [
            JsonObject.of(each, f"{place}[{number}]")
            for number, each in enumerate(self.items(name))
        ]

    def mapped(self, name: str) -> dict[str, JsonObject]:
        """The objects in an object; none where the field is left out."""
        if not self.has(name):
            return {}
        inner = self.object(name)
        return {
            key: JsonObject.of(each, f"{inner.place}.{key}") for key, each in inner.fields.items()
        }

    def choice(self) -> tuple[str, Any]:
        """Of a union: which of its fields is there, and what is in it."""
        if len(self.fields) != 1:
            raise SerializedProgramError(
                f"{self.place} is to have one field, and has {list(self.fields)[:5]}"
            )
        return next(iter(self.fields.items()))

    def read(self, name: str, read: Callable[[str], _T]) -> _T:
        """A text that `read` makes something of, whose errors are told with the place."""
        try:
            return read(self.text(name))
        except SerializedProgramError:
            raise
        except Error as error:
            raise SerializedProgramError(f"{self.place}.{name}: {error}") from None

    def _field(self, name: str) -> Any:
        if name not in self.fields:
            raise SerializedProgramError(f"{self.place} has no field {name}")
        return self.fields[name]


def checked(value: Any, kind: type[_T], place: str) -> _T:
    """The value, if it is of a kind of JSON."""
    if type(value) is not kind:
        raise SerializedProgramError(
            f"{place} is to be a {kind.__name__}, and is a {type(value).__name__}"
        )
    return cast("Any", value)


def array(value: Any, place: str) -> list[Any]:
    """A list of anything."""
    return cast("list[Any]", checked(value, list, place))


def integer(value: Any, place: str) -> int:
    """An int of 64 bits."""
    number = checked(value, int, place)
    if not -(1 << 63) <= number < 1 << 63:
        raise SerializedProgramError(f"{place} does not fit in 64 bits")
    return number


def finite(value: float) -> float | str:
    """A number as JSON has it: the inverse of `floating`."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def floating(value: Any, place: str) -> float:
    """A number, or one of those that JSON has no number for: "Infinity", "-Infinity", "NaN"."""
    if isinstance(value, str) and value in _NOT_FINITE:
        return _NOT_FINITE[value]
    return float(value) if type(value) is int else checked(value, float, place)
