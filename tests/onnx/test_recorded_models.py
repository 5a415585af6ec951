"""Files of PyTorch become models: ONNX Runtime's results are our own run's, or every node that cannot go is told."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tsc
from tests.exir.recorded import recorded_answers, recorded_path
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.runtime.onnx.refusals import OnnxExportError

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

REFUSED = ("linear_algebra", "Printing")
"""Programs with nodes that have no conversion."""
NOT_MODELS = ("Constants", "complexes", "dtypes", "fourier", "no_results")
"""Those whose inputs or results ONNX has not."""
NOT_RUN = ("halves", "Autocast")
"""Neither NumPy's arrays nor ONNX Runtime's kernels have bfloat16."""
HALF = ("NestedAutocast",)
"""Those that compute in float16."""


def model(program: Any, **options: Any) -> bytes:
    content = io.BytesIO()
    tsc.export_onnx(program, content, **options)
    return content.getvalue()


def run(content: bytes, leaves: list[Any]) -> list[np.ndarray]:
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    given = [np.asarray(e.numpy() if isinstance(e, tsc.Tensor) else e) for e in leaves]
    return session.run(None, dict(zip(names, given)))


@pytest.mark.parametrize(
    "name", [e for e in recorded_answers() if e not in (*REFUSED, *NOT_MODELS, *NOT_RUN)]
)
def test_results_are_those_of_our_own_run(name: str) -> None:
    program = tsc.load_exported(recorded_path(name))
    args, kwargs = program.example_inputs
    leaves = tree_flatten((args, kwargs))[0]
    results = run(model(program), leaves)
    expected = tree_flatten(program.module()(*args, **kwargs))[0]
    for found, wanted in zip(results, [each for each in expected if each is not None]):
        value = wanted.numpy(force=True) if isinstance(wanted, tsc.Tensor) else np.asarray(wanted)
        assert found.shape == value.shape and found.dtype == value.dtype
        tolerance = 1e-2 if name in HALF else 1e-4
        assert np.allclose(found, value, tolerance, tolerance / 10, equal_nan=True)


@pytest.mark.parametrize("name", REFUSED)
def test_every_node_that_cannot_go_is_told_with_a_way_out(name: str) -> None:
    with pytest.raises(OnnxExportError) as raised:
        model(tsc.load_exported(recorded_path(name)))
    assert raised.value.refusals
    for each in raised.value.refusals:
        assert each.operator in str(raised.value) and each.reason


@pytest.mark.parametrize("name", NOT_MODELS)
def test_programs_without_tensors_of_onnx_are_refused(name: str) -> None:
    with pytest.raises(OnnxExportError):
        model(tsc.load_exported(recorded_path(name)))


def test_models_keep_names_sizes_and_places() -> None:
    made = onnx.load_from_string(model(tsc.load_exported(recorded_path("Perceptron"))))
    assert [each.name for each in made.graph.input] == ["x"]
    assert made.graph.input[0].type.tensor_type.shape.dim[0].dim_param
    assert "layers.0.weight" in {each.name for each in made.graph.initializer}
    metadata = {e.key for node in made.graph.node for e in node.metadata_props}
    assert {"fx_node", "operator", "stack_trace", "nn_module_stack"} <= metadata


LOOP = """
def f(x: Tensor, y: Tensor):
    while bool(x.sum() < 100):
        if bool(x[0, 0] > 3):
            x = x * 2
        else:
            x = x + 1
    return torch.cat([x, x]), x @ y
"""


def test_sizes_have_the_names_of_users_and_graphs_within_tell_their_places() -> None:
    shapes = {"x": {0: tsc.Dim("batch", min=2, max=64)}, "y": None}
    f = tsc.CompilationUnit(LOOP).f
    program = tsc.export(f, (tsc.ones(4, 3), tsc.ones(3, 5)), dynamic_shapes=shapes)
    graph = onnx.load_from_string(model(program)).graph
    dims = [each.type.tensor_type.shape.dim[0] for each in (*graph.input, *graph.output)]
    assert [e.dim_param or e.dim_value for e in dims] == ["batch", 3, "2*batch", "batch"]
    operators = {}
    for node in _all_nodes(graph):
        told = {each.key: each.value for each in node.metadata_props}
        operators.setdefault(node.op_type, told.get("operator", ""))
        assert "stack_trace" in told or node.name.startswith("output/")
    assert operators["Loop"].endswith("while_loop") and operators["If"].endswith("cond")


def _all_nodes(graph: Any) -> Iterator[Any]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _all_nodes(attribute.g)


@pytest.mark.parametrize("opset", [17, 24, 0])
def test_other_opsets_are_refused(opset: int) -> None:
    with pytest.raises(OnnxExportError, match="take one of 18 to 23"):
        model(tsc.load_exported(recorded_path("Add")), opset=opset)


def test_a_refused_program_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"old")
    with pytest.raises(OnnxExportError):
        tsc.export_onnx(tsc.load_exported(recorded_path("Add")), path, opset=99)
    assert path.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 1


def test_the_command_writes_models(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    command = [sys.executable, "-m", "tsc", "export", str(recorded_path("Add")), "-o", str(path)]
    subprocess.run([*command, "--opset", "19"], check=True)
    made = onnx.load(path)
    onnx.checker.check_model(made, full_check=True)
    assert made.opset_import[0].version == 19
