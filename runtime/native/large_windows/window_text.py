"""The text of kernels over windows: convolutions, maxima and means.

Windows are read from planes whose rows follow each other, so that an element of all windows is a plane that begins
elsewhere: a convolution is a product of matrices whose second one is told by the addresses of its rows. Planes that
do not lie so, or have margins or strides, are copied first, each phase of a stride as a plane of its own. Vectors go
across the ends of rows; what they compute there is left out when they are stored.

A kernel is called with pointers, layout (`large_window_words`), the part that is to be done, and memory for copies.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.loop_text import LoopText
from tsc.runtime.native.expressions.vectors import Vectors, splat
from tsc.runtime.native.large_windows.channel_tile import ChannelTileText
from tsc.runtime.native.large_windows.window_tile import TileText
from tsc.runtime.native.large_windows.window_words import (
    MEAN,
    PRODUCT,
    ROW_WORDS,
    VECTOR_WORDS,
    Columns,
    Pointer,
    StepPointer,
    StepWord,
    Tile,
    Word,
)

_TABLES: Final = "ptr %pointers, ptr %layout, i64 %begin, i64 %end"
_ARRAYS: Final = ("source", "weight", "added", "result")


@functools.cache
def window_text(kind: str, dtype: np.dtype, tile: Tile, columns: Columns = ()) -> str:
    """The functions `copy`, of planes, `tiles`, of one image and group, `items`, of both for several of these, and
    those that are kernels of groups of operators.
    """
    if columns:
        of_tile = ChannelTileText(dtype, tile, columns)
    else:
        of_tile = TileText(kind, dtype, tile)
    lines = [of_tile.text()]
    intrinsics = of_tile.code.intrinsics
    kernels = _Kernels(of_tile)
    for text, head in (
        (kernels.planes(), f"internal void @planes({_TABLES}, ptr %source, ptr noalias %copied)"),
        (kernels.group(), f"internal void @group({_TABLES}, {_parameters(_ARRAYS)})"),
        (kernels.copy(), f"void @copy({_TABLES}, ptr %copied)"),
        (kernels.tiles(), f"void @tiles({_TABLES}, ptr %copied)"),
        (kernels.items(), f"void @items({_TABLES}, ptr %copied)"),
        (kernels.step(), f"void @step({_TABLES}, ptr %numbers)"),
        (kernels.step_apart(), f"void @step_apart({_TABLES}, ptr %numbers)"),
        (kernels.step_copy(), f"void @step_copy({_TABLES}, ptr %numbers)"),
        (kernels.step_tiles(), f"void @step_tiles({_TABLES}, ptr %numbers)"),
    ):
        lines += text.function(f"define {head} noinline nounwind")
        intrinsics |= text.intrinsics
    return "\n".join([*lines, *sorted(intrinsics)])


def _parameters(names: Sequence[str]) -> str:
    return ", ".join(f"ptr %{each}" for each in names)


@contextmanager
def _turns(code: LoopText, inner: str) -> Iterator[tuple[str, str]]:
    """The part that is to be done of an outer loop, and all of an inner one."""
    with code.loop("%begin", "%end") as outer, code.loop("0", inner) as index:
        yield outer, index


class _Kernels:
    """The functions around a tile."""

    def __init__(self, tile: TileText) -> None:
        self.kind, self.tile, self.fill = tile.kind, tile.tile, tile.fill
        self.dtype, self.item, self.type = tile.dtype, tile.item, tile.on.element

    # -- Copies of planes --------------------------------------------------------------------

    def planes(self) -> LoopText:
        """Copies the planes from `begin` to `end` of an image's group."""
        code = LoopText()
        rows = code.word("%pointers", Pointer.ROWS, "ptr")
        source_step, step = (code.word("%layout", k) for k in (Word.CHANNEL_STEP, Word.COLUMN_STEP))
        plane, count = (code.word("%layout", k) for k in (Word.PLANE, Word.ROW_COUNT))
        with code.loop("%begin", "%end") as channel:
            source = code.moved("%source", (channel, source_step))
            target = code.moved("%copied", (channel, plane))
            with code.loop("0", count) as row:
                entry = code.moved(rows, (row, str(8 * ROW_WORDS)))
                to, at, *counts = (code.word(entry, k) for k in range(ROW_WORDS))
                ends = code.moved(target, (to, "1")), code.moved(source, (at, "1"))
                self._copy_row(code, *ends, counts, step)
        return code

    def _copy_row(
        self, code: LoopText, target: str, source: str, counts: Sequence[str], step: str
    ) -> None:
        """By vectors with their margins where elements are neighbours, or neighbours but one; else by elements."""
        before, count, after = counts
        extent = code.add(f"add i64 {code.add(f'add i64 {before}, {count}')}, {after}")
        on = Vectors(code, self.dtype, self.tile.lanes)
        tests = [code.add(f"icmp eq i64 {step}, {self.item * skip}") for skip in (1, 2)]
        other = code.add(f"xor i1 {code.add(f'or i1 {tests[0]}, {tests[1]}')}, true")
        for test, skip in zip(tests, (1, 2)):
            with code.when(test), code.loop("0", extent, self.tile.lanes) as column:
                at = code.add(f"sub i64 {column}, {before}")
                value = self._part_of_row(on, source, at, count, skip)
                place = code.moved(target, (column, str(self.item)))
                left = code.add(f"sub i64 {extent}, {column}")
                on.store(value, place, on.below(left))
        with code.when(other):
            self._copy_elements(code, target, source, counts, step)

    def _part_of_row(self, on: Vectors, source: str, at: str, count: str, skip: int) -> str:
        """A vector of the row from the element `at` on, which may be before the first one."""
        code, lanes = on.code, on.lanes
        wide = Vectors(code, self.dtype, lanes * skip)
        place = code.moved(source, (at, str(self.item * skip)))
        value = wide.load(place, self._between(code, at, count, skip), self.fill)
        if skip == 1:
            return value
        chosen = ", ".join(f"i32 {lane * skip}" for lane in range(lanes))
        others = f"{wide.type} poison, <{lanes} x i32> <{chosen}>"
        return code.add(f"shufflevector {wide.type} {value}, {others}")

    def _between(self, code: LoopText, at: str, count: str, skip: int) -> str:
        """Which lanes, counted from `at` on, are between 0 and `count`; of `skip` lanes the first one."""
        lanes = self.tile.lanes * skip
        type = f"<{lanes} x i64>"
        numbers = ", ".join(
            f"i64 {k // skip if k % skip == 0 else -(1 << 62)}" for k in range(lanes)
        )
        moved = code.add(f"add {type} {splat(code, 'i64', at, lanes)}, <{numbers}>")
        return code.add(f"icmp ult {type} {moved}, {splat(code, 'i64', count, lanes)}")

    def _copy_elements(
        self, code: LoopText, target: str, source: str, counts: Sequence[str], step: str
    ) -> None:
        before, count, after = counts
        target = self._filled(code, target, before)
        with code.loop("0", count) as column:
            place = code.moved(source, (column, step))
            value = code.add(f"load {self.type}, ptr {place}, align 1")
            self._store(code, value, target, column)
        self._filled(code, code.moved(target, (count, str(self.item))), after)

    def _filled(self, code: LoopText, target: str, count: str) -> str:
        """Stores a margin; returns where it ends."""
        with code.loop("0", count) as column:
            self._store(code, self.fill, target, column)
        return code.moved(target, (count, str(self.item)))

    def _store(self, code: LoopText, value: str, target: str, index: str) -> None:
        place = code.moved(target, (index, str(self.item)))
        code.lines.append(f"  store {self.type} {value}, ptr {place}, align 1")

    def copy(self) -> LoopText:
        """The planes from `begin` to `end` of one image's group, the one that pointers point at."""
        code = LoopText()
        source = code.word("%pointers", Pointer.SOURCE, "ptr")
        code.call("planes", [_TABLES, f"ptr {source}", "ptr %copied"])
        return code

    # -- Tiles -------------------------------------------------------------------------------

    def group(self) -> LoopText:
        """Of one image and group: the tiles beside each other, or the blocks of outputs, from `begin` to `end`."""
        code = LoopText()
        tiles = code.word("%layout", Word.TILE_COUNT)
        tiles_first, blocks = self._order(code)
        outputs_first = code.add(f"xor i1 {tiles_first}, true")
        with code.when(tiles_first), _turns(code, blocks) as (tile, block):
            self._call_tile(code, tile, block)
        with code.when(outputs_first), _turns(code, tiles) as (block, tile):
            self._call_tile(code, tile, block)
        return code

    def _order(self, code: LoopText) -> tuple[str, str]:
        """Whether tiles are the outer loop, and how many blocks of outputs there are."""
        rows = self.tile.rows
        more = code.add(f"add i64 {code.word('%layout', Word.OUTPUTS)}, {rows - 1}")
        tiles_first = code.add(f"icmp ne i64 {code.word('%layout', Word.TILES_FIRST)}, 0")
        return tiles_first, code.add(f"udiv i64 {more}, {rows}")

    def _call_tile(self, code: LoopText, tile: str, block: str) -> None:
        """Where the last outputs are no whole block, the tile is the one that ends with them."""
        rows, vectors = self.tile.rows, self.tile.vectors
        last = code.add(f"sub i64 {code.word('%layout', Word.OUTPUTS)}, {rows}")
        wanted = code.add(f"mul i64 {block}, {rows}")
        code.intrinsics.add("declare i64 @llvm.smin.i64(i64, i64)")
        row = code.add(f"call i64 @llvm.smin.i64(i64 {wanted}, i64 {last})")
        step = code.word("%layout", Word.WEIGHT_STEP)
        table = code.word("%pointers", Pointer.VECTORS, "ptr")
        of_tile = str(vectors * self.tile.lanes * self.item)
        added = (tile, of_tile) if self.kind == MEAN else (row, str(self.item))
        given = [
            "%source",
            code.moved("%weight", (row, step)),
            code.moved("%added", added),
            code.moved("%result", (row, code.word("%layout", Word.RESULT_PLANE))),
            "%layout",
            code.word("%pointers", Pointer.TERMS, "ptr"),
            code.moved(table, (tile, str(8 * VECTOR_WORDS * vectors))),
        ]
        code.call("tile", [f"ptr {each}" for each in given])

    def tiles(self) -> LoopText:
        """Of the image and group that pointers point at, what is from `begin` to `end` of the outer loop."""
        code = LoopText()
        source, *others = (code.word("%pointers", place, "ptr") for place in range(len(_ARRAYS)))
        given = [f"ptr {each}" for each in (self._read(code, source), *others)]
        code.call("group", [_TABLES, *given])
        return code

    def _read(self, code: LoopText, source: str) -> str:
        """Where the planes are that windows are read from."""
        return code.add(f"select i1 {self._is_copied(code)}, ptr %copied, ptr {source}")

    def _is_copied(self, code: LoopText) -> str:
        return code.add(f"icmp ne i64 {code.word('%layout', Word.IS_COPIED)}, 0")

    # -- Images and groups -------------------------------------------------------------------

    def items(self) -> LoopText:
        """Groups of images from `begin` to `end`: each is copied if need be, then computed."""
        code = LoopText()
        tables = "ptr %pointers, ptr %layout, i64 0"
        arrays = [code.word("%pointers", place, "ptr") for place in range(len(_ARRAYS))]
        channels, groups = (code.word("%layout", k) for k in (Word.CHANNELS, Word.GROUPS))
        image_step = code.word("%layout", Word.IMAGE_STEP)
        tiles_first, blocks = self._order(code)
        tiles = code.word("%layout", Word.TILE_COUNT)
        count = code.add(f"select i1 {tiles_first}, i64 {tiles}, i64 {blocks}")
        steps = self._group_steps(code)
        with code.loop("%begin", "%end") as item:
            image = code.add(f"udiv i64 {item}, {groups}")
            group = code.add(f"urem i64 {item}, {groups}")
            source, *others = (
                code.moved(each, (item if each == arrays[-1] else group, step))
                for each, step in zip(arrays, steps)
            )
            source = code.moved(source, (image, image_step))
            with code.when(self._is_copied(code)):
                code.call("planes", [tables, f"i64 {channels}", f"ptr {source}", "ptr %copied"])
            given = [f"ptr {each}" for each in (self._read(code, source), *others)]
            code.call("group", [tables, f"i64 {count}", *given])
        return code

    def _group_steps(self, code: LoopText) -> list[str]:
        """Bytes from a group of each array to the next one."""
        outputs, weights = (code.word("%layout", k) for k in (Word.OUTPUTS, Word.WEIGHT_STEP))
        channels, step = (code.word("%layout", k) for k in (Word.CHANNELS, Word.CHANNEL_STEP))
        added = code.add(f"mul i64 {outputs}, {self.item if self.kind == PRODUCT else 0}")
        plane = code.word("%layout", Word.RESULT_PLANE)
        return [
            code.add(f"mul i64 {channels}, {step}"),
            code.add(f"mul i64 {outputs}, {weights}"),
            added,
            code.add(f"mul i64 {outputs}, {plane}"),
        ]

    # -- Kernels of groups of operators --------------------------------------------------------

    def step(self) -> LoopText:
        """Items from `begin` to `end`; memory for copies is among the pointers."""
        return self._step(lambda code: code.word("%pointers", StepPointer.SCRATCH, "ptr"), "items")

    def step_apart(self) -> LoopText:
        """The same, with memory for copies in the place of numbers."""
        return self._step(lambda _: "%numbers", "items")

    def step_copy(self) -> LoopText:
        """The planes from `begin` to `end` of the only item; the pointers are those of the copies and of the source."""
        code = LoopText()
        copied, source = (code.word("%pointers", place, "ptr") for place in range(2))
        table = self._step_table(code, {})
        given = f"ptr {table}, ptr %layout, i64 %begin, i64 %end"
        code.call("planes", [given, f"ptr {source}", f"ptr {copied}"])
        return code

    def step_tiles(self) -> LoopText:
        """Of the only item, what is from `begin` to `end` of the outer loop, after its planes are copied."""
        return self._step(lambda code: code.word("%pointers", StepPointer.SCRATCH, "ptr"), "tiles")

    def _step(self, scratch: Callable[[LoopText], str], function: str) -> LoopText:
        code = LoopText()
        zeros = code.word("%layout", StepWord.ADDED_AT)
        given = code.word("%pointers", StepPointer.ADDED, "ptr")
        is_given = code.add(f"icmp eq i64 {zeros}, 0")
        none = code.moved("%layout", (zeros, "8"))
        arrays = {
            Pointer.SOURCE: code.word("%pointers", StepPointer.SOURCE, "ptr"),
            Pointer.WEIGHT: code.word("%pointers", StepPointer.WEIGHT, "ptr"),
            Pointer.ADDED: code.add(f"select i1 {is_given}, ptr {given}, ptr {none}"),
            Pointer.RESULT: code.word("%pointers", StepPointer.RESULT, "ptr"),
        }
        table = self._step_table(code, arrays)
        parts = f"ptr {table}, ptr %layout, i64 %begin, i64 %end"
        code.call(function, [parts, f"ptr {scratch(code)}"])
        return code

    def _step_table(self, code: LoopText, arrays: Mapping[Pointer, str]) -> str:
        """Pointers as the other functions take them: to these arrays, and to the tables in the layout."""
        table = code.room(f"[{len(Pointer)} x ptr]")
        tables = {
            Pointer.ROWS: StepWord.ROWS_AT,
            Pointer.TERMS: StepWord.TERMS_AT,
            Pointer.VECTORS: StepWord.VECTORS_AT,
        }
        places = {
            name: code.moved("%layout", (code.word("%layout", word), "8"))
            for name, word in tables.items()
        }
        for name, place in (*arrays.items(), *places.items()):
            target = code.moved(table, (str(int(name)), "8"))
            code.lines.append(f"  store ptr {place}, ptr {target}")
        return table
