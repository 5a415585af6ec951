"""The text of what fills arrays with the numbers of nested lists, by the layouts of CPython's objects and NumPy's."""

from __future__ import annotations

from typing import Final

from tsc.runtime.native.borders.object_text import NUMBERS
from tsc.runtime.native.code.list_layout import ITEMS_IN_OBJECT, LENGTH_IN_OBJECT
from tsc.runtime.native.code.number_layout import FLOAT_IN_OBJECT
from tsc.runtime.native.code.object_layout import DATA, DTYPE, RANK, SIZES

ENTRY: Final = "entry"
FILLED: Final = ("int64", "float64", "float32", "bool")
"""The dtypes of arrays that are filled: of ints, of floats twice, and of truth values."""


def number_text() -> str:
    """The function that is called with a list and an array without gaps, whose sizes it should have.

    It says False for anything else: a list of another length, a number of another class or beyond 64 bits. Of floats in
    float32 those that are too large are infinite.
    """
    text = _TEXT.format(
        length=LENGTH_IN_OBJECT,
        items=ITEMS_IN_OBJECT,
        content=FLOAT_IN_OBJECT,
        data=DATA,
        dtype=DTYPE,
        rank=RANK,
        sizes=SIZES,
    )
    return NUMBERS + text


_TEXT: Final = """
@object_bool = external global i8
@object_list = external global i8
@object_true = external global i8
@object_false = external global i8
@object_dtype_int64 = external global i8
@object_dtype_float64 = external global i8
@object_dtype_float32 = external global i8
@object_dtype_bool = external global i8

declare void @Py_IncRef(ptr)

define internal i1 @put(ptr %item, ptr %target, i64 %place, i64 %kind) alwaysinline nounwind {{
  switch i64 %kind, label %truth [ i64 0, label %integer
                                   i64 1, label %double
                                   i64 2, label %single ]
integer:
  %read = call {{i64, i1}} @read_integer(ptr %item)
  %number = extractvalue {{i64, i1}} %read, 0
  %is_int = extractvalue {{i64, i1}} %read, 1
  %as_int = getelementptr i64, ptr %target, i64 %place
  store i64 %number, ptr %as_int
  ret i1 %is_int
double:
  %is_double = call i1 @is_of(ptr %item, ptr @object_float)
  br i1 %is_double, label %store_double, label %other
store_double:
  %pd = getelementptr i8, ptr %item, i64 {content}
  %d = load double, ptr %pd
  %as_double = getelementptr double, ptr %target, i64 %place
  store double %d, ptr %as_double
  ret i1 true
single:
  %is_single = call i1 @is_of(ptr %item, ptr @object_float)
  br i1 %is_single, label %store_single, label %other
store_single:
  %ps = getelementptr i8, ptr %item, i64 {content}
  %s = load double, ptr %ps
  %narrow = fptrunc double %s to float
  %as_single = getelementptr float, ptr %target, i64 %place
  store float %narrow, ptr %as_single
  ret i1 true
truth:
  %is_bool = call i1 @is_of(ptr %item, ptr @object_bool)
  %is_true = icmp eq ptr %item, @object_true
  %byte = zext i1 %is_true to i8
  %as_byte = getelementptr i8, ptr %target, i64 %place
  store i8 %byte, ptr %as_byte
  ret i1 %is_bool
other:
  ret i1 false
}}

define internal i1 @fill_row(ptr %items, i64 %length, ptr %target, i64 %kind) alwaysinline nounwind {{
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %i1, %turn ]
  %more = icmp slt i64 %i, %length
  br i1 %more, label %turn, label %yes
turn:
  %slot = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %slot
  %i1 = add i64 %i, 1
  %fits = call i1 @put(ptr %item, ptr %target, i64 %i, i64 %kind)
  br i1 %fits, label %test, label %no
yes:
  ret i1 true
no:
  ret i1 false
}}

define internal ptr @fill(ptr %list, ptr %target, i64 %kind, ptr %sizes, i32 %rank) nounwind {{
entry:
  %is_list = call i1 @is_of(ptr %list, ptr @object_list)
  br i1 %is_list, label %measure, label %no
measure:
  %pl = getelementptr i8, ptr %list, i64 {length}
  %length = load i64, ptr %pl
  %wanted = load i64, ptr %sizes
  %as_many = icmp eq i64 %length, %wanted
  br i1 %as_many, label %begin, label %no
begin:
  %pi = getelementptr i8, ptr %list, i64 {items}
  %items = load ptr, ptr %pi
  %is_row = icmp eq i32 %rank, 1
  br i1 %is_row, label %row, label %deeper
row:
  switch i64 %kind, label %bools [ i64 0, label %ints
                                   i64 1, label %doubles
                                   i64 2, label %singles ]
ints:
  %a = call i1 @fill_row(ptr %items, i64 %length, ptr %target, i64 0)
  %a_end = getelementptr i64, ptr %target, i64 %length
  br label %filled
doubles:
  %b = call i1 @fill_row(ptr %items, i64 %length, ptr %target, i64 1)
  %b_end = getelementptr i64, ptr %target, i64 %length
  br label %filled
singles:
  %c = call i1 @fill_row(ptr %items, i64 %length, ptr %target, i64 2)
  %c_end = getelementptr i32, ptr %target, i64 %length
  br label %filled
bools:
  %d = call i1 @fill_row(ptr %items, i64 %length, ptr %target, i64 3)
  %d_end = getelementptr i8, ptr %target, i64 %length
  br label %filled
filled:
  %fits = phi i1 [ %a, %ints ], [ %b, %doubles ], [ %c, %singles ], [ %d, %bools ]
  %end = phi ptr [ %a_end, %ints ], [ %b_end, %doubles ], [ %c_end, %singles ], [ %d_end, %bools ]
  %result = select i1 %fits, ptr %end, ptr null
  ret ptr %result
deeper:
  %inner_sizes = getelementptr i64, ptr %sizes, i64 1
  %inner_rank = sub i32 %rank, 1
  br label %test
test:
  %i = phi i64 [ 0, %deeper ], [ %i1, %turn ]
  %at = phi ptr [ %target, %deeper ], [ %following, %turn ]
  %more = icmp slt i64 %i, %length
  br i1 %more, label %turn, label %yes
turn:
  %slot = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %slot
  %i1 = add i64 %i, 1
  %following = call ptr @fill(ptr %item, ptr %at, i64 %kind, ptr %inner_sizes, i32 %inner_rank)
  %failed = icmp eq ptr %following, null
  br i1 %failed, label %no, label %test
yes:
  ret ptr %at
no:
  ret ptr null
}}

define ptr @entry(ptr %self, ptr %arguments, i64 %count) nounwind {{
  %list = load ptr, ptr %arguments
  %second = getelementptr ptr, ptr %arguments, i64 1
  %array = load ptr, ptr %second
  %pd = getelementptr i8, ptr %array, i64 {data}
  %target = load ptr, ptr %pd
  %pt = getelementptr i8, ptr %array, i64 {dtype}
  %dtype = load ptr, ptr %pt
  %pr = getelementptr i8, ptr %array, i64 {rank}
  %rank = load i32, ptr %pr
  %ps = getelementptr i8, ptr %array, i64 {sizes}
  %sizes = load ptr, ptr %ps
  %is_int = icmp eq ptr %dtype, @object_dtype_int64
  %is_double = icmp eq ptr %dtype, @object_dtype_float64
  %is_single = icmp eq ptr %dtype, @object_dtype_float32
  %of_floats = select i1 %is_single, i64 2, i64 3
  %of_doubles = select i1 %is_double, i64 1, i64 %of_floats
  %kind = select i1 %is_int, i64 0, i64 %of_doubles
  %end = call ptr @fill(ptr %list, ptr %target, i64 %kind, ptr %sizes, i32 %rank)
  %failed = icmp eq ptr %end, null
  %result = select i1 %failed, ptr @object_false, ptr @object_true
  call void @Py_IncRef(ptr %result)
  ret ptr %result
}}
"""
