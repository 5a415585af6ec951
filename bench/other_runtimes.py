"""Other ways to run a module of PyTorch: what they make of it is a function without arguments."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bench.fusion import THREADS

Made = Callable[[], object]
_PRINTED: Final = (1, 2)
"""The files that are printed to."""


@contextmanager
def in_silence() -> Iterator[None]:
    """Without what is printed meanwhile, by native code too: exporters print whole graphs where they fail."""
    _flush()
    kept = [os.dup(number) for number in _PRINTED]
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in _PRINTED:
            os.dup2(nothing, number)
        yield
    finally:
        _flush()
        for number, each in zip(_PRINTED, kept, strict=True):
            os.dup2(each, number)
            os.close(each)
        os.close(nothing)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def optimized(module: Any, example: Any, _: str) -> Made:
    """`torch.jit.optimize_for_inference` of the scripted module."""
    import torch

    made = torch.jit.optimize_for_inference(torch.jit.script(module))
    return lambda: made(example)


def onnx_runtime(module: Any, example: Any, folder: str) -> Made:
    """Raises ImportError where ONNX Runtime is not installed."""
    return onnx_session(_exported(module, example, folder), example)


def onnx_session(path: str, example: Any) -> Made:
    """A model of ONNX in ONNX Runtime. Raises ImportError where that is not installed."""
    import onnxruntime  # pyright: ignore[reportMissingImports]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(path, options)
    given = {session.get_inputs()[0].name: example.numpy()}
    return lambda: session.run(None, given)


def openvino(module: Any, example: Any, folder: str) -> Made:
    """Raises ImportError where OpenVINO is not installed."""
    from openvino import Core  # pyright: ignore[reportMissingImports]

    settings = {"INFERENCE_NUM_THREADS": THREADS, "INFERENCE_PRECISION_HINT": "f32"}
    core = Core()
    compiled = core.compile_model(
        core.read_model(_exported(module, example, folder)), "CPU", settings
    )
    given = example.numpy()
    return lambda: compiled([given])


def _exported(module: Any, example: Any, folder: str) -> str:
    """The path of an ONNX file of the module. Raises ImportError where onnx is not installed."""
    import onnx  # noqa: F401 # pyright: ignore[reportMissingImports]
    import torch

    path = str(Path(folder) / "model.onnx")
    torch.onnx.export(module, (example,), path, dynamo=False, opset_version=17)
    return path


RUNTIMES: dict[str, Callable[[Any, Any, str], Made]] = {
    "optimized": optimized,
    "ONNX RT": onnx_runtime,
    "OpenVINO": openvino,
}
"""By the heading of a column: `optimize_for_inference`, ONNX Runtime, OpenVINO."""
