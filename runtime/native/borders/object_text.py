"""The text of functions that look at one of Python's objects, by the layouts of CPython."""

from __future__ import annotations

from typing import Final

from tsc.runtime.native.code.number_layout import (
    CLASS_IN_OBJECT,
    DIGIT_OF_INT,
    HEAD_HAS_TAG,
    HEAD_OF_INT,
)

_OF_HEAD: Final = {
    True: """
  %is_short = icmp ult i64 %head, 16
  %tag = and i64 %head, 3
  %sign = sub i64 1, %tag""",
    False: """
  %above = add i64 %head, 1
  %is_short = icmp ule i64 %above, 2
  %sign = add i64 %head, 0""",
}
"""Whether an int has at most one digit, and its sign then, by whether its head has a tag."""

NUMBERS: Final = f"""
@object_int = external global i8
@object_float = external global i8

declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyErr_Occurred()
declare void @PyErr_Clear()

define internal i1 @is_of(ptr %object, ptr %class) alwaysinline nounwind {{
  %place = getelementptr i8, ptr %object, i64 {CLASS_IN_OBJECT}
  %own = load ptr, ptr %place
  %same = icmp eq ptr %own, %class
  ret i1 %same
}}

define internal {{i64, i1}} @read_long(ptr %object) noinline nounwind {{
  %number = call i64 @PyLong_AsLongLong(ptr %object)
  %read = insertvalue {{i64, i1}} {{i64 0, i1 true}}, i64 %number, 0
  %is_odd = icmp eq i64 %number, -1
  br i1 %is_odd, label %ask, label %fits
ask:
  %error = call ptr @PyErr_Occurred()
  %is_right = icmp eq ptr %error, null
  br i1 %is_right, label %fits, label %beyond
beyond:
  call void @PyErr_Clear()
  ret {{i64, i1}} {{i64 0, i1 false}}
fits:
  ret {{i64, i1}} %read
}}

define internal {{i64, i1}} @read_integer(ptr %object) alwaysinline nounwind {{
  %is_int = call i1 @is_of(ptr %object, ptr @object_int)
  br i1 %is_int, label %measure, label %other
measure:
  %place = getelementptr i8, ptr %object, i64 {HEAD_OF_INT}
  %head = load i64, ptr %place{_OF_HEAD[HEAD_HAS_TAG]}
  br i1 %is_short, label %short, label %long
short:
  %second = getelementptr i8, ptr %object, i64 {DIGIT_OF_INT}
  %digit = load i32, ptr %second
  %size = zext i32 %digit to i64
  %number = mul i64 %sign, %size
  %read = insertvalue {{i64, i1}} {{i64 0, i1 true}}, i64 %number, 0
  ret {{i64, i1}} %read
long:
  %found = call {{i64, i1}} @read_long(ptr %object)
  ret {{i64, i1}} %found
other:
  ret {{i64, i1}} {{i64 0, i1 false}}
}}
"""
"""Whether an object is of just one class; what an int is, and whether the object is an int of at most 64 bits."""
