"""Exported programs as FILE of the commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.exir.recorded import recorded_path
from tsc import CompilationUnit, load_exported, tensor
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
