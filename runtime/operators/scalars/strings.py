"""Methods of strings. Strings are Unicode here, where PyTorch counts bytes.

An end of -1 means the end of the string, so that the default reaches the last letter.
"""

from __future__ import annotations

import operator as python
import re
from collections.abc import Callable

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.fast_forms import always
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalars import SUM
from tsc.runtime.values.slices import check_slice_step

_LINE_ENDS = re.compile("[\n\r\f\v\x1c-\x1e\x85\u2028\u2029]")

operator(
    "aten::add.str(str a, str b) -> str", expression=SUM, lowering=lowerings.by("joined_texts")
)(python.add)
operator("aten::len.str(str s) -> int", lowering=lowerings.by("text_length"))(len)


def end_of(text: str, end: int) -> int:
    """Where a search ends, as Python counts it."""
    return end if end >= 0 else max(len(text) + end + 1, 0)


def between(text: str, start: int, end: int) -> tuple[int, int]:
    """The places where a search starts and ends; both are not negative, and in no order.

    Raises:
        ScriptError: the search would start behind the end of the text.
    """
    if start < 0:
        start = max(len(text) + start, 0)
    end = end_of(text, end)
    if start > len(text) and start < end:
        raise ScriptError("RuntimeError", behind_the_end(text, start))
    return start, end


def behind_the_end(text: str, start: int) -> str:
    return f"the position {start} is behind the end of a string of length {len(text)}"


def stretch(text: str, start: int, end: int) -> str:
    """The letters from `start` to `end`, or to the last where `end` is in front of `start`.

    Raises:
        ScriptError: `start` is behind the end of the text.
    """
    start, end = between(text, start, end)
    if start > len(text):
        raise ScriptError("RuntimeError", behind_the_end(text, start))
    return text[start:end] if end >= start else text[start:]


def require_separator(separator: str) -> None:
    if not separator:
        raise ScriptError("RuntimeError", "ValueError: empty separator")


def require_one_letter(fillchar: str) -> None:
    if len(fillchar) != 1:
        message = (
            f"TypeError: The fill character must be exactly one character long, not {fillchar!r}"
        )
        raise ScriptError("RuntimeError", message)


# -- Letters and slices ------------------------------------------------------------------------


@operator(
    "aten::__getitem__.str(str s, int index) -> str",
    fast_form=always(python.getitem),
    lowering=lowerings.by("character"),
)
def getitem(s: str, index: int) -> str:
    try:
        return s[index]
    except IndexError:
        raise ScriptError("RuntimeError", "string index out of range") from None


@operator(
    "prim::StringIndex(str string, int index) -> str",
    lowering=lowerings.by("character"),
)
def string_index(string: str, index: int) -> str:
    return getitem(string, index)


@operator(
    "aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str",
    lowering=lowerings.by_node("part_of_text"),
)
def slice_(string: str, start: int | None, end: int | None, step: int) -> str:
    check_slice_step(step)
    return string[start:end:step]


@operator("aten::list(str t) -> str[]", lowering=lowerings.by_node("letters_of_text"))
def letters(t: str) -> list[str]:
    return list(t)


@operator("aten::ord(str string) -> int", lowering=lowerings.by("code_of"))
def ord_(string: str) -> int:
    if len(string) != 1:
        message = f"String for ord() must be 1 character, found {len(string)}"
        raise ScriptError("RuntimeError", message)
    return ord(string)


@operator("aten::chr(int i) -> str", lowering=lowerings.by("letter_of"))
def chr_(i: int) -> str:
    if not 0 <= i < 0x110000:
        message = f"chr() arg not in range(0x110000), found {i}"
        raise ScriptError("RuntimeError", message)
    return chr(i)


operator("aten::bin(int i) -> str")(bin)
operator("aten::oct(int i) -> str")(oct)
operator("aten::hex(int i) -> str")(hex)

# -- Case and questions ------------------------------------------------------------------------

operator("aten::capitalize(str self) -> str")(str.capitalize)
operator("aten::lower(str self) -> str")(str.lower)
operator("aten::upper(str self) -> str")(str.upper)
operator("aten::swapcase(str self) -> str")(str.swapcase)
operator("aten::title(str self) -> str")(str.title)


def declare_kind(name: str, ask: Callable[[str], bool]) -> None:
    """What is asked of each letter."""
    lowering = lowerings.by_node("all_letters_are")
    operator(f"aten::{name}(str self) -> bool", lowering=lowering)(ask)


declare_kind("isalnum", str.isalnum)
declare_kind("isalpha", str.isalpha)
declare_kind("isdecimal", str.isdecimal)
declare_kind("isdigit", str.isdigit)
operator("aten::isidentifier(str self) -> bool")(str.isidentifier)
operator("aten::islower(str self) -> bool")(str.islower)
declare_kind("isnumeric", str.isnumeric)
operator("aten::isprintable(str self) -> bool")(str.isprintable)
declare_kind("isspace", str.isspace)
operator("aten::istitle(str self) -> bool")(str.istitle)
operator("aten::isupper(str self) -> bool")(str.isupper)

# -- Searching ---------------------------------------------------------------------------------


@operator("aten::startswith(str self, str substr, int start=0, int end=-1) -> bool")
def startswith(self: str, substr: str, start: int, end: int) -> bool:
    if start == 0 and end == -1:
        return self.startswith(substr)
    return stretch(self, start, end).startswith(substr)


@operator("aten::endswith(str self, str substr, int start=0, int end=-1) -> bool")
def endswith(self: str, substr: str, start: int, end: int) -> bool:
    if start == 0 and end == -1:
        return self.endswith(substr)
    return stretch(self, start, end).endswith(substr)


@operator("aten::count(str self, str substr, int start=0, int end=-1) -> int")
def count(self: str, substr: str, start: int, end: int) -> int:
    """How often a text occurs without overlaps; what begins in front of the end counts.

    PyTorch looks for an empty text forever where there is any place to look at.
    """
    if start < 0:
        start = max(len(self) + start, 0)
    end = end_of(self, end)
    if start > len(self) or start >= end:
        return 0
    if not substr:
        raise ScriptError("RuntimeError", "ValueError: count() of an empty substring never ends")
    if end >= len(self):
        return self.count(substr, start)
    return self.count(substr, start, min(end + len(substr) - 1, len(self)))


@operator(
    "aten::find(str self, str substr, int start=0, int end=-1) -> int",
    lowering=lowerings.by_node("found_in_text"),
)
def find(self: str, substr: str, start: int, end: int) -> int:
    if start == 0 and (end == -1 or end >= len(self)):
        return self.find(substr)
    start, end = between(self, start, end)
    if start >= end:  # an empty text is found in front of the letter `start`, wherever that is
        return -1 if substr else start
    return self.find(substr, start, end)


@operator("aten::rfind(str self, str substr, int start=0, int end=-1) -> int")
def rfind(self: str, substr: str, start: int, end: int) -> int:
    start, end = between(self, start, end)
    if start >= end:
        return -1 if substr else start
    return self.rfind(substr, start, end)


def require_found(position: int) -> int:
    if position < 0:
        raise ScriptError("RuntimeError", "ValueError: substring not found")
    return position


@operator("aten::index.str(str self, str substr, int start=0, int end=-1) -> int")
def index(self: str, substr: str, start: int, end: int) -> int:
    return require_found(find(self, substr, start, end))


@operator("aten::rindex(str self, str substr, int start=0, int end=-1) -> int")
def rindex(self: str, substr: str, start: int, end: int) -> int:
    return require_found(rfind(self, substr, start, end))


# -- Taking apart and putting together ---------------------------------------------------------


@operator("aten::split.str(str self, str? separator=None, int max=-1) -> str[]")
def split(self: str, separator: str | None, max: int) -> list[str]:
    if separator is not None:
        require_separator(separator)
    return self.split(separator, max)


@operator('aten::rsplit(str self, str separator=" ", int max=-1) -> str[]')
def rsplit(self: str, separator: str, max: int) -> list[str]:
    require_separator(separator)
    return self.rsplit(separator, max)


@operator("aten::splitlines(str self, bool keepends=False) -> str[]")
def splitlines(self: str, keepends: bool) -> list[str]:
    """Each end of a line counts alone, and is kept as a line of its own."""
    lines: list[str] = []
    start = 0
    for end in _LINE_ENDS.finditer(self):
        lines.append(self[start : end.start()])
        if keepends:
            lines.append(end.group())
        start = end.end()
    if start < len(self):
        lines.append(self[start:])
    return lines


@operator("aten::partition(str self, str separator) -> (str, str, str)")
def partition(self: str, separator: str) -> tuple[str, str, str]:
    return self.partition(separator) if separator else ("", "", self)


@operator("aten::rpartition(str self, str separator) -> (str, str, str)")
def rpartition(self: str, separator: str) -> tuple[str, str, str]:
    return self.rpartition(separator) if separator else (self, "", "")


operator("aten::join(str self, str[] values) -> str")(str.join)


@operator("aten::replace(str self, str old, str new, int max=-1) -> str")
def replace(self: str, old: str, new: str, max: int) -> str:
    return self.replace(old, new, max)


# -- Stripping and filling ---------------------------------------------------------------------


@operator('aten::strip(str self, str chars=" \\n\\t\\f\\v") -> str')
def strip(self: str, chars: str) -> str:
    return self.strip(chars)


@operator('aten::lstrip(str self, str chars=" \\n\\t\\f\\v") -> str')
def lstrip(self: str, chars: str) -> str:
    return self.lstrip(chars)


@operator('aten::rstrip(str self, str chars=" \\n\\t\\f\\v") -> str')
def rstrip(self: str, chars: str) -> str:
    return self.rstrip(chars)


@operator('aten::center(str self, int width, str fillchar=" ") -> str')
def center(self: str, width: int, fillchar: str) -> str:
    require_one_letter(fillchar)
    return self.center(width, fillchar)


@operator('aten::ljust(str self, int width, str fillchar=" ") -> str')
def ljust(self: str, width: int, fillchar: str) -> str:
    require_one_letter(fillchar)
    return self.ljust(width, fillchar)


@operator('aten::rjust(str self, int width, str fillchar=" ") -> str')
def rjust(self: str, width: int, fillchar: str) -> str:
    require_one_letter(fillchar)
    return self.rjust(width, fillchar)


@operator("aten::zfill(str self, int width) -> str")
def zfill(self: str, width: int) -> str:
    """Zeros go before the sign."""
    return self.rjust(width, "0")


@operator("aten::expandtabs(str self, int tabsize=8) -> str")
def expandtabs(self: str, tabsize: int) -> str:
    """Columns are counted from the start of the string, whatever line ends lie between."""
    pieces = self.split("\t")
    text = pieces[0]
    for piece in pieces[1:]:
        blanks = tabsize - len(text) % tabsize if tabsize > 0 else 0
        text += " " * blanks + piece
    return text
