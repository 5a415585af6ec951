"""Lists in which data decides, tasks, and texts that data decides: the program does what the function does."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tests.exporting.late_list_programs import PROGRAMS
from tests.exporting.test_kept_state import plain

ARGUMENTS = ([2.0, 1.0, 3.0], [1.0, 3.0, 2.0], [3.0, 3.5, 2.0])


def function(text: str) -> Any:
    return tsc.CompilationUnit("from typing import *\nimport math\nimport torch\n" + text).f


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_programs(name: str) -> None:
    f = function(PROGRAMS[name])
    program = tsc.export(f, (tsc.tensor(ARGUMENTS[0]),))
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for module in (program.module(), tsc.load_exported(file.getvalue()).module()):
        for each in ARGUMENTS:
            found, expected = plain(module(tsc.tensor(each))), plain(f(tsc.tensor(each)))
            assert (
                found == pytest.approx(expected) if isinstance(found, float) else found == expected
            )


def test_exceptions_say_what_is_known_of_their_texts() -> None:
    module = tsc.export(
        function(PROGRAMS["exceptions with texts of numbers"]), (tsc.tensor(ARGUMENTS[0]),)
    ).module()
    with pytest.raises(tsc.ScriptError, match="no: … is too many"):
        module(tsc.tensor([7.0, 1.0, 1.0]))
    with pytest.raises(tsc.ScriptError, match="… elements, and …"):
        module(tsc.tensor([-1.0, 1.0, 1.0]))


REFUSED = {
    "a chosen list is changed": (
        "def f(x: Tensor):\n    rows = [[1, 2], [3, 4]]\n    row = rows[int(x[0]) - 2]\n"
        "    row.append(3)\n    return x\n",
        "a list is changed that data has chosen",
    ),
    "elements of several sizes": (
        "def f(x: Tensor):\n    return [x, x[:2]][int(x[0]) - 2]\n",
        "of one size and dtype",
    ),
    "a place that is not there": (
        "def f(x: Tensor):\n    return [x, x][int(x[0])]\n",
        "list index out of range",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_refused(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(tsc.Error, match=message):
        tsc.export(function(text), (tsc.tensor(ARGUMENTS[0]),))
