"""`tsc inspect` through its real entry point: what it says about files of every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tsc.cli import main

from .made_archives import NET, archive_of
from .made_archives import RECORDED as ARCHIVES


def inspected(*arguments: str) -> tuple[int, str, str]:
    """The exit status of `tsc inspect`, and what it printed on standard output and on standard error."""
    result = CliRunner().invoke(main, ["inspect", *arguments], prog_name="tsc")
    assert "bug of tsc" not in result.stderr
    return result.exit_code, result.stdout, result.stderr


def report_of(path: Path, *options: str) -> str:
    status, out, err = inspected(str(path), *options)
    assert (status, err) == (0, "")
    return out


def data_of(path: Path) -> dict[str, Any]:
    return json.loads(report_of(path, "--format", "json"))


def test_an_archive_is_told_with_its_methods_modules_and_operators() -> None:
    report = report_of(ARCHIVES / "attributes.pt")
    assert ": a TorchScript archive\n" in report
    assert "format      version 3, little-endian" in report
    assert "parameters  9 (36 B), buffers 32 B" in report
    assert "methods\n  forward(self, x: Tensor) -> Tensor\n" in report
    assert "    linear: torch.nn.modules.linear.Linear, 9 parameters, 36 B\n" in report
    assert "      parameter weight: float32[3, 2], 24 B\n" in report
    assert "    buffer buffer: float32[4], 16 B\n" in report
    assert "ratio = 0.1" in report
    assert "in_features = 2" in report
    assert "       1 aten::linear\n" in report
    assert "  enum tests.serialization.pytorch_archives.Color\n" in report
    assert "  note.txt: 5 B\n" in report


def test_json_has_the_shapes_and_totals_of_every_tensor() -> None:
    data = data_of(ARCHIVES / "attributes.pt")
    linear = next(each for each in data["modules"] if each["path"] == "linear")
    shapes = {
        each["name"]: (each["role"], each["dtype"], each["shape"]) for each in linear["tensors"]
    }
    assert shapes == {
        "weight": ("parameter", "float32", [3, 2]),
        "bias": ("parameter", "float32", [3]),
    }
    assert data["totals"]["parameters"] == 9
    assert data["totals"]["by_dtype"] == {"float32": 25, "int64": 2}
    assert data["operators"]["aten::add"] == 2
    assert data["lacking_operators"] == []
    assert data["problems"] == []


def test_constants_of_frozen_code_are_listed() -> None:
    report = report_of(ARCHIVES / "frozen.pt")
    assert "constants of the code\n  c0: float32[2, 2], 16 B\n" in report


def test_a_checkpoint_lists_its_tensors_by_the_keys_that_lead_to_them() -> None:
    for name in ("checkpoint.pth", "legacy.pth"):
        report = report_of(ARCHIVES / name)
        assert "  model.0.weight: float32[2, 2], 16 B\n" in report
        assert "  epoch: 3\n" in report
        assert "tsc.load_tensors gives its tensors to Python" in report


def test_other_files_are_named_with_what_to_do() -> None:
    assert "they need torch.nn.modules.linear.Linear" in report_of(ARCHIVES / "whole.pth")
    assert "a text" in report_of(Path(__file__))


def test_a_truncated_archive_is_told_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "cut.pt"
    path.write_bytes((ARCHIVES / "attributes.pt").read_bytes()[:4000])
    status, out, err = inspected(str(path))
    assert (status, err) == (2, "")
    assert "a zip archive that is not read: the end of the zip archive is missing" in out


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        (
            "forward",
            "def forward(self: __torch__.tests.serialization.pytorch_archives.Attributes,\n",
        ),
        ("linear.forward", "def forward(self: __torch__.torch.nn.modules.linear.Linear,\n"),
        (
            "Counter.__init__",
            "def __init__(self: __torch__.tests.serialization.pytorch_archives.Coun",
        ),
    ],
)
def test_the_source_of_a_method_is_printed(name: str, beginning: str) -> None:
    source = report_of(ARCHIVES / "attributes.pt", "--method", name)
    assert source.startswith(beginning)
    assert "  return" in source.splitlines()[-1]


def test_an_unknown_method_ends_with_the_names_that_there_are() -> None:
    status, out, err = inspected(str(ARCHIVES / "attributes.pt"), "--method", "backward")
    assert (status, out) == (2, "")
    assert "there is no method backward; say one of" in err
    assert "__torch__.torch.nn.modules.linear.Linear.forward" in err


def test_a_missing_file_is_a_wrong_command_line() -> None:
    status, out, err = inspected("no-such-file.pt")
    assert (status, out) == (2, "")
    assert "no-such-file.pt: No such file or directory" in err


def test_operators_that_tsc_lacks_and_devices_in_the_code_are_told(tmp_path: Path) -> None:
    body = (
        '    _0 = torch.to(x, dtype=6, device=torch.device("cuda:3"))\n'
        "    _1 = ops.torchvision.nms(_0, _0, 0.5)\n"
        '    _2 = "torch.relu(x)"  # torch.sigmoid(x)\n'
        "    return torch.no_such_operator(_1)\n"
    )
    path = tmp_path / "net.pt"
    code = f"{NET}  def forward(self: __torch__.m.Net,\n    x: Tensor) -> Tensor:\n{body}"
    data = data_of(archive_of(path, {"__torch__/m.py": code}))
    assert data["lacking_operators"] == ["aten::no_such_operator", "torchvision::nms"]
    assert data["devices_in_code"] == {"cuda:3": 1}
    assert "aten::relu" not in data["operators"]
    assert "aten::sigmoid" not in data["operators"]
    report = report_of(path)
    assert "       1 torchvision::nms  not in tsc\n" in report
    assert (
        "in the way  2 operators that tsc has not: aten::no_such_operator, torchvision::nms\n"
        in report
    )
    assert (
        "in the way  the code names devices, take them for the CPU with map_location: cuda:3\n"
        in report
    )


def test_code_that_cannot_be_parsed_is_a_problem_and_the_rest_is_told(tmp_path: Path) -> None:
    files = {"__torch__/m.py": f"{NET}  x : Tensor\n", "__torch__/broken.py": "class A(:\n"}
    data = data_of(archive_of(tmp_path / "net.pt", files))
    assert data["modules"][0]["class"] == "__torch__.m.Net"
    assert len(data["problems"]) == 1
    assert data["problems"][0].startswith("code/__torch__/broken.py: line 1: ")


def test_names_of_a_file_cannot_send_escapes_to_a_terminal(tmp_path: Path) -> None:
    code = (
        f"{NET}  def forward(self: __torch__.m.Net) -> int:\n    # \x1b[2J \u202e\n    return 1\n"
    )
    path = archive_of(tmp_path / "net.pt", {"__torch__/m\x1b[31m.py": code})
    report = report_of(path, "--code")
    assert "\x1b" not in report
    assert "\u202e" not in report
    assert "\\x1b[2J \\u202e" in report


def test_methods_keep_their_text_when_their_strings_look_like_code(tmp_path: Path) -> None:
    code = (
        f"{NET}  def forward(self: __torch__.m.Net,\n    x: str) -> str:\n"
        '    y = """\n  def fake(self: int) -> int:\n"""\n    return y\n'
        "  def other(self: __torch__.m.Net) -> int:\n    return 2\n"
    )
    path = archive_of(tmp_path / "net.pt", {"__torch__/m.py": code})
    data = data_of(path)
    assert data["methods"] == ["forward(self, x: str) -> str", "other(self) -> int"]
    assert "def fake" in report_of(path, "--method", "forward")
    assert report_of(path, "--method", "other").splitlines()[1] == "  return 2"


def test_absurdly_many_declarations_are_refused_before_they_are_parsed(tmp_path: Path) -> None:
    code = {"__torch__/m.py": NET, "__torch__/more.py": "x : Tensor\n" * 400_000}
    data = data_of(archive_of(tmp_path / "net.pt", code))
    expected = "code/__torch__/more.py: more than 4,000,000 characters of declarations"
    assert data["problems"] == [expected]


def test_absurd_amounts_of_code_are_not_read(tmp_path: Path) -> None:
    code = {f"__torch__/m{number}.py": "#" * 11_000_000 for number in range(3)}
    data = data_of(archive_of(tmp_path / "net.pt", code))
    assert data["problems"] == ["the code has more than 32.0 MB; it is not read"]
