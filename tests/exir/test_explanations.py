"""What `tsc export --explain` and `tsc.explain_export` tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import tsc
from tsc.cli import main
from tsc.compiler.exir.refusals import REFUSALS

SOURCE = """\
def good(x, flag: bool = True):
    for _ in range(x.size(0)):
        x = x + 1
    return x


def bad(x):
    print(x)
    return x.sum(int(x.max()))
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def test_methods_tell_what_becomes_of_them() -> None:
    good, bad = tsc.explain_export(tsc.CompilationUnit(SOURCE))
    assert good.is_exportable and not bad.is_exportable
    assert (good.tensors, good.constants) == (("x",), ("flag",))
    assert [each.line for each in (*good.loops, *good.sizes)] == [2, 2]


DECIDED = """
def f(x: Tensor) -> int:
    n = 0
    while bool(x.sum() > n):
        n += 1
    for i in range(3):
        if bool(x[0] > i):
            n += i
    return n
"""


def test_branches_and_loops_that_data_decides_are_told_apart() -> None:
    (found,) = tsc.explain_export(tsc.CompilationUnit(DECIDED))
    assert [each.line for each in found.kept] == [4, 7]
    assert [each.line for each in (*found.loops, *found.branches)] == [6]


def test_text_points_with_a_caret(file: str) -> None:
    told = CliRunner().invoke(main, ["export", file, "bad", "--explain"])
    assert told.exit_code == 1
    assert "bad: cannot be exported" in told.output
    assert "TX202 error: the argument dim of aten::sum is a number that data decides" in told.output
    assert "TX407 warning" in told.output and "<--- HERE" in told.output


def test_a_method_without_findings_is_a_success(file: str) -> None:
    assert CliRunner().invoke(main, ["export", file, "good", "--explain"]).exit_code == 0


def test_json_holds_every_method_with_its_findings(file: str) -> None:
    told = CliRunner().invoke(main, ["export", file, "--explain", "--format", "json"])
    good, bad = json.loads(told.output)["methods"]
    assert good["exportable"] and not good["findings"]
    found = {(each["code"], each["line"], each["severity"]) for each in bad["findings"]}
    assert found == {("TX202", 9, "error"), ("TX407", 8, "warning")}


def test_sarif_has_rules_places_and_methods(file: str) -> None:
    told = CliRunner().invoke(main, ["export", file, "--explain", "--format", "sarif"])
    (run,) = json.loads(told.output)["runs"]
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["TX202", "TX407"]
    first = run["results"][0]["locations"][0]
    assert first["logicalLocations"][0]["fullyQualifiedName"] == "bad"
    assert first["physicalLocation"]["region"]["startLine"] == 8


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(tsc.Error, match="can be exported, not a int"):
        tsc.explain_export(3)


def test_errors_of_capture_have_the_codes_of_findings(file: str) -> None:
    told = CliRunner().invoke(
        main, ["export", file, "bad", "--args", "torch.ones(2)", "-o", "x.pt2"]
    )
    assert told.exit_code == 1
    assert "explain: tsc check --explain TX" in told.output


def test_codes_of_refusals_are_explained() -> None:
    one = CliRunner().invoke(main, ["check", "--explain", "tx201"]).output
    assert one.startswith(
        "TX201 element-read\n\nA number out of a tensor has to be known while the program is captured.\n"
    )
    several = CliRunner().invoke(main, ["check", "--explain", "TX2"]).output.splitlines()
    assert [each.split()[0] for each in several] == sorted(
        each for each in REFUSALS if each < "TX3" and each > "TX2"
    )


def test_a_result_that_begins_as_an_empty_list_has_the_place_of_its_function() -> None:
    text = "def words(n: int) -> List[str]:\n    found: List[str] = []\n    return found\n"
    (explained,) = tsc.explain_export(tsc.CompilationUnit(text))
    (found,) = explained.findings
    assert found.refusal.code == "TX102"
    assert found.range.text == "words(n: int) -> List[str]:" and found.range.line == 1


SUPPRESSION = """
def kept(scores, far):
    found: List[int] = []
    order = scores.argsort(descending=True)
    while order.numel() > 0:
        found.append(order.size(0))
        order = order[1:][far[order[1:]] > 0.5]
    return found
"""
FOLLOWED = """
def f(x, w):
    rows = torch.nonzero(x)
    values = (x[x > 0] * 2).relu().unsqueeze(1)
    parts = torch.cat([values, values])
    a, b, c, d = 0, 0, 0, 0
    if parts.size(0) > 3:
        a = 1
    if rows.size(1) > 3:
        b = 1
    if values.sum(0).numel() > 3:
        c = 1
    if w[rows[:, 0]].matmul(w.t()).size(0) > 3:
        d = 1
    return a, b, c, d
"""


def test_a_loop_over_a_tensor_that_data_shortens_is_decided_by_data() -> None:
    (explained,) = tsc.explain_export(tsc.CompilationUnit(SUPPRESSION))
    assert [each.refusal.code for each in explained.findings] == ["TX102"]
    assert [each.line for each in explained.kept] == [5]


def test_sizes_that_data_decides_are_followed_through_operators() -> None:
    (explained,) = tsc.explain_export(tsc.CompilationUnit(FOLLOWED))
    assert [each.line for each in explained.kept] == [7, 13]
    assert [each.line for each in explained.branches] == [9, 11]


def test_lines_are_in_order_and_after_the_names_of_files(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(SOURCE, encoding="utf-8")
    path = tmp_path / "m.py"
    program = "from other import good\n\ndef f(x):\n    for i in range(2):\n        x = x * i\n    return good(x)\n"
    path.write_text(program, encoding="utf-8")
    outcome = CliRunner().invoke(main, ["export", str(path), "f", "--explain"])
    assert f"written out: {path} line 4; {path.parent / 'other.py'} line 2\n" in outcome.output
    outcome = CliRunner().invoke(main, ["export", str(tmp_path / "other.py"), "--explain"])
    assert "  written out: line 2\n  sizes read: line 2\n" in outcome.output
