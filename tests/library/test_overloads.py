"""Overloads of library functions: which one is called, what it is named, what printed code leads back to."""

from __future__ import annotations

import re

import tsc
from tests.oracle.programs import all_programs

from .test_schemas import RECORDED

CALLS = """
import torch
import torch.nn.functional as F

def f(x):
    a = torch.norm(x), torch.norm(x, 1), torch.norm(x, 1, 0), torch.norm(x, "fro", 0)
    b = F.interpolate(x[None], 3), F.interpolate(x[None], [3]), F.interpolate(x[None], scale_factor=2.0)
    return a, b, torch.unique(x, return_counts=True)
"""
MANGLED = re.compile(r"(?:___torch_mangle_(\d+)\.)?(norm|interpolate)\b")


def test_overloads_have_numbered_names() -> None:
    code = tsc.CompilationUnit(CALLS).f.code
    assert {(number, name) for number, name in MANGLED.findall(code)} == {
        *((number, "norm") for number in ("", "0", "1", "2")),
        *((number, "interpolate") for number in ("", "0", "1")),
    }


def test_printed_code_calls_the_same_overloads() -> None:
    function = tsc.CompilationUnit(CALLS).f
    again = tsc.CompilationUnit(function.code).f
    assert again.code == function.code
    x = tsc.tensor([[3.0, 4.0], [6.0, 8.0]])
    assert str(again(x)) == str(function(x))


def test_every_function_that_pytorch_compiles_is_called_by_a_program_of_the_corpus() -> None:
    text = "\n".join(program.source for program in all_programs())
    called = set(re.findall(r"\b(?:F|functional|torch|init)\.(\w+)\(", text))
    names = {name.rpartition(".")[2] for name in RECORDED}
    public = {re.sub("_with_indices$", "", name) for name in names if not name.startswith("_")}
    assert public <= called
