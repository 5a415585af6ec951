"""Types that exist as objects: ``List[int]``, ``Optional[Point]``, classes."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.frontend.annotations import known_type
from tsc.compiler.frontend.parser import parse_expression
from tsc.compiler.source import Source
from tsc.compiler.types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    Device,
    DictType,
    FutureType,
    ListType,
    TupleType,
    Type,
    optional,
    union,
)
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.live.known_objects import path_of
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.compiler.source import SourceRange
    from tsc.runtime.live.protocols import LiveCompilation, Names

_PLAIN: Final[dict[Any, Type]] = {
    None: NONE,
    type(None): NONE,
    int: INT,
    float: FLOAT,
    bool: BOOL,
    complex: COMPLEX,
    str: STRING,
    Tensor: TENSOR,
    Device: DEVICE,
    DType: INT,
    typing.Any: ANY,
}
_UNIONS: Final = (typing.Union, types.UnionType)


class LiveAnnotations:
    """Makes types of what annotations evaluate to. None where the name tells more than the object."""

    def __init__(self, compilation: LiveCompilation) -> None:
        self._compilation = compilation

    def type_of(self, annotation: Any, resolver: Names, range: SourceRange) -> Type | None:
        try:
            if annotation in _PLAIN:
                return _PLAIN[annotation]
        except TypeError:  # not hashable: no type
            return None
        if isinstance(annotation, str):
            return self._of_text(annotation, resolver, range)
        origin = typing.get_origin(annotation)
        if origin is not None:
            return self._of_generic(annotation, origin, resolver, range)
        if not isinstance(annotation, type):
            return None
        found = self._named(annotation, range)
        return found or self._compilation.type_of_class(annotation, range)

    def _of_text(self, text: str, resolver: Names, range: SourceRange) -> Type:
        source = Source(text, range.source.filename, range.line)
        return resolver.types.parse_type(parse_expression(source))

    def _named(self, annotation: type, range: SourceRange) -> Type | None:
        """A class that the compiler knows by its full name: ``torch.Tensor``."""
        return known_type(path_of(annotation) or "")

    def _of_generic(
        self, annotation: Any, origin: Any, resolver: Names, range: SourceRange
    ) -> Type | None:
        if origin is typing.Annotated:
            return self.type_of(annotation.__origin__, resolver, range)
        members = [self.type_of(each, resolver, range) for each in typing.get_args(annotation)]
        arguments = [each for each in members if each is not None]
        if len(arguments) != len(members):
            return None
        if origin is tuple:
            return TupleType(tuple(arguments))
        if origin in _UNIONS:
            others = [each for each in arguments if each != NONE]
            if len(others) == 1 and len(arguments) == 2:
                return optional(others[0])
            return union(arguments)
        if origin is dict and len(arguments) == 2:
            return DictType(*arguments)
        if len(arguments) != 1:
            return None
        if origin is list:
            return ListType(arguments[0])
        name = getattr(origin, "__name__", None) or getattr(origin, "_name", "")
        return {"Future": FutureType(arguments[0]), "Final": arguments[0]}.get(name)


def is_final(annotation: Any) -> bool:
    """Whether an annotation, evaluated or not, says that an attribute is a constant."""
    if isinstance(annotation, str):
        return annotation.partition("[")[0].rpartition(".")[2] == "Final"
    return annotation is typing.Final or typing.get_origin(annotation) is typing.Final
