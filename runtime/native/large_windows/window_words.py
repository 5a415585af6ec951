"""What kernels over windows are told: pointers, numbers and tables by their places."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

PRODUCT, MAXIMUM, MEAN = "product", "maximum", "mean"


class Pointer(IntEnum):
    """The places of pointers."""

    SOURCE = 0
    WEIGHT = 1
    ADDED = 2
    """The bias; of means, how many elements the window of each lane has."""
    RESULT = 3
    ROWS = 4
    TERMS = 5
    VECTORS = 6


class Word(IntEnum):
    """The places of numbers in the layout; what lies in memory is measured in bytes."""

    GROUPS = 0
    IMAGE_STEP = 1
    CHANNEL_STEP = 2
    COLUMN_STEP = 3
    CHANNELS = 4
    OUTPUTS = 5
    TERM_COUNT = 6
    PLANE = 7
    ROW_COUNT = 8
    TILE_COUNT = 9
    RESULT_PLANE = 10
    IS_COPIED = 11
    TILES_FIRST = 12
    LINE = 13
    RESULT_LINE = 14
    WEIGHT_STEP = 15
    """From an output's weights to the next one's."""


class StepPointer(IntEnum):
    """The places of pointers where a convolution is one kernel of a group, which computes all of it."""

    RESULT = 0
    SCRATCH = 1
    SOURCE = 2
    WEIGHT = 3
    ADDED = 4


class StepWord(IntEnum):
    """The places of numbers after those of `Word`, in the layout of such a kernel; the tables are behind them."""

    ADDED_AT = len(Word)
    """In words from the beginning of the layout, what is added if no array tells it; 0 where one does."""
    ROWS_AT = len(Word) + 1
    TERMS_AT = len(Word) + 2
    VECTORS_AT = len(Word) + 3


ROW_WORDS: Final = 5
"""Of a row to copy: where it goes, where it comes from, elements of margin, of the row, and of margin after it."""
TERM_WORDS: Final = 2
"""Of a term: where its elements are, and where its weight is."""
VECTOR_WORDS: Final = 4
"""Of a vector: where it reads, where it is stored, which lanes are results, and as many lanes from the first on."""


Columns = tuple[tuple[tuple[int, ...], int], ...]
"""Of kernels of one channel: which rows the elements of a column read, counted from the first one's, and how many
columns there are of the kind.
"""


@dataclass(frozen=True, slots=True)
class Tile:
    """How many results a kernel sums up at once: of `rows` outputs, `vectors` beside each other."""

    rows: int
    vectors: int
    lanes: int
    lines: int = 1
    """Rows of a plane whose results are summed up at once, where there is one channel."""
