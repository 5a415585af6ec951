"""``tsc export --explain --to onnx``: what has no form in ONNX, before there are arguments; and codes of refusals."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tsc
from tsc.cli import main
from tsc.runtime.onnx.refusals import OnnxExportError

pytest.importorskip("onnx_ir")

SOURCE = """\
def good(x):
    y = torch.linalg.vector_norm(x)
    x.add_(1)
    return torch.nn.functional.cross_entropy(x, x.argmax(1)) + y


def bad(x, flag: bool):
    y = torch.linalg.inv(x)
    if flag:
        y = torch.linalg.qr(x)[0]
    return y + 1
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def explained(file: str, *options: str) -> Any:
    return CliRunner().invoke(main, ["export", file, "--explain", *options])


def test_operators_without_a_form_are_told_with_their_places(file: str) -> None:
    told = explained(file, "--to", "onnx")
    assert told.exit_code == 1
    assert "good: can be exported" in told.output
    assert "TX501 error: aten::linalg_inv has no form in ONNX" in told.output
    assert "y = torch.linalg.inv(x)\n        ~~~~~~~~~~~~~~~~ <--- HERE" in told.output
    assert "TX501 warning: aten::linalg_qr has no form in ONNX" in told.output


def test_they_are_no_findings_of_exported_programs(file: str) -> None:
    assert explained(file).exit_code == 0


def test_json_and_sarif_have_them(file: str) -> None:
    told = json.loads(explained(file, "--to", "onnx", "--format", "json").output)
    (good, bad) = told["methods"]
    assert not good["findings"] and [each["code"] for each in bad["findings"]] == ["TX501"] * 2
    run = json.loads(explained(file, "--to", "onnx", "--format", "sarif").output)["runs"][0]
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["TX501"]
    assert [each["level"] for each in run["results"]] == ["error", "warning"]


def test_the_option_is_for_explanations(file: str) -> None:
    told = CliRunner().invoke(main, ["export", file, "good", "--to", "onnx", "-o", "x.onnx"])
    assert told.exit_code == 2 and "--to onnx is for --explain" in told.output


def test_python_asks_in_the_same_way() -> None:
    unit = tsc.CompilationUnit(SOURCE)
    good, bad = tsc.explain_export(unit, to="onnx")
    assert good.is_exportable and not bad.is_exportable
    with pytest.raises(tsc.Error, match="not to coreml"):
        tsc.explain_export(unit, to="coreml")


REFUSED = {
    "TX501": ("return torch.linalg.inv(x[:3] + torch.eye(3))", {}),
    "TX502": ("return x.to(torch.complex64).sum()", {}),
    "TX503": ("return F.elu(x, float(x[0, 0]))", {}),
    "TX504": ("return x.diagonal()", {"dynamic_shapes": {"x": {0: tsc.Dim("n", min=4), 1: None}}}),
    "TX505": ("return x.int() ** x.int()", {}),
    "TX506": ("return None", {}),
}


@pytest.mark.parametrize("code", REFUSED)
def test_conversion_tells_the_code(code: str) -> None:
    body, options = REFUSED[code]
    f = tsc.CompilationUnit(f"import torch.nn.functional as F\ndef f(x):\n    {body}\n").f
    program = tsc.export(f, (tsc.rand(4, 3) + 0.5,), **options)
    with pytest.raises(OnnxExportError, match=code) as raised:
        tsc.export_onnx(program, io.BytesIO())
    assert {each.code for each in raised.value.refusals} <= {code}
    told = CliRunner().invoke(main, ["check", "--explain", code])
    assert told.exit_code == 0 and "onnx" in told.output.lower()
