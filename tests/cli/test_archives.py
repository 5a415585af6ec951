"""The commands on TorchScript archives, told by their content."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tsc.runtime.serialization.archive_reader import ArchiveReader

ROOT = Path(__file__).parent.parent.parent
RECORDED = ROOT / "tests" / "oracle" / "archives" / "recorded"
SEVERAL = str(RECORDED / "several_methods.pt")


def tsc(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "tsc", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([SEVERAL, "decode", "--args", "torch.ones(3), 4"], "tensor([4., 4., 4.])\n"),
        ([SEVERAL, "decode", "--args", "torch.ones(2), k=5"], "tensor([5., 5.])\n"),
        ([SEVERAL, "total", "--args", "[]"], "{}\n"),
        ([str(RECORDED / "hooks_outside.pt"), "--args", "torch.zeros(2)"], "tensor([3., 3.])\n"),
        ([str(RECORDED / "containers.pt"), "weights.nothing"], None),
    ],
)
def test_methods_run_by_their_paths(arguments: list[str], expected: str | None) -> None:
    status, output, error = tsc("run", *arguments)
    if expected is None:
        assert (status, output) == (2, "")
        assert "there is no 'nothing'" in error
    else:
        assert (status, output, error) == (0, expected, "")


def test_the_content_tells_and_not_the_name(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    shutil.copy(SEVERAL, path)
    assert tsc("run", str(path), "decode", "--args", "torch.ones(1)")[1] == "tensor([2.])\n"


def test_graphs_of_submodules_are_dumped() -> None:
    status, output, _ = tsc("compile", SEVERAL, "lin.forward")
    assert status == 0
    assert "aten::linear(%input.1, %weight.1, %bias.1) # linear.py:" in output


def test_every_method_of_the_module_is_dumped() -> None:
    status, output, _ = tsc("compile", SEVERAL, "--stage", "schema")
    assert status == 0
    headings = [line for line in output.splitlines() if line.startswith("# ")]
    names = ("forward", "decode", "encode", "total", "helper")
    assert headings == [f"# {name} (schema)" for name in names]


def test_load_store_form_is_dumped() -> None:
    status, output, _ = tsc("compile", SEVERAL, "decode", "--stage", "load-store")
    assert status == 0
    assert 'prim::Store[name="k"]' in output


def test_source_stages_are_for_source_files() -> None:
    status, _, error = tsc("compile", SEVERAL, "--stage", "tree")
    assert status == 2
    assert "--stage tree is for source files" in error


def test_the_code_of_one_method_is_printed() -> None:
    assert tsc("print-code", SEVERAL, "encode")[1] == (
        "def encode(self,\n    x: Tensor) -> Tensor:\n"
        "  lin = self.lin\n  return (lin).forward(x, )\n"
    )


def test_all_code_is_printed_by_file() -> None:
    enums = RECORDED / "enums.pt"
    texts = ArchiveReader(enums).code_files()
    assert tsc("print-code", str(enums))[1] == "\n".join(
        [f"# code/{path}\n{text}" for path, text in texts.items()]
    )


def test_checking_compiles_every_method() -> None:
    assert tsc("check", SEVERAL, str(RECORDED / "gru_tagger.pt"))[:2] == (
        0,
        "No problems in 2 files.\n",
    )


def test_other_zip_files_are_named() -> None:
    status, _, error = tsc("run", "tests/serialization/archives/checkpoint.pth")
    assert status == 2
    assert "no TorchScript archive" in error
    assert "hint: " in error


def test_an_archive_has_no_constructor_to_call() -> None:
    status, _, error = tsc("run", SEVERAL, "decode", "--init", "3", "--args", "torch.ones(1)")
    assert status == 2
    assert "--init: the module of an archive is made already" in error


def test_printed_code_compiles_again(tmp_path: Path) -> None:
    archive, printed = "samples/archives/digits.pt", str(tmp_path / "digits.py")
    assert tsc("print-code", archive, "-o", printed)[0] == 0
    status, output, _ = tsc("compile", printed, "Digits.read", "--stage", "schema")
    assert (status, output) == (0, tsc("compile", archive, "read", "--stage", "schema")[1])
    assert tsc("check", printed) == (0, "No problems in 1 file.\n", "")
    assert tsc("print-code", printed)[1] == Path(printed).read_text(encoding="utf-8")
    status, output, error = tsc("run", printed)
    assert (status, output) == (2, "")
    assert "run the archive that it was printed from" in error
