"""The text of what looks at all that is in a list, by the layouts of CPython's objects.

A type is told in words: a kind, then what is in it (of a list the elements, of an Optional what may be there, of a
tuple the number of items, and in front of each how many words it has).
"""

from __future__ import annotations

from typing import Final

from tsc.runtime.native.borders.object_text import NUMBERS
from tsc.runtime.native.code.list_layout import ITEMS_IN_OBJECT, LENGTH_IN_OBJECT
from tsc.runtime.native.code.number_layout import ITEMS_OF_TUPLE, LENGTH_OF_TUPLE
from tsc.runtime.native.code.text_layout import ASCII, STATE_IN_TEXT

ENTRY: Final = "entry"
INTEGER, FLOAT, TRUTH, TEXT, TENSOR, LIST, TUPLE, OPTIONAL = range(8)
"""Kinds."""


def content_text(payload: int) -> str:
    """The function that is called with a list, which nobody else has; its owner are the words, so many bytes in.

    Lists in the list are replaced by copies. It says False for anything that is not of the type: a class derived from
    the type's, a number beyond 64 bits, a letter beyond ASCII.
    """
    return NUMBERS + _TEXT.format(
        payload=payload,
        state=STATE_IN_TEXT,
        ascii=ASCII,
        length=LENGTH_IN_OBJECT,
        items=ITEMS_IN_OBJECT,
        tuple_length=LENGTH_OF_TUPLE,
        tuple_items=ITEMS_OF_TUPLE,
        integer=INTEGER,
        floating=FLOAT,
        truth=TRUTH,
        text=TEXT,
        tensor=TENSOR,
        list=LIST,
        tuple=TUPLE,
        optional=OPTIONAL,
    )


_TEXT: Final = """
@object_bool = external global i8
@object_str = external global i8
@object_tensor = external global i8
@object_list = external global i8
@object_tuple = external global i8
@object_none = external global i8
@object_true = external global i8
@object_false = external global i8

declare ptr @PyList_GetSlice(ptr, i64, i64)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)

define internal i1 @is_integer(ptr %object) alwaysinline nounwind {{
  %read = call {{i64, i1}} @read_integer(ptr %object)
  %is_int = extractvalue {{i64, i1}} %read, 1
  ret i1 %is_int
}}

define internal i1 @is_text(ptr %object) alwaysinline nounwind {{
  %is_str = call i1 @is_of(ptr %object, ptr @object_str)
  br i1 %is_str, label %look, label %other
look:
  %place = getelementptr i8, ptr %object, i64 {state}
  %state = load i32, ptr %place
  %bit = and i32 %state, {ascii}
  %is_ascii = icmp ne i32 %bit, 0
  ret i1 %is_ascii
other:
  ret i1 false
}}

define internal i1 @is_tuple(ptr %object, ptr %words) nounwind {{
entry:
  %is_tuple = call i1 @is_of(ptr %object, ptr @object_tuple)
  br i1 %is_tuple, label %measure, label %no
measure:
  %pc = getelementptr i64, ptr %words, i64 1
  %count = load i64, ptr %pc
  %pl = getelementptr i8, ptr %object, i64 {tuple_length}
  %length = load i64, ptr %pl
  %as_many = icmp eq i64 %length, %count
  br i1 %as_many, label %begin, label %no
begin:
  %first = getelementptr i64, ptr %words, i64 2
  %items = getelementptr i8, ptr %object, i64 {tuple_items}
  br label %test
test:
  %i = phi i64 [ 0, %begin ], [ %i1, %turn ]
  %at = phi ptr [ %first, %begin ], [ %following, %turn ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %turn, label %yes
turn:
  %pi = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %pi
  %own = getelementptr i64, ptr %at, i64 1
  %width = load i64, ptr %at
  %following = getelementptr i64, ptr %own, i64 %width
  %i1 = add i64 %i, 1
  %fits = call i1 @fits(ptr %item, ptr %own)
  br i1 %fits, label %test, label %no
yes:
  ret i1 true
no:
  ret i1 false
}}

define internal i1 @fits(ptr %object, ptr %words) nounwind {{
entry:
  %kind = load i64, ptr %words
  switch i64 %kind, label %no [ i64 {integer}, label %integer
                                i64 {floating}, label %floating
                                i64 {truth}, label %truth
                                i64 {text}, label %text
                                i64 {tensor}, label %tensor
                                i64 {tuple}, label %tuple
                                i64 {optional}, label %optional ]
integer:
  %a = call i1 @is_integer(ptr %object)
  ret i1 %a
floating:
  %b = call i1 @is_of(ptr %object, ptr @object_float)
  ret i1 %b
truth:
  %c = call i1 @is_of(ptr %object, ptr @object_bool)
  ret i1 %c
text:
  %d = call i1 @is_text(ptr %object)
  ret i1 %d
tensor:
  %e = call i1 @is_of(ptr %object, ptr @object_tensor)
  ret i1 %e
tuple:
  %f = call i1 @is_tuple(ptr %object, ptr %words)
  ret i1 %f
optional:
  %is_none = icmp eq ptr %object, @object_none
  br i1 %is_none, label %yes, label %present
present:
  %inner = getelementptr i64, ptr %words, i64 1
  %g = call i1 @fits(ptr %object, ptr %inner)
  ret i1 %g
yes:
  ret i1 true
no:
  ret i1 false
}}

define internal i1 @list_fits(ptr %list, ptr %words) nounwind {{
entry:
  %kind = load i64, ptr %words
  %inner = getelementptr i64, ptr %words, i64 1
  %pl = getelementptr i8, ptr %list, i64 {length}
  %length = load i64, ptr %pl
  %pi = getelementptr i8, ptr %list, i64 {items}
  %items = load ptr, ptr %pi
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %more = icmp slt i64 %i, %length
  br i1 %more, label %turn, label %yes
turn:
  %i1 = add i64 %i, 1
  %slot = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %slot
  switch i64 %kind, label %other [ i64 {integer}, label %integer
                                   i64 {floating}, label %floating
                                   i64 {list}, label %list_inside ]
integer:
  %a = call i1 @is_integer(ptr %item)
  br i1 %a, label %next, label %no
floating:
  %b = call i1 @is_of(ptr %item, ptr @object_float)
  br i1 %b, label %next, label %no
list_inside:
  %is_list = call i1 @is_of(ptr %item, ptr @object_list)
  br i1 %is_list, label %copy, label %no
copy:
  %made = call ptr @PyList_GetSlice(ptr %item, i64 0, i64 9223372036854775807)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %clear, label %replace
clear:
  call void @PyErr_Clear()
  ret i1 false
replace:
  store ptr %made, ptr %slot
  call void @Py_DecRef(ptr %item)
  %c = call i1 @list_fits(ptr %made, ptr %inner)
  br i1 %c, label %next, label %no
other:
  %d = call i1 @fits(ptr %item, ptr %words)
  br i1 %d, label %next, label %no
next:
  br label %test
yes:
  ret i1 true
no:
  ret i1 false
}}

define ptr @entry(ptr %self, ptr %arguments, i64 %count) nounwind {{
  %list = load ptr, ptr %arguments
  %words = getelementptr i8, ptr %self, i64 {payload}
  %fits = call i1 @list_fits(ptr %list, ptr %words)
  %result = select i1 %fits, ptr @object_true, ptr @object_false
  call void @Py_IncRef(ptr %result)
  ret ptr %result
}}
"""
