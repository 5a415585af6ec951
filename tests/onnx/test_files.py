"""Models with their weights beside them, and several models at once: whole, or not at all."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tsc
from tsc.cli import main

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

SOURCE = """
import torch

class Coder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(40, 30)
        self.register_buffer("turned", torch.arange(600.).reshape(20, 30).t())

    def forward(self, x: torch.Tensor):
        return self.layer(x) @ self.turned

    @torch.jit.export
    def encode(self, x: torch.Tensor, factor: int = 2):
        return self.layer(x) * factor

    @torch.jit.export
    def solve(self, x: torch.Tensor):
        return torch.linalg.inv(x)
"""
X = np.linspace(-1, 1, 80, dtype=np.float32).reshape(2, 40)


@pytest.fixture(scope="module")
def module() -> Any:
    return tsc.CompilationUnit(SOURCE).Coder()


def result(path: Path) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {"x": X})
    return found


def test_weights_lie_beside_the_model(module: Any, tmp_path: Path) -> None:
    program = tsc.export(module, (tsc.from_numpy(X),))
    path = tmp_path / "model.onnx"
    tsc.export_onnx(program, path, external_data=True)
    assert {each.name for each in tmp_path.iterdir()} == {"model.onnx", "model.onnx.data"}
    assert path.stat().st_size < 4096 < path.with_name("model.onnx.data").stat().st_size
    onnx.checker.check_model(str(path), full_check=True)
    expected = module(tsc.from_numpy(X)).detach().numpy()
    assert np.allclose(result(path), expected, rtol=1e-4)
    named = {e.name: e for e in onnx.load(path, load_external_data=False).graph.initializer}
    outside = named["layer.weight"].external_data
    assert {e.key: e.value for e in outside}["location"] == "model.onnx.data"
    assert named["layer.bias"].data_location != onnx.TensorProto.EXTERNAL


def test_weights_beside_an_open_file_are_refused(module: Any) -> None:
    program = tsc.export(module, (tsc.from_numpy(X),))
    with pytest.raises(tsc.Error, match="give the path of a file"):
        tsc.export_onnx(program, io.BytesIO(), external_data=True)


def test_what_cannot_be_written_leaves_the_old_files(module: Any, tmp_path: Path) -> None:
    program = tsc.export(module, (tsc.from_numpy(X),))
    (tmp_path / "model.onnx").write_bytes(b"old")
    (tmp_path / "model.onnx.data").mkdir()
    with pytest.raises(tsc.Error, match="cannot be written"):
        tsc.export_onnx(program, tmp_path / "model.onnx", external_data=True)
    assert (tmp_path / "model.onnx").read_bytes() == b"old"
    assert {each.name for each in tmp_path.iterdir()} == {"model.onnx", "model.onnx.data"}


def test_several_programs_are_several_models(module: Any, tmp_path: Path) -> None:
    x = tsc.from_numpy(X)
    programs = {
        "forward": tsc.export(module, (x,)),
        "encode": tsc.export(module, (x, 3), method="encode"),
    }
    tsc.export_onnx(programs, tmp_path / "coder-{method}.onnx")
    assert np.allclose(
        result(tmp_path / "coder-encode.onnx"), module.encode(x, 3).detach().numpy(), rtol=1e-4
    )
    assert np.allclose(
        result(tmp_path / "coder-forward.onnx"), module(x).detach().numpy(), rtol=1e-4
    )


def test_nothing_is_written_unless_all_can_be(module: Any, tmp_path: Path) -> None:
    programs = {
        "forward": tsc.export(module, (tsc.from_numpy(X),)),
        "solve": tsc.export(module, (tsc.eye(3),), method="solve"),
    }
    with pytest.raises(tsc.Error, match=r"(?s)solve: .*linalg_inv"):
        tsc.export_onnx(programs, tmp_path / "{method}.onnx")
    with pytest.raises(tsc.Error, match=r"a path with \{method\} in it"):
        tsc.export_onnx(programs, tmp_path / "model.onnx")
    assert not list(tmp_path.iterdir())


# -- The command -----------------------------------------------------------------------------------


def export(tmp_path: Path, *arguments: str) -> Any:
    file = tmp_path / "coder.py"
    file.write_text(SOURCE, encoding="utf-8")
    return CliRunner().invoke(main, ["export", str(file), *arguments])


def test_the_command_exports_several_methods(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    calls = (
        "--args",
        "Coder.forward: torch.ones(2, 40)",
        "--args",
        "Coder.encode: torch.ones(2, 40), 3",
    )
    dynamic = ("--dynamic", "x: {0: batch=1..64}")
    told = export(tmp_path, *calls, *dynamic, "--external-data", "-o", f"{out}/{{method}}.onnx")
    assert told.exit_code == 0, told.output
    names = {each.name for each in out.iterdir()}
    assert names == {f"Coder.{e}.onnx{end}" for e in ("forward", "encode") for end in ("", ".data")}
    made = onnx.load(out / "Coder.encode.onnx", load_external_data=False)
    assert made.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    told = export(tmp_path, *calls, "-o", f"{out}/{{method}}.pt2")
    assert tsc.load_exported(out / "Coder.encode.pt2").module()(tsc.ones(2, 40), 3).shape == (2, 30)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--args", "a: 1", "--args", "b: 1", "-o", "x.onnx"), "several methods are several files"),
        (("--args", "torch.ones(1)", "-o", "{method}.onnx"), "the name of the method comes first"),
        (("--args", "a: 1", "--args", "a: 2", "-o", "{method}.pt2"), "name each method once"),
        (("-o", "{method}.pt2"), "name each method once"),
        (("--external-data", "-o", "x.pt2"), "--external-data is for models of ONNX"),
        (
            (
                *("--args", "Coder.forward: torch.ones(2, 40)"),
                *("--args", "Coder.encode: torch.ones(2, 40)"),
                *("--dynamic", "y: {0: n}", "-o", "{method}.onnx"),
            ),
            "no method has an argument y",
        ),
    ],
)
def test_wrong_options_are_told(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    told = export(tmp_path, *arguments)
    assert told.exit_code == 2
    assert said in told.output
