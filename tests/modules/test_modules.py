"""Modules of source files against PyTorch's record: parameters, graphs, code and results."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

import pytest

import tsc
from tests.oracle.answers import normalize_code, normalize_graph, plain, same_value
from tests.oracle.ours import tensor
from tsc.compiler.source import Source
from tsc.runtime.commands.command_arguments import parse_arguments
from tsc.runtime.programs.source_unit import SourceUnit

from .cases import RECORD, Case, cases, summary

CASES = list(cases())


@cache
def recorded() -> dict[str, Any]:
    return json.loads(gzip.decompress(RECORD.read_bytes()))


def ours(case: Case) -> dict[str, Any]:
    """What tsc makes of a module, in the form of the record."""
    unit = SourceUnit.from_source(Source(case.source, f"{case.program}.py"))
    tsc.manual_seed(0)
    module = unit.module(case.class_name, case.init)
    method = getattr(module, case.method)
    state = {
        name: summary(str(value.dtype), list(value.shape), value.numpy().reshape(-1).tolist())
        for name, value in module.state_dict().items()
    }
    positional, named = parse_arguments(case.arguments, method.schema, unit)
    tsc.manual_seed(1)
    return {
        "state": state,
        "graph": normalize_graph(str(method.graph)),
        "code": normalize_code(method.code),
        "result": plain(method(*positional, **named), tensor),
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_module_is_what_pytorch_makes_of_it(case: Case) -> None:
    mine, theirs = ours(case), recorded()[case.key]
    assert list(mine["state"]) == list(theirs["state"])
    for name, value in mine["state"].items():
        assert same_value(value, theirs["state"][name], 1e-5), name
    assert mine["graph"] == theirs["graph"]
    assert mine["code"] == theirs["code"]
    assert same_value(mine["result"], theirs["result"])


def test_the_record_has_no_other_cases() -> None:
    assert list(recorded()) == [case.key for case in CASES]
