"""Where the code of an archive comes from: its ``.debug_pkl`` records, read and written.

A record maps offsets in a code file to ranges of the original program. Its pickle holds one table of
text lines; sources are lists of numbers of lines in it, with a file name and a first line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tsc.compiler.source.source import Source, SourceRange
from tsc.runtime.serialization.byte_places import BytePlaces
from tsc.runtime.serialization.errors import DAMAGED, ArchiveError
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.pickle_reader import read_pickle
from tsc.runtime.serialization.pickle_writer import write_pickle
from tsc.runtime.serialization.records import ContainerRecord, RecordValue

_FORMAT = "FORMAT_WITH_STRING_TABLE"


class CodeOrigin(NamedTuple):
    """From `offset` on (in bytes of the code file), code comes from `range`; None: from nowhere."""

    offset: int
    range: SourceRange | None


@dataclass(frozen=True, slots=True)
class SourceRanges:
    """The origins of one code file, by ascending offsets."""

    origins: tuple[CodeOrigin, ...]

    def at(self, offset: int) -> SourceRange | None:
        """The original range of the code at an offset, in bytes."""
        index = bisect_right(self.origins, offset, key=lambda origin: origin.offset)
        return self.origins[index - 1].range if index else None


def read_source_ranges(
    content: memoryview | bytes, *, limits: Limits = DEFAULT_LIMITS
) -> SourceRanges:
    """The origins that a ``.debug_pkl`` record holds, of today's form or of the older ones."""
    value = read_pickle(content, limits=limits)
    try:
        return _Reader(value, limits).read()
    except (TypeError, ValueError, LookupError, AttributeError):
        raise ArchiveError("the source ranges are garbled", hint=DAMAGED) from None


class _Reader:
    """Reads the tuples of a record; what they lack raises as Python does."""

    def __init__(self, value: tuple[Any, ...], limits: Limits) -> None:
        self._is_table = len(value) == 3 and value[0] == _FORMAT
        self._lines: Sequence[str] = value[1] if self._is_table else ()
        self._rows = value[2] if self._is_table else value
        self._sources: dict[int, tuple[Any, Source | None]] = {}
        self._places: dict[Source, BytePlaces] = {}
        self._budget = limits.record_bytes

    def read(self) -> SourceRanges:
        origins = [self._origin(row) for row in self._rows]
        return SourceRanges(tuple(sorted(origins, key=lambda origin: origin.offset)))

    def _origin(self, row: tuple[RecordValue, ...]) -> CodeOrigin:
        """A row is (offset, range) or (offset, range and tag in either order)."""
        offset = _integer(row[0])
        ((source, start, end),) = (part for part in row[1:] if isinstance(part, tuple))
        found = self._source(source)
        if found is None:
            return CodeOrigin(offset, None)
        places = self._places_in(found)
        first, last = (places.character_of(_integer(each)) for each in (start, end))
        return CodeOrigin(offset, SourceRange(found, first, last))

    def _places_in(self, source: Source) -> BytePlaces:
        """PyTorch counts bytes, we count characters."""
        if source not in self._places:
            self._places[source] = BytePlaces(source.text)
        return self._places[source]

    def _source(self, value: tuple[Any, ...]) -> Source | None:
        """Sources are shared by their ranges; `value` is kept, so that its id stays its own."""
        if id(value) not in self._sources:
            self._sources[id(value)] = (value, self._new_source(value))
        return self._sources[id(value)][1]

    def _new_source(self, value: tuple[Any, ...]) -> Source | None:
        text, filename, line = value
        if self._is_table:
            text = self._text(_items(text))
            filename = self._lines[_integer(filename)]
        if type(text) is not str or type(filename) not in (str, type(None)):
            raise TypeError
        if not text and not filename:
            return None
        return Source(text, filename or "<unknown>", max(_integer(line), 1))

    def _text(self, numbers: Iterable[Any]) -> str:
        """Lines by their numbers; a small table must not make endless texts."""
        lines = [self._lines[_integer(number)] for number in numbers]
        self._budget -= sum(map(len, lines))
        if self._budget < 0:
            raise ValueError
        return "".join(lines)


def _integer(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise TypeError
    return value


def _items(value: Any) -> Iterable[Any]:
    return value.value if isinstance(value, ContainerRecord) else value


# Writing ----------------------------------------------------------------------------------------


def write_source_ranges(ranges: SourceRanges) -> bytes:
    """The content of a ``.debug_pkl`` record, which PyTorch reads too."""
    return write_pickle(_Writer().record(ranges.origins))


class _Writer:
    """The table of lines, and the sources and ranges that have been written."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._sources: dict[int, tuple[Any, ...]] = {}
        self._places: dict[Source, BytePlaces] = {}
        self._tags: dict[tuple[int, int, int], int] = {}

    def record(self, origins: Sequence[CodeOrigin]) -> tuple[Any, ...]:
        rows = tuple(self._row(origin) for origin in origins)
        return _FORMAT, tuple(self._numbers), rows

    def _row(self, origin: CodeOrigin) -> tuple[Any, ...]:
        range_ = origin.range
        if range_ is None:
            return origin.offset, (self._unknown(), 0, 0), 0
        source = self._source(range_.source)
        key = (id(range_.source), range_.start, range_.end)
        tag = self._tags.setdefault(key, len(self._tags) + 1)
        places = self._places_in(range_.source)
        start, end = (places.byte_of(each) for each in (range_.start, range_.end))
        return origin.offset, (source, start, end), tag

    def _places_in(self, source: Source) -> BytePlaces:
        if source not in self._places:
            self._places[source] = BytePlaces(source.text)
        return self._places[source]

    def _unknown(self) -> tuple[Any, ...]:
        return self._sources.setdefault(0, (ContainerRecord([], "List[int]"), 0, 0))

    def _source(self, source: Source) -> tuple[Any, ...]:
        if id(source) not in self._sources:
            lines = [self._number(line) for line in source.text.splitlines(keepends=True)]
            text = ContainerRecord(lines, "List[int]")
            filename = self._number(source.filename)
            self._sources[id(source)] = (text, filename, source.first_line)
        return self._sources[id(source)]

    def _number(self, line: str) -> int:
        return self._numbers.setdefault(line, len(self._numbers))
