"""Names of TorchScript's serialized form: ``ops.prim.x``, ``CONSTANTS.c0``, ``__torch__.a.f``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Final

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values.class_value import ClassValue
from tsc.compiler.emit.sugared_values.grad_mode import NO_GRAD, NoGradClass
from tsc.compiler.emit.sugared_values.namespace_value import OperatorNamespaces
from tsc.compiler.emit.sugared_values.record_function import RECORD_FUNCTION
from tsc.compiler.emit.sugared_values.simple_value import SimpleValue
from tsc.compiler.emit.sugared_values.special_forms import SpecialFormValue
from tsc.compiler.ir import prim
from tsc.compiler.source import SourceRange, codes

_NUMBER: Final = re.compile(r"[0-9]{1,9}")
SERIALIZED_NAMES: Final[dict[str, SugaredValue]] = {
    "ops": OperatorNamespaces(),
    "annotate": SpecialFormValue("prim::annotate"),
    "unchecked_cast": SpecialFormValue(prim.unchecked_cast),
    "uninitialized": SpecialFormValue(prim.Uninitialized),
    "fork": SpecialFormValue(prim.fork),
    "awaitable": SpecialFormValue(prim.awaitable),
}
SERIALIZED_NUMBERS: Final[dict[str, float | complex]] = {
    "inf": math.inf,
    "nan": math.nan,
    "infj": complex(0, math.inf),
    "nanj": complex(0, math.nan),
}


class FunctionNamespace(SugaredValue):
    """``__torch__`` and the packages in it, down to functions and classes by their full names."""

    __slots__ = ("find", "path")

    def __init__(self, path: str, find: Callable[[str], SugaredValue | None]) -> None:
        self.path = path
        self.find = find

    @property
    def kind(self) -> str:
        return "class namespace"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        path = f"{self.path}.{name}"
        if path == NO_GRAD.qualified_name:
            return NoGradClass()
        found = self.find(path)
        if found is None and path == RECORD_FUNCTION.qualified_name:
            return ClassValue(RECORD_FUNCTION)
        return found or FunctionNamespace(path, self.find)

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        raise self._refusal(
            range, f"Unknown function {self.path}", code=codes.UNKNOWN_SERIALIZED_NAME
        )


class ConstantTable(SugaredValue):
    """``CONSTANTS``, the values kept beside the code of an archive."""

    __slots__ = ("constants",)

    def __init__(self, constants: Sequence[object]) -> None:
        self.constants = constants

    @property
    def kind(self) -> str:
        return "CONSTANTS"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        number = name.removeprefix("c")
        if not _NUMBER.fullmatch(number) or int(number) >= len(self.constants):
            raise self._refusal(
                range,
                f"invalid constant specifier: {name}",
                code=codes.UNKNOWN_SERIALIZED_NAME,
                hint=f"the archive has {len(self.constants)} constants",
            )
        constant = self.constants[int(number)]
        return SimpleValue(emitter.graph.insert_constant(constant, range=range))
