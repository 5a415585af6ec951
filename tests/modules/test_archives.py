"""The modules as archives, both ways: saved here and run by PyTorch, saved by PyTorch and run here."""

from __future__ import annotations

import io

import pytest

import tsc
from tests.oracle.answers import normalize_code, plain, same_value
from tests.oracle.ours import tensor
from tsc.compiler.source import Source
from tsc.runtime.commands.command_arguments import parse_arguments
from tsc.runtime.programs.source_unit import SourceUnit

from .cases import Case
from .test_modules import CASES, recorded

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
_SHORTENED = "the record shortens the name of a static method, by which PyTorch cannot load it"
OTHER_NAMES = {
    "gated_units": "PyTorch numbers a variable otherwise when it has loaded the program",
    "containers": _SHORTENED,
    "static_methods_by_the_class": _SHORTENED,
}
"""Programs whose printed code differs from the record in names alone."""
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)


@each_case
def test_what_is_saved_here_runs_in_pytorch(case: Case) -> None:
    torch = pytest.importorskip("torch")
    from tests.oracle import pytorch

    from .record import arguments

    unit = SourceUnit.from_source(Source(case.source, f"{case.program}.py"))
    tsc.manual_seed(0)
    archive = io.BytesIO()
    tsc.save(unit.module(case.class_name, case.init), archive)
    archive.seek(0)
    loaded = getattr(torch.jit.load(archive), case.method)
    torch.manual_seed(1)
    result = loaded(*arguments(case, {"torch": torch}))
    assert same_value(plain(result, pytorch.tensor), recorded()[case.key]["result"])
    if case.program not in OTHER_NAMES:
        assert normalize_code(loaded.code) == recorded()[case.key]["code"]


@pytest.mark.parametrize(
    "case",
    [each for each in CASES if OTHER_NAMES.get(each.program) != _SHORTENED],
    ids=lambda case: case.key,
)
def test_what_pytorch_saved_runs_here(case: Case) -> None:
    torch = pytest.importorskip("torch")
    from .record import scripted

    archive = io.BytesIO()
    with scripted(case) as (module, _names):
        torch.jit.save(module, archive)
    archive.seek(0)
    loaded = getattr(tsc.load(archive), case.method)
    positional, named = parse_arguments(
        case.arguments, loaded.schema, SourceUnit.from_source(Source(""))
    )
    tsc.manual_seed(1)
    result = plain(loaded(*positional, **named), tensor)
    assert same_value(result, recorded()[case.key]["result"])
    if case.program not in OTHER_NAMES:
        assert normalize_code(loaded.code) == recorded()[case.key]["code"]
