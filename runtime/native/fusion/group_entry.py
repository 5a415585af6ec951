"""The door to a group's kernels: a built-in function that reads Python's objects where they lie.

It is called with the arguments of the group and new arrays for the results. If all are as the kernels were made for,
it runs them and says True, otherwise False; so it does where a kernel refuses, by the word in front of the numbers.
What it expects stands in a table, which is its own bytes object.

The objects are read as CPython and NumPy lay them out (`object_layout`); where that is not as expected, there is
no native code.
"""

from __future__ import annotations

import functools

import numpy as np

from tsc.runtime.native.code.object_code import Loaded, code_of_text, loaded
from tsc.runtime.native.code.object_layout import FLAGS, WRITEABLE, ObjectLayout
from tsc.runtime.native.code.symbols import object_symbols

MOST_ARGUMENTS = 64
MOST_POINTERS = 128

INPUT_WORDS = 5
"""Of a row that tells of an argument: its kind, its type, and of a tensor the dtype, rank, sizes and strides, or the
object or integer that it must be.
"""
POINTER_WORDS = 2
"""Of a row that tells where an array begins: in an argument (-1: at an address), and after how many bytes."""
KERNEL_WORDS = 5
"""Of a row that tells of a kernel: its address, layout, the first part and the end, and its first array."""

PAIR_WORDS = 7
"""Of a row that tells how two arguments lie: their numbers, whether they are one, and the bytes before and behind the
first element of each. The first is written.
"""

TENSOR, PLAIN_TENSOR, WRITTEN_TENSOR, WRITTEN_PLAIN, FLOAT, INTEGER, JUST_THIS, THIS_INTEGER = (
    range(8)
)
"""Kinds of arguments; a plain tensor has nothing to do with gradients, and one that is written may be written to."""


def entry_text(layout: ObjectLayout) -> str:
    """The function `entry`, which serves all groups of a process."""
    return _TEXT.format(
        **{name: getattr(layout, name) for name in layout.__slots__},
        tensor=TENSOR,
        plain_tensor=PLAIN_TENSOR,
        written_tensor=WRITTEN_TENSOR,
        written_plain=WRITTEN_PLAIN,
        pair_words=PAIR_WORDS,
        flags=FLAGS,
        writeable=WRITEABLE,
        floating=FLOAT,
        just_this=JUST_THIS,
        this_integer=THIS_INTEGER,
        arguments=MOST_ARGUMENTS,
        numbers=1 + MOST_ARGUMENTS,
        pointers=MOST_POINTERS,
        input_words=INPUT_WORDS,
        pointer_words=POINTER_WORDS,
        kernel_words=KERNEL_WORDS,
    )


@functools.cache
def entry_library(layout: ObjectLayout) -> Loaded:
    """With the function `entry`; it is kept for good."""
    return loaded(code_of_text(entry_text(layout)), object_symbols(ndarray=np.ndarray))


_TEXT = """
define internal i1 @same(ptr %a, ptr %b, i64 %n) {{
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %turn, label %equal
turn:
  %pa = getelementptr i64, ptr %a, i64 %i
  %pb = getelementptr i64, ptr %b, i64 %i
  %va = load i64, ptr %pa
  %vb = load i64, ptr %pb
  %next = add i64 %i, 1
  %agree = icmp eq i64 %va, %vb
  br i1 %agree, label %test, label %different
equal:
  ret i1 true
different:
  ret i1 false
}}

define internal ptr @array(ptr %tensor, ptr %row, i1 %may_record) {{
entry:
  %pr = getelementptr i8, ptr %tensor, i64 {autograd}
  %record = load i64, ptr %pr
  %plain = icmp eq i64 %record, ptrtoint (ptr @object_none to i64)
  %welcome = or i1 %plain, %may_record
  br i1 %welcome, label %read, label %other
read:
  %pa = getelementptr i8, ptr %tensor, i64 {array}
  %array = load ptr, ptr %pa
  %absent = icmp eq ptr %array, null
  br i1 %absent, label %other, label %dtype
dtype:
  %pt = getelementptr i8, ptr %array, i64 8
  %type = load i64, ptr %pt
  %is_array = icmp eq i64 %type, ptrtoint (ptr @object_ndarray to i64)
  %pd = getelementptr i8, ptr %array, i64 56
  %descriptor = load i64, ptr %pd
  %pwd = getelementptr i64, ptr %row, i64 2
  %wanted = load i64, ptr %pwd
  %agrees = icmp eq i64 %descriptor, %wanted
  %fine = and i1 %is_array, %agrees
  br i1 %fine, label %rank, label %other
rank:
  %pn = getelementptr i8, ptr %array, i64 24
  %n32 = load i32, ptr %pn
  %n = sext i32 %n32 to i64
  %pwn = getelementptr i64, ptr %row, i64 3
  %wn = load i64, ptr %pwn
  %as_many = icmp eq i64 %n, %wn
  br i1 %as_many, label %sizes, label %other
sizes:
  %pw = getelementptr i64, ptr %row, i64 4
  %w = load ptr, ptr %pw
  %ps = getelementptr i8, ptr %array, i64 32
  %s = load ptr, ptr %ps
  %same_sizes = call i1 @same(ptr %s, ptr %w, i64 %n)
  br i1 %same_sizes, label %strides, label %other
strides:
  %ws = getelementptr i64, ptr %w, i64 %n
  %pst = getelementptr i8, ptr %array, i64 40
  %st = load ptr, ptr %pst
  %same_strides = call i1 @same(ptr %st, ptr %ws, i64 %n)
  br i1 %same_strides, label %found, label %other
found:
  %pdata = getelementptr i8, ptr %array, i64 16
  %data = load ptr, ptr %pdata
  ret ptr %data
other:
  ret ptr null
}}

define ptr @entry(ptr %self, ptr %args, i64 %count) {{
entry:
  %table = getelementptr i8, ptr %self, i64 {payload}
  %bases = alloca [{arguments} x ptr]
  %outcome = alloca [{numbers} x i64]
  %numbers = getelementptr i64, ptr %outcome, i64 1
  store i64 0, ptr %outcome
  %pointers = alloca [{pointers} x ptr]
  %inputs = load i64, ptr %table
  %t1 = getelementptr i64, ptr %table, i64 1
  %results = load i64, ptr %t1
  %t2 = getelementptr i64, ptr %table, i64 2
  %arrays = load i64, ptr %t2
  %t3 = getelementptr i64, ptr %table, i64 3
  %kernels = load i64, ptr %t3
  %t4 = getelementptr i64, ptr %table, i64 4
  %input_rows = load ptr, ptr %t4
  %t5 = getelementptr i64, ptr %table, i64 5
  %pointer_rows = load ptr, ptr %t5
  %t6 = getelementptr i64, ptr %table, i64 6
  %kernel_rows = load ptr, ptr %t6
  %t7 = getelementptr i64, ptr %table, i64 7
  %pair_rows = load ptr, ptr %t7
  %t8 = getelementptr i64, ptr %table, i64 8
  %pairs = load i64, ptr %t8
  br label %arguments
arguments:
  %i = phi i64 [ 0, %entry ], [ %i1, %argument_done ]
  %more_inputs = icmp slt i64 %i, %inputs
  br i1 %more_inputs, label %argument, label %related
argument:
  %row_at = mul i64 %i, {input_words}
  %row = getelementptr i64, ptr %input_rows, i64 %row_at
  %pobject = getelementptr ptr, ptr %args, i64 %i
  %object = load ptr, ptr %pobject
  %ptype = getelementptr i8, ptr %object, i64 8
  %type = load i64, ptr %ptype
  %pwanted_type = getelementptr i64, ptr %row, i64 1
  %wanted_type = load i64, ptr %pwanted_type
  %of_type = icmp eq i64 %type, %wanted_type
  br i1 %of_type, label %by_kind, label %refused
by_kind:
  %kind = load i64, ptr %row
  %pbase = getelementptr ptr, ptr %bases, i64 %i
  %pnumber = getelementptr i64, ptr %numbers, i64 %i
  switch i64 %kind, label %integer [ i64 {tensor}, label %tensor
                                     i64 {plain_tensor}, label %tensor
                                     i64 {written_tensor}, label %tensor
                                     i64 {written_plain}, label %tensor
                                     i64 {floating}, label %floating
                                     i64 {this_integer}, label %this_integer
                                     i64 {just_this}, label %just_this ]
tensor:
  %is_plain = icmp eq i64 %kind, {plain_tensor}
  %is_plain_written = icmp eq i64 %kind, {written_plain}
  %may_not_record = or i1 %is_plain, %is_plain_written
  %may_record = xor i1 %may_not_record, true
  %data = call ptr @array(ptr %object, ptr %row, i1 %may_record)
  store ptr %data, ptr %pbase
  %is_refused = icmp eq ptr %data, null
  br i1 %is_refused, label %refused, label %accepted
accepted:
  %is_any_written = icmp eq i64 %kind, {written_tensor}
  %is_written = or i1 %is_any_written, %is_plain_written
  br i1 %is_written, label %written, label %argument_done
written:
  %pwritten = getelementptr i8, ptr %object, i64 {array}
  %written_array = load ptr, ptr %pwritten
  %pflags = getelementptr i8, ptr %written_array, i64 {flags}
  %flags = load i32, ptr %pflags
  %flag = and i32 %flags, {writeable}
  %is_locked = icmp eq i32 %flag, 0
  br i1 %is_locked, label %refused, label %argument_done
floating:
  %pvalue = getelementptr i8, ptr %object, i64 16
  %float_bits = load i64, ptr %pvalue
  store i64 %float_bits, ptr %pnumber
  br label %argument_done
just_this:
  %pwanted_object = getelementptr i64, ptr %row, i64 2
  %wanted_object = load ptr, ptr %pwanted_object
  %is_it = icmp eq ptr %object, %wanted_object
  br i1 %is_it, label %argument_done, label %refused
this_integer:
  %pwanted_integer = getelementptr i64, ptr %row, i64 2
  %wanted_integer = load i64, ptr %pwanted_integer
  %given_integer = call i64 @PyLong_AsLongLong(ptr %object)
  store i64 %given_integer, ptr %pnumber
  %is_wanted = icmp eq i64 %given_integer, %wanted_integer
  br i1 %is_wanted, label %argument_done, label %refused
integer:
  %integer_value = call i64 @PyLong_AsLongLong(ptr %object)
  store i64 %integer_value, ptr %pnumber
  br label %argument_done
argument_done:
  %i1 = add i64 %i, 1
  br label %arguments
related:
  %q = phi i64 [ 0, %arguments ], [ %q1, %pair ]
  %more_pairs = icmp slt i64 %q, %pairs
  br i1 %more_pairs, label %pair, label %outputs
pair:
  %pair_at = mul i64 %q, {pair_words}
  %pair_row = getelementptr i64, ptr %pair_rows, i64 %pair_at
  %first_number = load i64, ptr %pair_row
  %r1 = getelementptr i64, ptr %pair_row, i64 1
  %second_number = load i64, ptr %r1
  %r2 = getelementptr i64, ptr %pair_row, i64 2
  %one = load i64, ptr %r2
  %r3 = getelementptr i64, ptr %pair_row, i64 3
  %first_before = load i64, ptr %r3
  %r4 = getelementptr i64, ptr %pair_row, i64 4
  %first_behind = load i64, ptr %r4
  %r5 = getelementptr i64, ptr %pair_row, i64 5
  %second_before = load i64, ptr %r5
  %r6 = getelementptr i64, ptr %pair_row, i64 6
  %second_behind = load i64, ptr %r6
  %pfirst = getelementptr i64, ptr %bases, i64 %first_number
  %first_place = load i64, ptr %pfirst
  %psecond = getelementptr i64, ptr %bases, i64 %second_number
  %second_place = load i64, ptr %psecond
  %first_begin = add i64 %first_place, %first_before
  %first_end = add i64 %first_place, %first_behind
  %second_begin = add i64 %second_place, %second_before
  %second_end = add i64 %second_place, %second_behind
  %is_behind = icmp ule i64 %first_end, %second_begin
  %is_before = icmp ule i64 %second_end, %first_begin
  %apart = or i1 %is_behind, %is_before
  %are_one = icmp eq i64 %first_place, %second_place
  %wants_one = icmp ne i64 %one, 0
  %as_wanted = select i1 %wants_one, i1 %are_one, i1 %apart
  %q1 = add i64 %q, 1
  br i1 %as_wanted, label %related, label %refused
outputs:
  %all = add i64 %inputs, %results
  br label %outputs_test
outputs_test:
  %o = phi i64 [ %inputs, %outputs ], [ %o1, %output ]
  %more_outputs = icmp slt i64 %o, %all
  br i1 %more_outputs, label %output, label %places
output:
  %poutput = getelementptr ptr, ptr %args, i64 %o
  %made = load ptr, ptr %poutput
  %pmade = getelementptr i8, ptr %made, i64 16
  %made_data = load ptr, ptr %pmade
  %pout_base = getelementptr ptr, ptr %bases, i64 %o
  store ptr %made_data, ptr %pout_base
  %o1 = add i64 %o, 1
  br label %outputs_test
places:
  %collects = icmp sgt i64 %count, %all
  br i1 %collects, label %collecting, label %places_begin
collecting:
  %pbuffer = getelementptr ptr, ptr %args, i64 %all
  %buffer = load ptr, ptr %pbuffer
  %pbuffer_data = getelementptr i8, ptr %buffer, i64 16
  %buffer_data = load ptr, ptr %pbuffer_data
  br label %places_begin
places_begin:
  %target = phi ptr [ %pointers, %places ], [ %buffer_data, %collecting ]
  br label %places_test
places_test:
  %p = phi i64 [ 0, %places_begin ], [ %p1, %place_done ]
  %more_places = icmp slt i64 %p, %arrays
  br i1 %more_places, label %place, label %run
place:
  %place_at = mul i64 %p, {pointer_words}
  %place_row = getelementptr i64, ptr %pointer_rows, i64 %place_at
  %owner = load i64, ptr %place_row
  %pdistance = getelementptr i64, ptr %place_row, i64 1
  %distance = load i64, ptr %pdistance
  %is_fixed = icmp slt i64 %owner, 0
  br i1 %is_fixed, label %fixed, label %relative
fixed:
  %fixed_place = inttoptr i64 %distance to ptr
  br label %place_done
relative:
  %powner = getelementptr ptr, ptr %bases, i64 %owner
  %base = load ptr, ptr %powner
  %relative_place = getelementptr i8, ptr %base, i64 %distance
  br label %place_done
place_done:
  %begins = phi ptr [ %fixed_place, %fixed ], [ %relative_place, %relative ]
  %ptarget = getelementptr ptr, ptr %target, i64 %p
  store ptr %begins, ptr %ptarget
  %p1 = add i64 %p, 1
  br label %places_test
run:
  br i1 %collects, label %collected, label %kernels_test
collected:
  %number_target = getelementptr ptr, ptr %target, i64 %arrays
  %number_count = add i64 %inputs, 1
  %number_bytes = mul i64 %number_count, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %number_target, ptr %outcome, i64 %number_bytes, i1 false)
  br label %done
kernels_test:
  %k = phi i64 [ 0, %run ], [ %k1, %kernel ]
  %more_kernels = icmp slt i64 %k, %kernels
  br i1 %more_kernels, label %kernel, label %done
kernel:
  %kernel_at = mul i64 %k, {kernel_words}
  %kernel_row = getelementptr i64, ptr %kernel_rows, i64 %kernel_at
  %function = load ptr, ptr %kernel_row
  %k_1 = getelementptr i64, ptr %kernel_row, i64 1
  %layout = load ptr, ptr %k_1
  %k_2 = getelementptr i64, ptr %kernel_row, i64 2
  %begin = load i64, ptr %k_2
  %k_3 = getelementptr i64, ptr %kernel_row, i64 3
  %end = load i64, ptr %k_3
  %k_4 = getelementptr i64, ptr %kernel_row, i64 4
  %first = load i64, ptr %k_4
  %its_pointers = getelementptr ptr, ptr %pointers, i64 %first
  call void %function(ptr %its_pointers, ptr %layout, i64 %begin, i64 %end, ptr %numbers)
  %k1 = add i64 %k, 1
  %refusal = load i64, ptr %outcome
  %is_computed = icmp eq i64 %refusal, 0
  br i1 %is_computed, label %kernels_test, label %refused
done:
  call void @Py_IncRef(ptr @object_true)
  ret ptr @object_true
refused:
  call void @Py_IncRef(ptr @object_false)
  ret ptr @object_false
}}

@object_none = external global i8
@object_true = external global i8
@object_false = external global i8
@object_ndarray = external global i8
declare i64 @PyLong_AsLongLong(ptr)
declare void @Py_IncRef(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
