"""Shape rules: one run with symbols tells the sizes that PyTorch gives for others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.exir.shape_cases import CASES, HINTS, Case
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.shapes import ShapeError, results
from tsc.compiler.exir.symbols.sym_values import SymInt

RECORDS = Path(__file__).parent / "recorded_shapes.json"


def key_of(sizes: tuple[int, int]) -> str:
    return f"{sizes[0]},{sizes[1]}"


def told(case: Case, recorded: dict[str, Any]) -> tuple[list[Any], dict[Any, int]]:
    environment = ShapeEnvironment()
    n = environment.backed(HINTS[0], "L['x'].size()[0]", 2)
    m = environment.backed(HINTS[1], "L['x'].size()[1]", 2)
    name = f"aten::{case.operator.partition('.')[0]}"
    found = results(name, case.arguments(n, m), recorded[key_of(HINTS)], environment)
    return found, {"n": n, "m": m}


def at(size: Any, symbols: dict[str, Any], sizes: tuple[int, int]) -> int:
    if not isinstance(size, SymInt):
        return size
    values = {each.symbol: value for each, value in zip((symbols["n"], symbols["m"]), sizes)}
    return int(size.expression.xreplace(values))


@pytest.mark.parametrize("name", CASES)
def test_one_run_tells_other_sizes(name):
    recorded = json.loads(RECORDS.read_text())[name]
    found, symbols = told(CASES[name], recorded)
    for sizes in CASES[name].others():
        computed = [[at(size, symbols, sizes) for size in shape] for shape in found]
        assert computed == recorded[key_of(sizes)], (name, sizes, found)


@pytest.mark.oracle
@pytest.mark.parametrize("name", CASES)
def test_records_are_what_pytorch_gives(name):
    assert json.loads(RECORDS.read_text())[name] == record(CASES[name])


def test_an_operator_without_rule_is_refused():
    environment = ShapeEnvironment()
    size = environment.backed(4, "L['x'].size()[0]", 2)
    tensor = FakeTensor((size,), None)
    with pytest.raises(ShapeError, match=r"aten::no_such.*make the dimension static"):
        results("aten::no_such", {"self": tensor}, [[4]], environment)


def test_a_rule_that_tells_other_sizes_than_the_run_is_refused():
    environment = ShapeEnvironment()
    size = environment.backed(4, "L['x'].size()[0]", 2)
    with pytest.raises(ShapeError, match=r"tells \[\[4\]\], and this run gave \[\[5\]\]"):
        results("aten::relu", {"self": FakeTensor((size,), None)}, [[5]], environment)


def test_sizes_that_data_decides_are_symbols():
    environment = ShapeEnvironment()
    tensor = FakeTensor((3, 4), None)
    ((rows, columns),) = results("aten::nonzero", {"self": tensor}, [[7, 2]], environment)
    assert (str(rows), rows.hint, columns) == ("u0", 7, 2)
    assert str(environment.range_of(rows.expression)) == "VR[0, 12]"


def test_a_slice_narrows_the_range_as_in_pytorch():
    environment = ShapeEnvironment()
    size = environment.backed(6, "L['x'].size()[0]")
    tensor = FakeTensor((size,), None)
    arguments = {"self": tensor, "dim": 0, "start": 1, "end": -1, "step": 1}
    ((found,),) = results("aten::slice", arguments, [[4]], environment)
    assert str(found) == "s77 - 2"


def record(case: Case) -> dict[str, Any]:
    """The sizes of results for the hints and for others, by the operator of PyTorch."""
    return {
        key_of(sizes): _run(case.operator, case.arguments(*sizes))
        for sizes in [HINTS, *case.others()]
    }


def _run(operator: str, arguments: dict[str, Any]) -> list[list[int]]:
    import torch

    def real(value: Any) -> Any:
        if isinstance(value, FakeTensor):
            return torch.ones(value.size, dtype=getattr(torch, value.dtype.name))
        return [real(each) for each in value] if isinstance(value, list) else value

    name, _, overload = operator.partition(".")
    call = getattr(getattr(torch.ops.aten, name), overload or "default")
    schema = {each.name: each for each in call._schema.arguments}
    given = {key: real(each) for key, each in arguments.items()}
    missing = {
        key: _default(key)
        for key, each in schema.items()
        if key not in given and not each.has_default_value()
    }
    found = call(**given, **missing)
    return [list(each.shape) for each in (found if isinstance(found, list | tuple) else [found])]


def _default(name: str) -> Any:
    return {"dim": None}.get(name)


if __name__ == "__main__":
    RECORDS.write_text(json.dumps({name: record(case) for name, case in CASES.items()}, indent=0))
