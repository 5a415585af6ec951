"""The text of a function that puts the phases of rows between each other: each has every so many elements of a row."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors

NAME: Final = "phases"
_HEAD: Final = (
    f"define void @{NAME}(ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers) nounwind"
    ' "min-legal-vector-width"="512"'
)
PhaseWord = IntEnum("PhaseWord", "LAYERS ROWS PLANE_STEP LAYER_STEP ROW_STEP COUNTS", start=0)
"""The layout: extents of planes, and bytes from a plane, layer and row of results to the next one; then how many
elements of a row each phase has.
"""


@functools.cache
def phase_text(dtype: np.dtype, lanes: int, count: int) -> str:
    """Pointers are those to the results, and to `count` phases, whose rows follow each other without gaps.

    A part is one of planes.
    """
    code = LoopText()
    on = Vectors(code, dtype, lanes)
    item = str(dtype.itemsize)
    target, *phases = (code.word("%pointers", k, "ptr") for k in range(1 + count))
    layers, rows, *steps = (code.word("%layout", k) for k in list(PhaseWord)[:-1])
    counts = [code.word("%layout", PhaseWord.COUNTS + k) for k in range(count)]
    lines = [code.add(f"mul i64 {each}, {item}") for each in counts]
    whole = code.add(f"sub i64 {counts[-1]}, {code.add(f'srem i64 {counts[-1]}, {lanes}')}")
    with (
        code.loop("%begin", "%end") as plane,
        code.loop("0", layers) as layer,
        code.loop("0", rows) as row,
    ):
        made = code.moved(target, *zip((plane, layer, row), steps))
        above = code.add(f"add i64 {code.add(f'mul i64 {plane}, {layers}')}, {layer}")
        number = code.add(f"add i64 {code.add(f'mul i64 {above}, {rows}')}, {row}")
        read = [code.moved(each, (number, line)) for each, line in zip(phases, lines)]
        with code.loop("0", whole, lanes) as column:
            vectors = [on.load(code.moved(each, (column, item))) for each in read]
            place = code.add(f"mul i64 {column}, {count}")
            _store_between(on, vectors, code.moved(made, (place, item)))
        for phase, (source, end) in enumerate(zip(read, counts)):
            with code.loop(whole, end) as column:
                value = code.add(f"load {on.element}, ptr {code.moved(source, (column, item))}")
                place = code.add(f"add i64 {code.add(f'mul i64 {column}, {count}')}, {phase}")
                to = code.moved(made, (place, item))
                code.lines.append(f"  store {on.element} {value}, ptr {to}")
    return "\n".join([*code.function(_HEAD), *sorted(code.intrinsics)])


def _store_between(on: Vectors, vectors: Sequence[str], place: str) -> None:
    """The lanes of vectors in turn: each vector of results takes its own from one after the other of those given."""
    code, count, type = on.code, len(vectors), on.type
    for number in range(count):
        chosen = [divmod(number * on.lanes + lane, count) for lane in range(on.lanes)]
        made = vectors[0]
        for phase, vector in enumerate(vectors):
            lanes = ", ".join(
                f"i32 {on.lanes + lane if source == phase else at}"
                for at, (lane, source) in enumerate(chosen)
            )
            if phase == 0:
                lanes = ", ".join(f"i32 {lane if source == 0 else 0}" for lane, source in chosen)
            others = f"{type} {vector}, <{on.lanes} x i32> <{lanes}>"
            made = code.add(f"shufflevector {type} {made}, {others}")
        on.store(made, code.moved(place, (str(number), str(on.lanes * on.bytes))))
