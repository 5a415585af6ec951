"""Sizes that data decides, in PyTorch: it loads the files, gives equal results, and writes the same graphs."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

from tests.exporting.data_sized_programs import ARGUMENTS, PROGRAMS  # noqa: E402
from tests.exporting.test_data_sizes import exported  # noqa: E402
from tests.exporting.test_regions_live import called  # noqa: E402
from tests.oracle.answers import plain, same_value  # noqa: E402
from tests.oracle.pytorch import tensor  # noqa: E402


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_in_pytorch(name: str) -> None:
    _, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    module = torch.export.load(io.BytesIO(file.getvalue())).module()
    reference = torch.jit.CompilationUnit(PROGRAMS[name]).f
    for each in ARGUMENTS:
        found, expected = module(torch.tensor(each)), reference(torch.tensor(each))
        assert same_value(plain(found, tensor), plain(expected, tensor))


NOT_CAPTURED = frozenset(
    {
        *("full", "sizes returned", "sizes decide", "sizes decide loops", "elements one by one"),
        *("in a branch", "in a loop", "with a size from outside", "with assertions"),
        *("branches of other sizes", "branches of data's sizes"),
    }
)
"""PyTorch's export captures no ``if`` and ``while`` on data, and no ``int(…)`` of a size."""
OTHERWISE = {
    "arange from": "it asserts the number before it computes with it",
    "arithmetic on sizes": "it asserts what sizes are made of, too",
    "view": "it asserts the number before it computes with it",
    "view by rest": "it asserts the number before it computes with it",
    "from": "it has a symbol for the offset of a view",
    "from behind": "it has a symbol for the offset of a view",
    "repeat": "it asserts how often, and not how many",
    "split": "it reads the number twice, and calls split_with_sizes",
}


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - NOT_CAPTURED))
def test_graphs_and_ranges_are_those_of_pytorch(name: str) -> None:
    number = re.compile(r"int\((x\.sum\(\)|x\[\d\])\)")
    scope: dict[str, Any] = {"torch": torch}
    in_python = number.sub(r"\1.long().item()", PROGRAMS[name])
    exec(compile(f"from __future__ import annotations\n{in_python}", "<program>", "exec"), scope)

    class Module(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return scope["f"](x)

    of_pytorch = torch.export.export(Module(), (torch.tensor(ARGUMENTS[0]),))
    unit = tsc.CompilationUnit(number.sub(r"int(\1.long())", PROGRAMS[name]))
    ours = tsc.export(unit.f, (tsc.tensor(ARGUMENTS[0]),))
    found, expected = [list(called(each.graph_module)) for each in (ours, of_pytorch)]
    ranges = {
        str(key): f"VR[{each.lower}, {each.upper}]"
        for key, each in of_pytorch.range_constraints.items()
    }
    told = {key: str(each) for key, each in ours.range_constraints.items()}
    same = found == expected and told == ranges
    assert same == (name not in OTHERWISE), (found, expected, told, ranges)


def test_a_branch_of_other_sizes_is_that_of_pytorch() -> None:
    class Module(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return 2 * torch.cond(x.sum() > 0, lambda x: x[:2].clone(), lambda x: x + 1, (x,))

    text = (
        "if bool(x.sum() > 0):\n        y = x[:2]\n    else:\n        y = x + 1\n    return 2 * y\n"
    )
    unit = tsc.CompilationUnit(f"def f(x: Tensor) -> Tensor:\n    {text}")
    ours = tsc.export(unit.f, (tsc.ones(3),))
    of_pytorch = torch.export.export(Module(), (torch.ones(3),))
    found, expected = [list(called(each.graph_module)) for each in (ours, of_pytorch)]
    assert sorted(found) == sorted(expected)
    (told,) = ours.range_constraints.values()
    (wanted,) = of_pytorch.range_constraints.values()
    assert (told.lower, told.upper) == (wanted.lower, wanted.upper) == (2, 3)
