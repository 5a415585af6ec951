"""Instructions on single elements as instructions on vectors of them, one element to a lane."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tsc.runtime.native.expressions.instructions import Instructions

_TOKEN: Final = re.compile(
    r"[%@](?P<name>[\w.]+)|(?P<type>\b(?:float|double|half|i\d+)\b)"
    r"|(?P<literal>0x[0-9A-F]+|-?\b\d+\b|\b(?:true|false)\b)|\w+"
)
_SUFFIX: Final = re.compile(r"\.([fi]\d+)$")
"""The end of an intrinsic's name: the type that it is on."""
_INLINED: Final = 12
"""Instructions that are repeated wherever they are wanted; more of them are called."""


@dataclass(frozen=True, slots=True)
class Finish:
    """What becomes of a vector of results on its way to memory: a function `finish` of LLVM, as text.

    It takes the vector, numbers of its channel in all lanes, and vectors of arrays that lie as the result does.
    """

    text: str
    channels: int
    wholes: int


class VectorInstructions(Instructions):
    """Written as instructions on elements, they are on vectors of `lanes` of them."""

    __slots__ = ("lanes",)

    def __init__(self, lanes: int) -> None:
        super().__init__()
        self.lanes = lanes

    def add(self, text: str) -> str:
        return super().add(widened(text, self.lanes))

    def finish(self, type: str, result: str, channels: int, wholes: int) -> Finish:
        """The function of what has been written, which computes `result` of `%x`, `%channel0`, …, `%whole0`, …"""
        vector = f"<{self.lanes} x {type}>"
        names = [f"channel{k}" for k in range(channels)] + [f"whole{k}" for k in range(wholes)]
        parameters = ", ".join(f"{vector} %{each}" for each in ("x", *names))
        kind = "alwaysinline" if len(self.lines) <= _INLINED else "noinline"
        head = f'internal {vector} @finish({parameters}) {kind} nounwind "min-legal-vector-width"="512"'
        lines = [f"define {head} {{", *self.lines, f"  ret {vector} {result}", "}"]
        lines += [widened(each, self.lanes) for each in sorted(self.intrinsics)]
        return Finish("\n".join(lines), channels, wholes)


def widened(text: str, lanes: int) -> str:
    """An instruction or declaration on elements, on vectors: constants are the same in all lanes."""
    type = ""

    def wide(token: re.Match[str]) -> str:
        nonlocal type
        if token["type"]:
            type = token[0]
            return f"<{lanes} x {type}>"
        if token["literal"]:
            return f"splat ({type} {token[0]})"
        return _SUFFIX.sub(rf".v{lanes}\1", token[0]) if token[0].startswith("@llvm.") else token[0]

    return _TOKEN.sub(wide, text)
