"""What ``break`` and ``continue`` would leave."""

from enum import Enum, auto


class LoopStatus(Enum):
    """Whether the statement being emitted is in a loop, and of what sort."""

    NOT_IN_LOOP = auto()
    IN_LOOP = auto()
    IN_UNROLLED_LOOP = auto()
