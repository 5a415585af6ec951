"""Archives that call operators of extensions of PyTorch: all but running works without them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tsc
from tests.inspection.made_archives import NET, archive_of

ROOT = Path(__file__).parent.parent.parent
CODE = {
    "__torch__/m.py": f"""{NET}  def forward(self: __torch__.m.Net,
    x: Tensor) -> Tensor:
    if torch.gt(torch.size(x, 0), 9):
      y = __torch__.boxes.kept(x, 0.5)
    else:
      y = torch.relu(x)
    return y
""",
    "__torch__/boxes.py": """def kept(boxes: Tensor,
    threshold: float) -> Tensor:
  return ops.suppression.largest(boxes, threshold, limit=3)
""",
}
SCHEMA = "suppression::largest(Tensor boxes, float threshold, *, SymInt limit) -> Tensor"
HINT = 'tsc.register_operator("suppression::largest(Tensor argument_1, float argument_2, int limit)'


@pytest.fixture
def archive(tmp_path: Path) -> str:
    return str(archive_of(tmp_path / "model.pt", CODE))


@pytest.fixture
def registered() -> Iterator[None]:
    """The operator for one test."""
    from tsc.runtime.operators import load

    def largest(boxes: tsc.Tensor, threshold: float, limit: int) -> np.ndarray:
        found = np.sort(boxes.numpy())[::-1]
        return found[found > threshold][:limit].copy()

    operator = tsc.register_operator(SCHEMA, largest)
    yield
    del load()._operators[operator.name]


def run(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "tsc", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


def test_running_is_refused_with_the_operator_its_place_and_what_to_do(archive: str) -> None:
    status, output, error = run("run", archive, "--args", "torch.ones(2)")
    assert (status, output) == (1, "")
    assert "Unknown builtin op: suppression::largest." in error
    assert "code/__torch__/boxes.py:3:9" in error
    assert HINT in error


def test_the_code_is_printed_as_it_stands_in_the_archive(archive: str) -> None:
    status, output, error = run("print-code", archive)
    assert (status, error) == (0, "")
    assert output == "\n".join(f"# code/{path}\n{text}" for path, text in CODE.items())


def test_a_method_with_the_operator_is_printed_without_the_indent_of_its_class(
    tmp_path: Path,
) -> None:
    code = f"{NET}  def forward(self: __torch__.m.Net,\n    x: Tensor) -> Tensor:\n"
    path = archive_of(
        tmp_path / "direct.pt",
        {"__torch__/m.py": f"{code}    y = ops.suppression.largest(x)\n    return y\n"},
    )
    status, output, _ = run("print-code", str(path), "forward")
    assert status == 0
    assert output == (
        "def forward(self: __torch__.m.Net,\n    x: Tensor) -> Tensor:\n"
        "  y = ops.suppression.largest(x)\n  return y\n"
    )


def test_checking_looks_into_called_functions(archive: str) -> None:
    status, output, _ = run("check", archive)
    assert status == 1
    assert "suppression::largest" in output


def test_inspection_lists_the_operator_as_lacking(archive: str) -> None:
    status, output, _ = run("inspect", archive)
    assert status == 0
    assert "suppression::largest" in output


def test_the_audit_warns_of_it(archive: str) -> None:
    status, output, _ = run("audit", archive)
    assert status == 1
    assert "suppression::largest is not among the operators that are allowed" in output


@pytest.mark.usefixtures("registered")
def test_with_the_operator_registered_the_archive_runs_and_is_saved(
    archive: str, tmp_path: Path
) -> None:
    module = tsc.load(archive)
    x = tsc.tensor([float(number) for number in range(12)])
    assert module(x).tolist() == [11.0, 10.0, 9.0]
    module.save(tmp_path / "again.pt")
    assert tsc.load(tmp_path / "again.pt")(x).tolist() == [11.0, 10.0, 9.0]


def test_a_misspelt_operator_of_pytorch_is_not_said_to_be_of_an_extension() -> None:
    with pytest.raises(tsc.CompileError) as caught:
        tsc.CompilationUnit("def f(x: Tensor):\n    return ops.aten.sofmax(x)\n")
    assert "register_operator" not in str(caught.value)


PACKED = "__torch__.torch.classes.quantized.Conv2dPackedParamsBase"


def test_code_with_objects_of_cpp_is_printed_and_running_it_refused(tmp_path: Path) -> None:
    code = {"__torch__/m.py": f"{NET}  packed : {PACKED}\n"}
    path = str(archive_of(tmp_path / "packed.pt", code))
    assert run("print-code", path) == (0, f"# code/__torch__/m.py\n{code['__torch__/m.py']}", "")
    status, output, error = run("run", path)
    assert (status, output) == (2, "")
    assert "'quantized.Conv2dPackedParamsBase' is a class written in C++" in error
    assert "as the model was before it was quantized" in error
    assert run("check", path)[0] == 2
