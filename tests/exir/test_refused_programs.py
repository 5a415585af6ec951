"""Programs that cannot be exported: each tells where and why, and stands beside one that can be and does the same.

A case is a file with ``refused`` and ``instead`` (functions or classes of modules); comments name the codes that are
found in their lines. Its last lines say what both are called with.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import tsc
from tsc.compiler.exir.explanation import Explanation
from tsc.runtime.values.tensor import Tensor

CASES = sorted((Path(__file__).parent / "refused").glob("*.py"))
SAME_RESULTS_ELSEWHERE = frozenset(
    {
        *("backward", "grad", "text_of_tensor", "format_of_tensor"),
        *("formatted_string", "device_result", "future_result", "object_result"),
        *("enumeration_result", "list_returned", "own_generator", "text_of_number"),
    }
)
"""What leaves in another form, or is computed outside."""
_MARK = re.compile(r"# (TX\d+(?: TX\d+)*)$")

pytestmark = pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)


def test_findings_have_places_and_codes(path: Path) -> None:
    findings = [each for each in _explained(path, "refused").findings if each.severity == "error"]
    found = {(each.range.line, each.refusal.code) for each in findings}
    assert found == _marked(path)
    assert not _explained(path, "instead").findings


def test_capture_refuses_what_is_found(path: Path) -> None:
    program, arguments = _program(path, "refused")
    with pytest.raises(tsc.ExportError) as caught:
        tsc.export(program, arguments)
    assert caught.value.hint


def test_the_other_form_is_exported_and_does_the_same(path: Path) -> None:
    program, arguments = _program(path, "instead")
    exported = tsc.export(program, arguments).module()
    result = exported(*arguments)
    assert _equal(result, _program(path, "instead")[0](*arguments))
    if path.stem not in SAME_RESULTS_ELSEWHERE:
        refused, own_arguments = _program(path, "refused")
        assert _equal(result, refused(*own_arguments))


def _marked(path: Path) -> set[tuple[int, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    marks = [(number, _MARK.search(line)) for number, line in enumerate(lines, start=1)]
    return {(number, code) for number, mark in marks if mark for code in mark[1].split()}


def _unit(path: Path) -> Any:
    return tsc.CompilationUnit(path.read_text(encoding="utf-8"), str(path), names={})


def _program(path: Path, name: str) -> tuple[Any, tuple[Any, ...]]:
    """A function, or a new module of a class, and the arguments for it."""
    unit, text = _unit(path), path.read_text(encoding="utf-8")
    own = re.search(r"# of the refused: (.*)", text) if name == "refused" else None
    arguments = own or re.search(r"# arguments: (.*)", text)
    assert arguments is not None
    values = tsc.CompilationUnit(f"def values():\n    return ({arguments[1]},)\n").values()
    if f"class {name.title()}" in text:
        return getattr(unit, name.title())(), values
    return getattr(unit, name), values


def _explained(path: Path, name: str) -> Explanation:
    (explanation,) = tsc.explain_export(_program(path, name)[0])
    return explanation


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return bool(tsc.allclose(a.float(), b.float()))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(_equal, a, b))
    return bool(a == b)
