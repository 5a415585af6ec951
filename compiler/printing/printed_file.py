"""A file of Python source in the making, which several definitions are printed into."""

from __future__ import annotations

from tsc.compiler.source import UNKNOWN_RANGE, SourceRange


class PrintedFile:
    """A file of several classes and functions: what the printing of one tells that of the next.

    ``numbers`` are those that variables have come to. ``origins`` say from which offset (in bytes) on
    the text was made from which range of a program; ``length`` is that of the text so far.
    """

    __slots__ = ("length", "numbers", "origins")

    def __init__(self) -> None:
        self.length = 0
        self.numbers: dict[str, int] = {}
        self.origins: list[tuple[int, SourceRange]] = []

    def add(self, text: str, origin: SourceRange | None = None) -> None:
        last = self.origins[-1][1] if self.origins else None
        if origin is not None and origin is not UNKNOWN_RANGE and origin != last:
            self.origins.append((self.length, origin))
        self.length += len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
