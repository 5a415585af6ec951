"""The text of sorting and selecting as C++'s library does it: introsort, introselect and heaps (Musser, 1997).

Where equal elements go follows from these algorithms, as in PyTorch, which calls them; `numerics/unstable_order.py`
has the same for whole arrays. An element is a key and a place, in two arrays; keys alone are compared, and a NaN is
more than any other number.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from tsc.runtime.native.expressions.instructions import is_floating, is_unsigned, memory_type
from tsc.runtime.native.expressions.loop_text import LoopText

_THRESHOLD: Final = 16
"""Introsort leaves segments of this length to insertion."""
_SELECTION_THRESHOLD: Final = 3
_SCAN: Final = 64
"""As many times more elements than wanted are passed once, with a heap of what is wanted."""
_SHORT: Final = "nounwind minsize optsize"
"""Unrolling loops that end by what they compare takes long, and makes them no faster."""
_OF_ROWS: Final = "ptr %pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers"


@functools.cache
def ordering_text(dtype: np.dtype, *, descending: bool, by_one: bool = False) -> str:
    """The functions `sorted` and `first`, of rows without gaps.

    Pointers are those to keys, to places, and to the rows; the layout is the length of a row, how many are wanted, and
    whether these are to be in order. `first` needs memory for places and keys of a row: that of its thread, or where
    one thread does all (`by_one`) what a pointer in front of that to the rows tells.
    """
    ordering = _Ordering(dtype, descending=descending, rows=3 if by_one else 2)
    segment = "ptr noalias %keys, ptr noalias %places, i64 %low, i64 %high"
    key = memory_type(dtype)
    texts = {
        f"internal void @sink({segment}, {key} %key, i64 %place)": ordering.sink(),
        f"internal void @make_heap({segment})": ordering.make_heap(),
        f"internal void @sort_heap({segment})": ordering.sort_heap(),
        f"internal void @partition({segment}, ptr %cut)": ordering.partition(),
        f"internal void @insertion({segment})": ordering.insertion(),
        f"internal void @introsort({segment}, i64 %depth)": ordering.introsort(),
        f"internal void @select_by_heap({segment}, i64 %nth)": ordering.select_by_heap(),
        f"internal void @select({segment}, i64 %nth, i64 %depth)": ordering.select(),
        f"void @sorted({_OF_ROWS})": ordering.sorted(),
        f"void @first({_OF_ROWS})": ordering.first(),
    }
    scan = f"define internal void @scan({segment}, ptr %source) nounwind noinline"
    lines, intrinsics = ordering.scan().function(scan), set[str]()
    for head, code in texts.items():
        lines += code.function(f"define {head} {_SHORT}")
        intrinsics |= code.intrinsics
    return "\n".join([*lines, *sorted(intrinsics)])


class _Code(LoopText):
    """With loops that go on until they are left, and functions that end early."""

    @contextmanager
    def turns(self) -> Iterator[str]:
        """Turns without end; yields the label that leaves them."""
        self._labels += 1
        turn, done = (f"{word}{self._labels}" for word in ("turn", "done"))
        self.lines += [f"  br label %{turn}", f"{turn}:"]
        yield done
        self.lines += [f"  br label %{turn}", f"{done}:"]

    def leave_unless(self, condition: str, done: str) -> None:
        """Go on only where a condition holds."""
        self._labels += 1
        following = f"on{self._labels}"
        self.lines += [f"  br i1 {condition}, label %{following}, label %{done}", f"{following}:"]

    def value(self, slot: str) -> str:
        return self.add(f"load i64, ptr {slot}")

    def assign(self, slot: str, value: str) -> None:
        self.lines.append(f"  store i64 {value}, ptr {slot}")

    def sum(self, a: str, b: str | int) -> str:
        return self.add(f"add i64 {a}, {b}")

    def less(self, a: str, b: str) -> str:
        return self.add(f"icmp slt i64 {a}, {b}")


_Item = tuple[str, str]
"""A key and a place."""


class _Ordering:
    def __init__(self, dtype: np.dtype, *, descending: bool, rows: int) -> None:
        self.dtype, self.descending, self.pointer_to_rows = dtype, descending, rows
        self.key = memory_type(dtype)

    # -- Elements ----------------------------------------------------------------------------

    def before(self, code: _Code, a: str, b: str) -> str:
        """Whether a key comes before another one."""
        if is_floating(self.dtype):
            less = code.add(f"fcmp {'ugt' if self.descending else 'ult'} {self.key} {a}, {b}")
            number = b if self.descending else a
            is_number = code.add(f"fcmp ord {self.key} {number}, {number}")
            return code.add(f"and i1 {less}, {is_number}")
        sign = "u" if is_unsigned(self.dtype) else "s"
        return code.add(f"icmp {sign}{'gt' if self.descending else 'lt'} {self.key} {a}, {b}")

    def key_at(self, code: _Code, index: str, keys: str = "%keys") -> str:
        place = code.add(f"getelementptr {self.key}, ptr {keys}, i64 {index}")
        return code.add(f"load {self.key}, ptr {place}")

    def at(self, code: _Code, index: str) -> _Item:
        place = code.add(f"getelementptr i64, ptr %places, i64 {index}")
        return self.key_at(code, index), code.add(f"load i64, ptr {place}")

    def put(
        self, code: _Code, index: str, item: _Item, keys: str = "%keys", places: str = "%places"
    ) -> None:
        key, place = item
        at = code.add(f"getelementptr {self.key}, ptr {keys}, i64 {index}")
        code.lines.append(f"  store {self.key} {key}, ptr {at}")
        at = code.add(f"getelementptr i64, ptr {places}, i64 {index}")
        code.lines.append(f"  store i64 {place}, ptr {at}")

    def swap(self, code: _Code, a: str, b: str) -> None:
        items = self.at(code, a), self.at(code, b)
        self.put(code, a, items[1])
        self.put(code, b, items[0])

    def call(self, code: _Code, name: str, low: str, high: str, *others: str) -> None:
        code.call(name, ["ptr %keys", "ptr %places", f"i64 {low}", f"i64 {high}", *others])

    def call_sink(self, code: _Code, hole: str, length: str, item: _Item) -> None:
        self.call(code, "sink", hole, length, f"{self.key} {item[0]}", f"i64 {item[1]}")

    # -- Heaps -------------------------------------------------------------------------------

    def sink(self) -> _Code:
        """Puts an element where the hole at `low` is, of a heap of `high`: the last one of two children moves up all
        the way, then it climbs.
        """
        code = _Code()
        hole = code.slot("i64", "%low")
        child = code.slot("i64", code.sum(code.add("shl i64 %low, 1"), 2))
        with code.turns() as done:
            at = code.value(child)
            code.leave_unless(code.less(at, "%high"), done)
            sibling = code.sum(at, -1)
            is_less = self.before(code, self.key_at(code, at), self.key_at(code, sibling))
            chosen = code.add(f"select i1 {is_less}, i64 {sibling}, i64 {at}")
            self.put(code, code.value(hole), self.at(code, chosen))
            code.assign(hole, chosen)
            code.assign(child, code.sum(code.add(f"shl i64 {chosen}, 1"), 2))
        at = code.value(child)
        with code.when(code.add(f"icmp eq i64 {at}, %high")):
            only = code.sum(at, -1)
            self.put(code, code.value(hole), self.at(code, only))
            code.assign(hole, only)
        with code.turns() as done:
            at = code.value(hole)
            code.leave_unless(code.less("%low", at), done)
            parent = code.add(f"ashr i64 {code.sum(at, -1)}, 1")
            code.leave_unless(self.before(code, self.key_at(code, parent), "%key"), done)
            self.put(code, at, self.at(code, parent))
            code.assign(hole, parent)
        self.put(code, code.value(hole), ("%key", "%place"))
        return code

    def make_heap(self) -> _Code:
        """Of the first `high` elements."""
        code = _Code()
        parent = code.slot("i64", code.add("ashr i64 %high, 1"))
        with code.turns() as done:
            at = code.sum(code.value(parent), -1)
            code.leave_unless(code.add(f"icmp sge i64 {at}, 0"), done)
            code.assign(parent, at)
            self.call_sink(code, at, "%high", self.at(code, at))
        return code

    def sort_heap(self) -> _Code:
        """Of `high` elements."""
        code = _Code()
        last = code.slot("i64", "%high")
        with code.turns() as done:
            at = code.sum(code.value(last), -1)
            code.leave_unless(code.add(f"icmp sgt i64 {at}, 0"), done)
            code.assign(last, at)
            item = self.at(code, at)
            self.put(code, at, self.at(code, "0"))
            self.call_sink(code, "0", at, item)
        return code

    # -- Segments ----------------------------------------------------------------------------

    def partition(self) -> _Code:
        """Around the median of the second, the middle and the last element, by Hoare's scans from both sides."""
        code = _Code()
        self._move_median_to_front(code)
        pivot = self.key_at(code, "%low")
        first, last = code.slot("i64", code.sum("%low", 1)), code.slot("i64", "%high")
        with code.turns() as met:
            with code.turns() as done:
                at = code.value(first)
                code.leave_unless(self.before(code, self.key_at(code, at), pivot), done)
                code.assign(first, code.sum(at, 1))
            with code.turns() as done:
                at = code.sum(code.value(last), -1)
                code.assign(last, at)
                code.leave_unless(self.before(code, pivot, self.key_at(code, at)), done)
            left, right = code.value(first), code.value(last)
            code.leave_unless(code.less(left, right), met)
            self.swap(code, left, right)
            code.assign(first, code.sum(left, 1))
        code.lines.append(f"  store i64 {code.value(first)}, ptr %cut")
        return code

    def _move_median_to_front(self, code: _Code) -> None:
        half = code.add(f"ashr i64 {code.add('sub i64 %high, %low')}, 1")
        places = code.sum("%low", 1), code.sum("%low", half), code.sum("%high", -1)
        a, b, c = (self.key_at(code, each) for each in places)
        second, middle, last = places
        a_b, b_c, a_c = (self.before(code, *pair) for pair in ((a, b), (b, c), (a, c)))

        def choose(condition: str, one: str, other: str) -> str:
            return code.add(f"select i1 {condition}, i64 {one}, i64 {other}")

        rising = choose(b_c, middle, choose(a_c, last, second))
        falling = choose(a_c, second, choose(b_c, last, middle))
        self.swap(code, "%low", choose(a_b, rising, falling))

    def insertion(self) -> _Code:
        """A stable sort of a short segment, or one that is almost in order."""
        code = _Code()
        with code.loop(code.sum("%low", 1), "%high") as number:
            item = self.at(code, number)
            hole = code.slot("i64", number)
            with code.turns() as done:
                at = code.value(hole)
                code.leave_unless(code.less("%low", at), done)
                previous = code.sum(at, -1)
                code.leave_unless(self.before(code, item[0], self.key_at(code, previous)), done)
                self.put(code, at, self.at(code, previous))
                code.assign(hole, previous)
            self.put(code, code.value(hole), item)
        return code

    def introsort(self) -> _Code:
        """All but the insertion at the end; a segment that is too deep is sorted by a heap."""
        code = _Code()
        high, depth = code.slot("i64", "%high"), code.slot("i64", "%depth")
        cut = code.slot("i64", "0")
        with code.turns() as done:
            end, left = code.value(high), code.value(depth)
            code.leave_unless(code.less(str(_THRESHOLD), code.add(f"sub i64 {end}, %low")), done)
            with code.when(code.add(f"icmp eq i64 {left}, 0")):
                self._sort_by_heap(code, end)
                code.assign(high, "%low")
            with code.when(code.add(f"icmp ne i64 {left}, 0")):
                code.assign(depth, code.sum(left, -1))
                self.call(code, "partition", "%low", end, f"ptr {cut}")
                at, rest = code.value(cut), code.value(depth)
                self.call(code, "introsort", at, end, f"i64 {rest}")
                code.assign(high, at)
        return code

    def _segment(self, code: _Code) -> list[str]:
        keys = code.add(f"getelementptr {self.key}, ptr %keys, i64 %low")
        places = code.add("getelementptr i64, ptr %places, i64 %low")
        return [f"ptr {keys}", f"ptr {places}", "i64 0"]

    def _sort_by_heap(self, code: _Code, end: str) -> None:
        given = [*self._segment(code), f"i64 {code.add(f'sub i64 {end}, %low')}"]
        code.call("make_heap", given)
        code.call("sort_heap", given)

    def select(self) -> _Code:
        """The element at `nth` as if sorted, and none after it that comes before it."""
        code = _Code()
        low, high = code.slot("i64", "%low"), code.slot("i64", "%high")
        depth, cut = code.slot("i64", "%depth"), code.slot("i64", "0")
        with code.turns() as done:
            begin, end = code.value(low), code.value(high)
            length = code.add(f"sub i64 {end}, {begin}")
            code.leave_unless(code.less(str(_SELECTION_THRESHOLD), length), done)
            left = code.value(depth)
            with code.when(code.add(f"icmp eq i64 {left}, 0")):
                self.call(code, "select_by_heap", begin, end, "i64 %nth")
                code.assign(low, "%nth")
                code.assign(high, "%nth")
            with code.when(code.add(f"icmp ne i64 {left}, 0")):
                code.assign(depth, code.sum(left, -1))
                self.call(code, "partition", begin, end, f"ptr {cut}")
                at = code.value(cut)
                is_below = code.add(f"icmp sle i64 {at}, %nth")
                code.assign(low, code.add(f"select i1 {is_below}, i64 {at}, i64 {begin}"))
                code.assign(high, code.add(f"select i1 {is_below}, i64 {end}, i64 {at}"))
        self.call(code, "insertion", code.value(low), code.value(high))
        return code

    def select_by_heap(self) -> _Code:
        """The same for a segment that is too deep: a heap of what comes first, with the last of these on top."""
        code = _Code()
        keys, places, _ = self._segment(code)
        count = code.sum(code.add("sub i64 %nth, %low"), 1)
        code.call("make_heap", [keys, places, "i64 0", f"i64 {count}"])
        with code.loop(code.sum("%nth", 1), "%high") as number:
            item, top = self.at(code, number), self.at(code, "%low")
            with code.when(self.before(code, item[0], top[0])):
                self.put(code, number, top)
                given = f"{self.key} {item[0]}", f"i64 {item[1]}"
                code.call("sink", [keys, places, "i64 0", f"i64 {count}", *given])
        self.swap(code, "%low", "%nth")
        return code

    def scan(self) -> _Code:
        """Elements of a source from `low` to `high`, by a heap of the `low` that come first so far."""
        code = _Code()
        top = code.slot(self.key, self.key_at(code, "0"))
        with code.loop("%low", "%high") as place:
            key = self.key_at(code, place, "%source")
            last = code.add(f"load {self.key}, ptr {top}")
            with code.when(self.before(code, key, last)):
                self.call_sink(code, "0", "%low", (key, place))
                code.lines.append(f"  store {self.key} {self.key_at(code, '0')}, ptr {top}")
        return code

    # -- Rows --------------------------------------------------------------------------------

    def sorted(self) -> _Code:
        """Rows from `begin` to `end`: keys and places in order."""
        code = _Code()
        extent = code.word("%layout", 0)
        with code.loop("%begin", "%end") as row:
            source, keys, places = self._rows(code, row, extent, extent)
            self._copy(code, source, keys, places, extent)
            self._sort(code, keys, places, extent)
        return code

    def first(self) -> _Code:
        """Rows from `begin` to `end`: keys and places of what comes first."""
        code = _Code()
        numbers = "%numbers" if self.pointer_to_rows == 2 else code.word("%pointers", 2, "ptr")
        extent, count, in_order = (code.word("%layout", place) for place in range(3))
        is_scan = code.add(f"icmp sle i64 {code.add(f'mul i64 {count}, {_SCAN}')}, {extent}")
        others = code.add(f"xor i1 {is_scan}, true")
        more = code.add(f"icmp sgt i64 {count}, 1")
        is_sorted = code.add(f"and i1 {more}, {code.add(f'icmp ne i64 {in_order}, 0')}")
        with code.loop("%begin", "%end") as row:
            source, keys, places = self._rows(code, row, extent, count)
            with code.when(is_scan):
                self._copy(code, source, keys, places, count)
                heap = [f"ptr {keys}", f"ptr {places}", "i64 0", f"i64 {count}"]
                code.call("make_heap", heap)
                code.call("scan", [*heap[:2], f"i64 {count}", f"i64 {extent}", f"ptr {source}"])
                code.call("sort_heap", heap)
            with code.when(others):
                copies = code.add(f"getelementptr i64, ptr {numbers}, i64 {extent}")
                self._copy(code, source, copies, numbers, extent)
                depth = self._depth(code, extent)
                nth = code.sum(count, -1)
                given = [f"ptr {copies}", f"ptr {numbers}", "i64 0", f"i64 {extent}"]
                code.call("select", [*given, f"i64 {nth}", f"i64 {depth}"])
                with code.when(is_sorted):
                    self._sort(code, copies, numbers, nth)
                with code.loop("0", count) as place:
                    number = code.add(f"getelementptr i64, ptr {numbers}, i64 {place}")
                    item = self.key_at(code, place, copies), code.value(number)
                    self.put(code, place, item, keys, places)
        return code

    def _rows(self, code: _Code, row: str, extent: str, count: str) -> list[str]:
        """The row of the source, and those of keys and places."""
        arrays = [code.word("%pointers", place, "ptr") for place in (self.pointer_to_rows, 0, 1)]
        lengths = zip(arrays, (self.key, self.key, "i64"), (extent, count, count))
        return [
            code.add(
                f"getelementptr {type}, ptr {array}, i64 {code.add(f'mul i64 {row}, {length}')}"
            )
            for array, type, length in lengths
        ]

    def _copy(self, code: _Code, source: str, keys: str, places: str, count: str) -> None:
        with code.loop("0", count) as place:
            self.put(code, place, (self.key_at(code, place, source), place), keys, places)

    def _sort(self, code: _Code, keys: str, places: str, count: str) -> None:
        given = [f"ptr {keys}", f"ptr {places}", "i64 0", f"i64 {count}"]
        code.call("introsort", [*given, f"i64 {self._depth(code, count)}"])
        code.call("insertion", given)

    def _depth(self, code: _Code, count: str) -> str:
        """Twice the logarithm of a length."""
        code.intrinsics.add("declare i64 @llvm.ctlz.i64(i64, i1)")
        zeros = code.add(f"call i64 @llvm.ctlz.i64(i64 {count}, i1 true)")
        return code.add(f"shl i64 {code.add(f'sub i64 63, {zeros}')}, 1")
