"""What modules keep from call to call is kept by the programs: in buffers with the names of the attributes."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tests.exporting.kept_state_programs import PROGRAMS, REFUSED

CALLS = ([1.0, 0.5], [3.0, 2.0], [0.0, 1.0], [4.0, 4.0], [2.0, -1.0])


def module(body: str) -> Any:
    text = "from typing import *\nimport torch\nfrom torch import Tensor\n\n\nclass Kept(torch.nn.Module):"
    return tsc.CompilationUnit(text + body).Kept()


def plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value.tolist() if isinstance(value, tsc.Tensor) else value


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("example", [0, 1])
def test_calls_one_after_another_give_what_the_module_gives(name: str, example: int) -> None:
    program = tsc.export(module(PROGRAMS[name]), (tsc.tensor(CALLS[example]),))
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for exported in (program.module(), tsc.load_exported(file.getvalue()).module()):
        own = module(PROGRAMS[name])
        for each in CALLS:
            assert plain(exported(tsc.tensor(each))) == plain(own(tsc.tensor(each)))
        file.seek(0)
        program = tsc.load_exported(file.getvalue())


def test_numbers_are_buffers_with_the_names_of_attributes() -> None:
    counting = module(PROGRAMS["numbers"])
    program = tsc.export(counting, (tsc.ones(2),))
    assert program.graph_signature.buffers == ("calls", "total", "is_even")
    assert [str(each.dtype) for each in program.state_dict.values()] == [
        *("torch.int64", "torch.float64", "torch.bool"),
    ]
    assert (counting.calls, counting.total, counting.is_even) == (0, 0.5, True)
    core = program.run_decompositions().graph_signature
    assert set(core.buffers_to_mutate.values()) == {"calls", "total", "is_even"}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_buffer_can_hold_is_refused_where_it_is_changed(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(tsc.ExportError, match=message) as caught:
        tsc.export(module(body), (tsc.ones(2),))
    assert caught.value.hint
    assert "<--- HERE" in str(caught.value) and "def forward" not in str(caught.value)
