"""Bags of embeddings in groups: sums and means of rows of a table that are named, one bag after the other."""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from tsc.compiler.ir import Node, Value, is_constant
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT, LONG
from tsc.runtime.native.expressions.instructions import Element, NotLowered, constant
from tsc.runtime.native.fusion.group_kernel import Kernel, source_of
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.selections import INDEX_DTYPES
from tsc.runtime.native.fusion.strided_text import NAME, StridedText

_SUM, _MEAN = 0, 1
_ARRAYS: Final = 4


def is_bags(node: Node) -> bool:
    """Whether it is known what becomes of rows, and nobody asks for more than that."""
    others = node.outputs[1:]
    return is_constant(node.named_input("mode")) and not any(each.uses for each in others)


def bagged(node: Node, _group: RecordedGroup) -> list[Value]:
    """The table, the names of rows, and where bags begin."""
    return list(node.inputs[:3])


def bag_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of `embedding_bag` without weights or padding. Raises NotLowered."""
    names = [] if node.schema is None else [each.name for each in node.schema.arguments]
    absent = [each for each in ("per_sample_weights", "padding_idx") if each in names]
    if any(group.value(node.named_input(each)) is not None for each in absent):
        raise NotLowered
    mode = group.value(node.named_input("mode"))
    values = [node.outputs[0], *bagged(node, group)]
    result, table, rows, starts = (group.array(each) for each in values)
    if mode not in (_SUM, _MEAN) or table.dtype not in (FLOAT, DOUBLE):
        raise NotLowered
    if any(each.dtype not in INDEX_DTYPES or each.ndim != 1 for each in (rows, starts)):
        raise NotLowered
    if not result.size or any(each.strides[1] != each.itemsize for each in (result, table)):
        raise NotLowered
    bags, columns = result.shape
    layout = [
        *(bags, columns, result.strides[0], len(table), table.strides[0]),
        *(len(rows), rows.strides[0], len(starts), starts.strides[0]),
    ]
    text = bags_text(table.dtype, rows.dtype, starts.dtype, is_mean=mode == _MEAN)
    sources = tuple(source_of(group, *each) for each in zip(values, (result, table, rows, starts)))
    elements = columns * (bags + len(rows))
    return [Kernel(NAME, text, layout, bags, sources, 1, elements)]


@functools.cache
def bags_text(dtype: np.dtype, name: np.dtype, start: np.dtype, *, is_mean: bool) -> str:
    """Pointers to results, a table, names of its rows, and where bags begin; the last one has all rows that are left.

    The layout is how many bags and columns there are, then for each array from the first on its extent, but that of
    the results, and the step along it.
    """
    code = StridedText(0, 0)
    result, table, names, starts = (code.word("%pointers", k, "ptr") for k in range(_ARRAYS))
    bags, columns, result_step, rows, row_step = (code.take() for _ in range(5))
    count, name_step, start_count, start_step = (code.take() for _ in range(4))
    item = str(dtype.itemsize)

    def begin_of(bag: str) -> str:
        return code.cast(code.load(code.moved(starts, (bag, start_step)), start), LONG).name

    last = begin_of(code.add(f"sub i64 {start_count}, 1"))
    code.refuse_if(code.add(f"icmp sgt i64 {last}, {count}"))
    code.refuse_if(code.add(f"icmp ne i64 {begin_of('0')}, 0"))
    with code.loop("%begin", "%end") as bag:
        begin, following = begin_of(bag), code.add(f"add i64 {bag}, 1")
        is_last = code.add(f"icmp eq i64 {following}, {bags}")
        next_one = code.add(f"select i1 {is_last}, i64 {bag}, i64 {following}")
        end = code.add(f"select i1 {is_last}, i64 {count}, i64 {begin_of(next_one)}")
        goes_back = code.add(f"icmp ugt i64 {begin}, {end}")
        is_beyond = code.add(f"icmp ugt i64 {end}, {count}")
        is_wrong = code.add(f"or i1 {goes_back}, {is_beyond}")
        code.refuse_if(is_wrong)
        made = code.moved(result, (bag, result_step))
        with code.loop("0", columns) as column:
            code.store(constant(0.0, dtype), code.moved(made, (column, item)))
        with (
            code.when(code.add(f"xor i1 {is_wrong}, true")),
            code.loop(begin, end) as place,
        ):
            row = code.cast(code.load(code.moved(names, (place, name_step)), name), LONG).name
            is_known = code.add(f"icmp ult i64 {row}, {rows}")
            code.refuse_if(code.add(f"xor i1 {is_known}, true"))
            with code.when(is_known):
                source = code.moved(table, (row, row_step))
                with code.loop("0", columns) as column:
                    to, of = (code.moved(each, (column, item)) for each in (made, source))
                    total = code.binary("fadd", code.load(to, dtype), code.load(of, dtype))
                    code.store(total, to)
        if is_mean:
            size = code.add(f"sub i64 {end}, {begin}")
            code.intrinsics.add("declare i64 @llvm.smax.i64(i64, i64)")
            divisor = code.add(f"call i64 @llvm.smax.i64(i64 {size}, i64 1)")
            number = code.cast(Element(divisor, LONG), dtype)
            with code.loop("0", columns) as column:
                to = code.moved(made, (column, item))
                code.store(code.binary("fdiv", code.load(to, dtype), number), to)
    return code.finished()
