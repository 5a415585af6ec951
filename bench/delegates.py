"""Whole models with a backend, beside the runtime itself: on the model that tsc exports, and on that of PyTorch.

Times of a call, then the peak of a process that loads the archive with the backend and calls it, beside others'.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import memory, other_runtimes
from bench.fusion import THREADS
from bench.models import MODELS, Model, best_in_turn, clock_for, largest_difference

WANTED = 0.9
CHOSEN = (
    "ResNet-18",
    "ResNet-50",
    "MobileNetV3",
    "EfficientNet",
    "ConvNeXt",
    "ViT-B",
    "Swin",
    "encoder, 6 layers",
    "encoder of PyTorch",
    "masked encoder",
    "LSTM language model",
    "policy",
)
"""Beginnings of the labels of the models that are measured unless others are asked for."""
ITSELF = """
import numpy, onnxruntime
before = peak()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = {threads}
session = onnxruntime.InferenceSession({onnx!r}, options)
given = {{session.get_inputs()[0].name: numpy.load({example!r})}}
for _ in range({calls}):
    session.run(None, given)
print(before, peak())
"""


def main(arguments: list[str]) -> None:
    """With the beginning of the labels of wanted models, if not those chosen, the batch if not 1, and the threads.

    On one thread processor time is measured, which other work of the machine changes less.
    """
    import torch

    import tsc

    start, batch, threads = (*arguments, "", "", "")[:3]
    other_runtimes.THREADS = count = int(threads or THREADS)
    torch.set_num_threads(count)
    tsc.set_num_threads(count)
    chosen = [each for each in MODELS if each.label.startswith(start or CHOSEN)]
    with tempfile.TemporaryDirectory() as folder, torch.no_grad(), tsc.no_grad():
        print(
            f"milliseconds, {count} threads; share: of the speed of ONNX Runtime itself at its best"
        )
        print(f"{'':38s}" + "".join(f"{each:>10s}" for each in (*COLUMNS, "share")))
        shares = [_timed(each, int(batch or 1), folder, clock_for(count)) for each in chosen]
        print(f"{'least':38s}{min(shares):{10 * (len(COLUMNS) + 1)}.2f}   (wanted: {WANTED:g})")
        print("\npeak MB, and in brackets beside imports")
        print(f"{'':38s}{'delegate':>14s}{'native':>14s}{'ONNX RT':>14s}{'torch.jit':>14s}")
        for each in chosen:
            _weighed(each, int(batch or 1), Path(folder))


def _timed(model: Model, batch: int, folder: str, clock: Callable[[], float]) -> float:
    """Print a row; the speed of the delegate over that of ONNX Runtime at its best."""
    import torch

    import tsc

    module, example = model.made(folder), model.example(batch)
    scripted = torch.jit.script(module)
    archive = str(Path(folder) / "model.pt")
    scripted.save(archive)
    given = tsc.from_numpy(example.numpy())
    made = [_made(each, module, example, archive) for each in COLUMNS.values()]
    there = [each for each in made if each is not None]
    found = dict(zip(map(id, there), best_in_turn(there, clock), strict=True))
    seconds = [None if each is None else found[id(each)] for each in made]
    delegated, *itself = [each for each in seconds[1:4] if each is not None]
    share = min(itself) / delegated
    delegate = tsc.load(archive, backend="onnxruntime")
    apart = largest_difference(delegate(given), scripted(example))
    shown = "".join(f"{'none':>10s}" if e is None else f"{e * 1e3:10.3f}" for e in seconds)
    parts = delegate.forward.report(given).splitlines()[0]
    print(f"{model.label:38s}{shown}{share:10.2f}   {parts} (difference: {apart:.1e})", flush=True)
    return share


def _made(make: Any, module: Any, example: Any, archive: str) -> Callable[[], object] | None:
    """A way to run the model; None where its package is not installed, or it cannot."""
    import tsc

    try:
        return make(module, example, archive)  # type: ignore[no-any-return]
    except (ImportError, RuntimeError, tsc.Error):
        return None


def _here(_module: Any, example: Any, archive: str) -> Callable[[], object]:
    return _loaded(example, archive)


def _onnx_runtime(_module: Any, example: Any, archive: str) -> Callable[[], object]:
    return _loaded(example, archive, backend="onnxruntime")


def _openvino(_module: Any, example: Any, archive: str) -> Callable[[], object]:
    return _loaded(example, archive, backend="openvino")


def _loaded(example: Any, archive: str, **options: str) -> Callable[[], object]:
    import tsc

    loaded, given = tsc.load(archive, **options), tsc.from_numpy(example.numpy())
    return lambda: loaded(given)


def _our_model(_module: Any, example: Any, archive: str) -> Callable[[], object]:
    """ONNX Runtime on what tsc exports."""
    return other_runtimes.onnx_session(_our_export(archive, example), example)


def _our_export(archive: str, example: Any) -> str:
    import tsc

    path = str(Path(archive).parent / "ours.onnx")
    program = tsc.export(tsc.load(archive), (tsc.from_numpy(example.numpy()),))
    tsc.export_onnx(program, path)
    return path


def _their_model(module: Any, example: Any, archive: str) -> Callable[[], object]:
    """ONNX Runtime on what PyTorch exports."""
    return other_runtimes.onnx_runtime(module, example, str(Path(archive).parent))


def _openvino_itself(module: Any, example: Any, archive: str) -> Callable[[], object]:
    return other_runtimes.openvino(module, example, str(Path(archive).parent))


def _torch(_module: Any, example: Any, archive: str) -> Callable[[], object]:
    import torch

    loaded = torch.jit.load(archive)
    return lambda: loaded(example)


COLUMNS: dict[str, Callable[[Any, Any, str], Callable[[], object]]] = {
    "native": _here,
    "delegate": _onnx_runtime,
    "ORT, ours": _our_model,
    "ORT, torch": _their_model,
    "torch.jit": _torch,
    "to OpenVINO": _openvino,
    "OpenVINO": _openvino_itself,
}
"""By heading: tsc's executor, tsc with ONNX Runtime, that itself on both models, torch.jit, and so of OpenVINO."""


def _weighed(model: Model, batch: int, folder: Path) -> None:
    """Print a row of peaks."""
    import torch

    paths = memory.written(model, batch, folder)
    torch.manual_seed(0)
    paths["onnx"] = _our_export(paths["path"], model.example(batch))
    programs = (memory.DELEGATED, memory.OURS, ITSELF, memory.THEIRS)
    found = [memory.peaks(each, paths) for each in programs]
    shown = "".join(f"{peak:7d} ({peak - low:4d})" for low, peak in found)
    print(f"{model.label:38s}{shown}", flush=True)
