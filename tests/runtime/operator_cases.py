"""Arguments to try the scalar and container operators with, made from their schemas.

A case is a list of arguments; the answer to it is what the operator returns together with the
arguments as it leaves them, or the message of its error. Cases depend on the schema text alone, so
the recorded answers stay comparable.
"""

from __future__ import annotations

import itertools
import random
import zlib
from typing import Any

from tsc.compiler.schema import FunctionSchema

INFINITY = float("inf")
LARGEST, SMALLEST = 2**63 - 1, -(2**63)

INTS = [0, 1, -1, 2, 3, -7, 10, 5, 63, 255, 97, 2**31, 2**53 + 1, LARGEST, SMALLEST]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.5,
    0.1,
    3.0,
    -7.25,
    1e-7,
    1e20,
    123456.789,
    0.5,
    INFINITY,
    -INFINITY,
    float("nan"),
]
COMPLEXES = [0j, 1 + 0j, 1j, -2.5 + 3j, 0.1 - 0.25j, -1 + 0j, complex(3, -0.0)]
TEXTS = [
    "",
    "a",
    "abc",
    "Hello World",
    "  padded \t",
    "hello",
    "x,y,,z",
    "a-b-c",
    "42",
    "AbC dEf",
    "aaa",
    "l\nm\r\nn",
    "{} {}",
]
NUMERALS = [
    "12",
    "-3",
    "+7",
    "1.5",
    "-0.25e3",
    "inf",
    "nan",
    "",
    "x",
    " 12 ",
    "1_000",
    "0x10",
    "12abc",
    "1e400",
    "99999999999999999999",
]
SMALL = [0, 1, -1, 2, 3, -2, 5, -10, 100]

SAMPLES: dict[str, list[Any]] = {
    "int": INTS,
    "float": FLOATS,
    "bool": [True, False],
    "complex": COMPLEXES,
    "str": TEXTS,
    "str?": [None, ",", "b", ""],
    "int?": [None, 0, 1, -1, 2, -3, 10],
    "Scalar": [0, 3, -7, 2.5, -0.5, 1e20, 1 + 2j],
    "int[]": [[], [1], [3, 1, 2], [5, 5, -1, 3, 0], [1, 2]],
    "float[]": [[], [1.0], [3.5, -1.0, 2.0], [0.1, 0.1, 1e10]],
    "bool[]": [[], [True], [False, True, True], [False, False]],
    "str[]": [[], ["b"], ["b", "a", "abc"], ["x", "", "x", "y"]],
    "complex[]": [[], [1j, 2 + 0j], [0.5 - 1j]],
}

KEYS: dict[str, list[Any]] = {
    "str": ["a", "b", "zz"],
    "int": [1, 2, -9],
    "bool": [True, False],
    "float": [1.0, 2.5, 9.0],
    "complex": [1j, 2 + 0j, 3j],
}

BY_ARGUMENT: dict[tuple[str, str], list[Any]] = {
    ("aten::Int", "a:str"): NUMERALS,
    ("aten::Float", "a:str"): NUMERALS,
    ("aten::factorial", "a:int"): [0, 1, 5, 20, 21, 25, 66, -1],
    ("aten::chr", "i:int"): [97, 48, 127, 0, 955, 8364, 128512, -1, 1114112],
    ("aten::ord", "string:str"): ["a", "Z", "", "ab"],
    ("aten::ldexp", "i:int"): [0, 1, -1, 3, 10, -7],
    ("aten::__lshift__", "b:int"): [0, 1, 3, 31, 62, 63, 64, 65, -1],
    ("aten::__rshift__", "b:int"): [0, 1, 3, 31, 62, 63, 64, 65, -1],
    ("aten::pow", "b:int"): [0, 1, 2, 3, -1, 10, 63, 64, -2],
    ("aten::join", "self:str"): ["", ", ", "-"],
    ("aten::center", "fillchar:str"): [" ", "*", "", "ab"],
    ("aten::ljust", "fillchar:str"): [" ", "*", "", "ab"],
    ("aten::rjust", "fillchar:str"): [" ", "*", "", "ab"],
    ("prim::rangelist", "n:int"): [0, 1, 5, -1],
    ("aten::__range_length", "step:int"): [1, 2, -1, -3, 0],
    ("aten::center", "width:int"): [0, 1, 4, 7, 20],
    ("aten::zfill", "self:str"): ["", "42", "-42", "+7", "abc", "--1"],
    ("aten::strip", "chars:str"): [" \n\t\f\v", "a", "", "lHd"],
    ("aten::lstrip", "chars:str"): [" \n\t\f\v", "a", "", "lHd"],
    ("aten::rstrip", "chars:str"): [" \n\t\f\v", "a", "", "lHd"],
    ("aten::expandtabs", "self:str"): ["a\tb", "\t\tx", "ab\tcd\nef\tg", ""],
    ("aten::splitlines", "self:str"): ["a\nb", "a\r\nb\rc", "", "\n", "x\n\ny\n", "a\fb\vc"],
    ("aten::round", "a:float"): [0.5, 1.5, 2.5, -0.5, -2.5, 2.4999, 1e20, INFINITY],
}
"""Samples for arguments whose meaning the type does not tell."""

SMALL_INTS = {
    "idx", "index", "start", "end", "step", "max", "width", "tabsize", "n", "lo", "hi", "i", "ind",
}  # fmt: skip
SUBTEXTS = {
    "substr": ["", "a", "l", "lo", "b", "zz"],
    "separator": [",", "-", "l", "zz", ""],
    "old": ["a", "l", "", "b"],
    "new": ["", "X", "aa"],
}
TYPE_VARIABLES = {"t": "int", "tVal": "int", "t1": "int", "t2": "int"}
MOST_CASES = 24


def concrete(type_text: str) -> str:
    """A type text with its variables bound to int."""
    text = type_text
    for name, bound in TYPE_VARIABLES.items():
        for pattern in (f"{name})", f"{name}[", f"{name}?"):
            text = text.replace(f" {pattern}", f" {bound}{pattern[len(name) :]}")
        text = bound + text[len(name) :] if text in (name, f"{name}[]", f"{name}?") else text
    return text


def samples(operator: str, name: str, type_text: str) -> list[Any] | None:
    """Values for one argument, or None when the type has none here."""
    special = BY_ARGUMENT.get((operator, f"{name}:{type_text}"))
    if special is not None:
        return special
    if type_text == "int" and name in SMALL_INTS and not operator.startswith("aten::__range_l"):
        return SMALL
    if type_text == "str" and name in SUBTEXTS:
        return SUBTEXTS[name]
    if type_text.startswith("Dict("):
        return dictionaries(type_text)
    if type_text.startswith("(") and type_text.endswith(", int)[]"):
        keys = KEYS.get(type_text[1:-8])
        return (
            None
            if keys is None
            else [[], [(keys[0], 3)], [(keys[0], 3), (keys[1], 4), (keys[0], 5)]]
        )
    if name == "key" or (operator == "aten::_set_item" and name == "idx"):
        return KEYS.get(type_text)
    return SAMPLES.get(type_text)


def dictionaries(type_text: str) -> list[Any] | None:
    keys = KEYS.get(type_text.removeprefix("Dict(").removesuffix(", int)"))
    if keys is None:
        return None
    return [{}, {keys[0]: 1}, {keys[0]: 1, keys[1]: -2}]


def cases(schema: FunctionSchema) -> list[list[Any]]:
    """Up to MOST_CASES argument lists: a choice that depends on the schema text alone."""
    columns = [samples(schema.name, a.name, concrete(str(a.type))) for a in schema.arguments]
    known = [column for column in columns if column is not None]
    if len(known) != len(columns):
        return []
    rows = [list(row) for row in itertools.islice(itertools.product(*known), 20_000)]
    if len(rows) <= MOST_CASES:
        return rows
    choose = random.Random(zlib.crc32(str(schema).encode()))
    return choose.sample(rows, MOST_CASES)


def result_types(schema: FunctionSchema) -> list[str]:
    """The types of an operator's results, with their variables bound."""
    return [concrete(str(each.type)) for each in schema.returns]


def schemas() -> list[FunctionSchema]:
    """The schemas of the operators that are compared: those of numbers, strings and containers."""
    from tsc.runtime.operators import load

    every = [operator.schema for operator in load().all()]
    return [schema for schema in every if _is_compared(schema) and cases(schema)]


def qualified_name(schema: FunctionSchema) -> str:
    return f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name


def _is_compared(schema: FunctionSchema) -> bool:
    if not schema.name.startswith(
        ("aten::", "prim::")
    ):  # registered by another test of this process
        return False
    return schema.name not in NOT_COMPARED and qualified_name(schema) not in NOT_REACHED


NOT_COMPARED = {
    "prim::ConstantChunk": "takes attributes of its node",
    "prim::MMTreeReduce": "takes tensors alone",
    "prim::MMBatchSide": "takes attributes of its node",
    "prim::awaitable_nowait": "makes something to wait for, which no answer can hold",
    "aten::hash": "the numbers of strings and floats are no promise",
    "aten::save": "writes a file",
    "aten::manual_seed": "changes the state of the process",
    "aten::warn": "is an instruction in PyTorch, which takes a literal",
    "prim::TimePoint": "tells the time",
    "prim::Uninitialized": "has no result",
    "aten::_get_tracing_state": "depends on the surroundings",
    "aten::is_scripting": "depends on the surroundings",
    "aten::_get_cpu_capability": "depends on the surroundings",
    "aten::_nnpack_available": "depends on the surroundings",
    "aten::get_autocast_dtype": "takes the name of a device",
    "aten::set_grad_enabled": "changes the state of the thread",
    "prim::RaiseException": "is compared by whole programs",
    "aten::percentFormat": "has no case without values",
    "prim::tolist": "depends on its node",
    "aten::_assert_scalar": "PyTorch leaves it out as dead code",
    "aten::promote_types": "takes dtypes",
    "aten::can_cast": "takes dtypes",
}
"""By name, and why."""

NOT_REACHED = {
    "aten::pow.int_to_int",
    "aten::sort.any",
    "aten::sorted.any",
    "aten::device.with_index",
}
"""Overloads that the arguments here would not choose."""
