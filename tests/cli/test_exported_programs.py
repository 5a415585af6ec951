"""Exported programs as FILE of the commands."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.exir.recorded import recorded_path
from tests.exir.test_serialized_programs import MODEL, changed
from tsc import CompilationUnit, load, load_exported, tensor, zeros
from tsc.cli import main

BRANCHES, COUNTER, PERCEPTRON = map(str, map(recorded_path, ("Branches", "Counter", "Perceptron")))
DONE, FAILED, WRONG = 0, 1, 2


def tsc(*arguments: str, content: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, prog_name="tsc", input=content)
    assert "bug of tsc" not in result.stderr
    assert "Traceback" not in result.stderr
    return result


def test_a_program_runs() -> None:
    result = tsc("run", PERCEPTRON, "--args", "torch.zeros(2, 4)")
    assert result.exit_code == DONE
    assert result.stdout.startswith("tensor([[0.")


def test_a_program_is_read_from_standard_input() -> None:
    content = Path(COUNTER).read_bytes()
    result = tsc("run", "-", "--args", "torch.ones(3, 2)", content=content)
    assert result.stdout.split() == ["tensor([[4.,", "4.],", "[4.,", "4.],", "[4.,", "4.]])"]


def test_containers_are_arguments() -> None:
    arguments = "[torch.ones(2), torch.ones(3), torch.ones(1)]"
    result = tsc("run", str(recorded_path("list_argument")), "--args", arguments)
    assert result.stdout == "tensor(6.)\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("torch.ones(65, 4)", "x.size()[0] <= 64, and it is 65 (range constraint s77: VR[1, 64])"),
        ("torch.ones(2, 4), torch.ones(1)", "expected 1 elements at [0], found 2"),
        ("", 'pass arguments as in --args "x=torch.ones(2, 3)"'),
        ("3", "forward"),
    ],
)
def test_wrong_arguments_are_refused(arguments: str, said: str) -> None:
    result = tsc("run", PERCEPTRON, "--args", arguments)
    assert result.exit_code != DONE
    assert said in result.stderr


def test_the_stages_of_exported_programs() -> None:
    stages = ("fx", "python", "signature", "ir", "schema", "bytecode")
    result = tsc("compile", BRANCHES, *(f"--stage={each}" for each in stages))
    assert result.exit_code == DONE
    for stage in ("fx", "python", "signature"):
        assert f"# {stage}\n" in result.stdout
    assert "%cond : [num_users=1] = call_function[target=torch.ops.higher_order" in result.stdout
    assert "class true_graph_0(torch.nn.Module):" in result.stdout
    assert "\nx: USER_INPUT\n" in result.stdout
    assert " = prim::If(" in result.stdout
    assert "forward(Tensor x) -> ((Tensor))" in result.stdout


@pytest.mark.parametrize("stage", ["tree", "load-store"])
def test_stages_of_sources_are_refused(stage: str) -> None:
    result = tsc("compile", BRANCHES, f"--stage={stage}")
    assert (result.exit_code, "is for source files" in result.stderr) == (WRONG, True)


def test_stages_of_exported_programs_are_refused_for_others(tmp_path: Path) -> None:
    source = tmp_path / "f.py"
    source.write_text("def f(x):\n    return x\n")
    result = tsc("compile", str(source), "--stage=fx")
    assert (result.exit_code, "is for exported programs (.pt2)" in result.stderr) == (WRONG, True)


def test_inspection_tells_what_is_in_a_program() -> None:
    result = tsc("inspect", COUNTER)
    assert result.exit_code == DONE
    for line in (
        "what to do  tsc run runs it, tsc.load_exported gives it to Python; neither needs PyTorch",
        "  buffer count: float32[1], 4 B",
        "inputs\n  x: f32[s77, 2]",
        "outputs\n  add: f32[s77, 2]",
        "range constraints\n  s77: VR[2, 64]",
        "operators\n  aten.sym_size.int: 1",
    ):
        assert line in result.stdout


def test_inspection_as_json_has_the_same() -> None:
    result = tsc("inspect", COUNTER, "--format", "json")
    assert '"range_constraints": {\n  "s77": "VR[2, 64]"\n }' in result.stdout
    assert '"name": "count"' in result.stdout


def test_the_code_of_a_program_compiles_again(tmp_path: Path) -> None:
    printed = tsc("print-code", BRANCHES)
    assert printed.exit_code == DONE
    (tmp_path / "branches.py").write_text(printed.stdout)
    again = tsc("run", str(tmp_path / "branches.py"), "--args", "torch.zeros(1)")
    assert again.stdout == "(tensor([2.]),)\n"


@pytest.mark.parametrize(
    "arguments",
    [("run", BRANCHES, "other"), ("compile", BRANCHES, "other"), ("print-code", BRANCHES, "other")],
)
def test_there_is_one_function(arguments: tuple[str, ...]) -> None:
    result = tsc(*arguments)
    assert result.exit_code == WRONG
    assert "an exported program has one function, forward, and no 'other'" in result.stderr


def test_programs_are_checked() -> None:
    assert tsc("check", BRANCHES).exit_code == DONE


def test_programs_are_not_frozen(tmp_path: Path) -> None:
    result = tsc("freeze", BRANCHES, "-o", str(tmp_path / "frozen.pt"))
    assert result.exit_code != DONE
    assert "exported program" in result.stderr


def test_archives_are_exported(tmp_path: Path) -> None:
    text = (
        "import torch\nimport torch.nn as nn\nfrom torch import Tensor\n\nclass Model(nn.Module):\n"
        "    def forward(self, x: Tensor) -> Tensor:\n        return torch.relu(x)\n"
    )
    archive, made = str(tmp_path / "model.pt"), str(tmp_path / "model.pt2")
    CompilationUnit(text).Model().save(archive)
    ran = CliRunner().invoke(main, ["export", archive, "--args", "torch.ones(2)", "-o", made])
    assert ran.exit_code == 0, ran.output
    assert load_exported(made).module()(tensor([-1.0, 2.0])).tolist() == [0.0, 2.0]


@pytest.mark.parametrize("ending", [".txt", ".pt3", "", ".onnx.zip"])
def test_an_ending_that_tells_nothing_is_refused(tmp_path: Path, ending: str) -> None:
    made = tmp_path / f"model{ending}"
    result = tsc("export", PERCEPTRON, "-o", str(made))
    assert result.exit_code == WRONG
    assert ".pt2 an exported program, .pt (.pth, .ts, .jit) a TorchScript archive" in result.stderr
    assert not made.exists()


@pytest.mark.parametrize("ending", [".pt", ".pth", ".ts", ".jit"])
def test_archives_are_written_by_their_endings(tmp_path: Path, ending: str) -> None:
    made = str(tmp_path / f"model{ending}")
    assert tsc("export", PERCEPTRON, "-o", made).exit_code == DONE
    assert load(made)(zeros(2, 4)).shape == (2, 3)


@pytest.mark.parametrize("command", ["inspect", "run", "check"])
def test_files_of_other_versions_are_not_called_damaged(tmp_path: Path, command: str) -> None:
    path = tmp_path / "newer.pt2"
    path.write_bytes(changed("Counter", MODEL, lambda p: p["schema_version"].update(major=9)))
    result = tsc(command, str(path))
    assert "the program has schema version 9; 8 is read" in result.output
    assert "save it with PyTorch 2.13" in result.output
    assert "damaged" not in result.output


@pytest.mark.parametrize("command", ["inspect", "run", "check"])
@pytest.mark.parametrize("old", [True, False])
def test_archives_without_a_program_are_told(tmp_path: Path, command: str, old: bool) -> None:
    path = tmp_path / "other.pt2"
    with zipfile.ZipFile(path, "w") as archive:
        if old:
            archive.writestr("serialized_exported_program.json", "{}")
        else:
            for name, text in (("archive_format", "pt2"), ("archive_version", "0")):
                archive.writestr(f"other/{name}", text)
    said = "layout of PyTorch 2.7" if old else "there is no program in the archive"
    result = tsc(command, str(path))
    assert said in result.output
    assert "tsc run runs it" not in result.output


def test_a_call_that_tsc_has_not_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "unknown.pt2"

    def change(program: Any) -> None:
        program["graph_module"]["graph"]["nodes"][0]["target"] = "torch.ops.mine.linear.default"

    path.write_bytes(changed("Perceptron", MODEL, change))
    for command in (("run", str(path), "--args", "torch.zeros(2, 4)"), ("check", str(path))):
        result = tsc(*command)
        assert result.exit_code == FAILED
        assert "linear calls torch.ops.mine.linear.default, which tsc has not" in result.output
        assert "linear.py:134 in forward, code: return F.linear(" in result.output
        assert "hint: tsc.register_operator gives mine::linear a kernel" in result.output
    told = tsc("inspect", str(path)).output
    assert "tsc run does not run it: linear calls torch.ops.mine.linear.default" in told
    assert "tsc run runs it" not in told
