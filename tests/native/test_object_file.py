"""Object files in memory, put there without LLVM."""

from __future__ import annotations

import ctypes
import platform
import sys
from typing import Any

import pytest

from tsc.runtime.native.code.object_file import NotLoaded, ObjectFile

llvm = pytest.importorskip("tsc.runtime.native.code.engine", exc_type=ImportError)
if sys.platform != "linux" or platform.machine() != "x86_64":
    pytest.skip("ELF for x86-64 only", allow_module_level=True)

WORD = ctypes.c_int64
PROGRAM = """
@object_some = external global i8
@table = private constant [4 x i64] [i64 10, i64 20, i64 30, i64 40]
@functions = internal constant [2 x ptr] [ptr @one, ptr @other]
declare i64 @labs(i64)
declare i64 @given(i64)

define internal i64 @one(i64 %x) noinline {
  %y = mul i64 %x, 3
  ret i64 %y
}

define internal i64 @other(i64 %x) noinline {
  %y = mul i64 %x, 5
  ret i64 %y
}

define i64 @some() {
  ret i64 ptrtoint (ptr @object_some to i64)
}

define i64 @elsewhere(i64 %x) {
  %y = call i64 @labs(i64 %x)
  %z = call i64 @given(i64 %y)
  ret i64 %z
}

define i64 @item(i64 %k) {
  %place = getelementptr [4 x i64], ptr @table, i64 0, i64 %k
  %item = load i64, ptr %place
  ret i64 %item
}

define i64 @inside(i64 %k, i64 %x) {
  %place = getelementptr [2 x ptr], ptr @functions, i64 0, i64 %k
  %function = load ptr, ptr %place
  %y = call i64 %function(i64 %x)
  %z = call i64 @one(i64 %y)
  ret i64 %z
}

define double @real(double %x) {
  %y = fmul double %x, 0x3FF1C71C71C71C72
  ret double %y
}

define i64 @chosen(i64 %x) {
  switch i64 %x, label %none [ i64 0, label %a
                               i64 1, label %b
                               i64 2, label %c
                               i64 3, label %d
                               i64 4, label %e ]
a: ret i64 7
b: ret i64 100
c: ret i64 -5
d: ret i64 12
e: ret i64 3
none: ret i64 0
}
"""


@pytest.fixture(scope="module")
def code() -> bytes:
    return llvm.Module(PROGRAM).object_code()


@ctypes.CFUNCTYPE(WORD, WORD)
def _given(x: int) -> int:
    return x + 1


def _loaded(code: bytes) -> ObjectFile:
    address = ctypes.cast(_given, ctypes.c_void_p).value
    assert address is not None
    return ObjectFile(code, {"given": address, "object_some": 0x1234567890})


def _called(file: ObjectFile, name: str, *arguments: int) -> Any:
    types = [WORD] * len(arguments)
    return ctypes.CFUNCTYPE(WORD, *types)(file.address(name))(*arguments)


def test_functions_and_data_of_the_file_find_each_other(code: bytes) -> None:
    file = _loaded(code)
    assert [_called(file, "item", k) for k in range(4)] == [10, 20, 30, 40]
    assert [_called(file, "chosen", k) for k in range(6)] == [7, 100, -5, 12, 3, 0]
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(file.address("real"))(9.0) == 10.0


def test_addresses_from_elsewhere(code: bytes) -> None:
    file = _loaded(code)
    assert _called(file, "some") == 0x1234567890
    assert _called(file, "elsewhere", -41) == 42


def test_pointers_to_functions_in_data(code: bytes) -> None:
    file = _loaded(code)
    assert _called(file, "inside", 0, 2) == 18
    assert _called(file, "inside", 1, 2) == 30


def test_what_nobody_has_is_told() -> None:
    text = "declare i64 @nobody_has_this()\ndefine i64 @f() {\n %x = call i64 @nobody_has_this()\n ret i64 %x\n}"
    with pytest.raises(NotLoaded, match="nobody_has_this"):
        ObjectFile(llvm.Module(text).object_code(), {})


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF", b"x" * 200, b"\x7fELF\x02\x01\x01" + bytes(200)]
)
def test_what_is_no_object_file_is_told(content: bytes) -> None:
    with pytest.raises(NotLoaded):
        ObjectFile(content, {})


def test_variables_are_left_to_llvm() -> None:
    text = "@v = global i64 3\ndefine i64 @f() {\n %x = load i64, ptr @v\n ret i64 %x\n}"
    with pytest.raises(NotLoaded, match="written"):
        ObjectFile(llvm.Module(text).object_code(), {})
