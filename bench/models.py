"""Whole models, as archives that PyTorch has written, against torch.jit and other runtimes in the same process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import other_runtimes
from bench.fusion import THREADS
from bench.other_runtimes import RUNTIMES, in_silence
from bench.ratio_table import RatioTable
from bench.speed import module_of

PROGRAMS = Path(__file__).parent / "programs"
WARM_SECONDS = 0.5
SECONDS = 1.0
SAMPLE_SECONDS = 0.005
LEAST_ROUNDS = 3

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Model:
    """A class in a program, the shape of its input without the batch, and how many kinds of tokens that has if any."""

    label: str
    program: str
    name: str
    shape: tuple[int, ...]
    tokens: int = 0
    batches: tuple[int, ...] = (1, 8)

    def made(self, folder: str) -> Any:
        """With random weights, and the running sums of normalizations as after some steps."""
        import torch

        torch.manual_seed(0)
        source = (PROGRAMS / f"{self.program}.py").read_text(encoding="utf-8")
        return getattr(module_of(source, folder), self.name)().eval()

    def example(self, batch: int) -> Any:
        import torch

        if self.tokens:
            return torch.randint(0, self.tokens, (batch, *self.shape))
        return torch.randn(batch, *self.shape)


IMAGE = (3, 224, 224)
MODELS = [
    Model("ResNet-18", "vision", "ResNet18", IMAGE),
    Model("ResNet-50", "vision", "ResNet50", IMAGE),
    Model("MobileNetV3", "vision", "MobileNet", IMAGE),
    Model("EfficientNet", "vision", "EfficientNet", IMAGE),
    Model("U-Net, 512x512", "vision", "UNet", (3, 512, 512), batches=(1,)),
    Model("ConvNeXt", "vision", "ConvNeXt", IMAGE),
    Model("ViT-B", "transformers", "VisionTransformer", IMAGE),
    Model("Swin", "transformers", "WindowTransformer", IMAGE),
    Model("encoder, 6 layers of 512, 128 tokens", "transformers", "Encoder", (128,), 8000),
    Model("encoder of PyTorch's layers, 128 tokens", "transformers", "LayersOfTorch", (128,), 8000),
    Model("LSTM language model, 64 words", "sequences", "LanguageModel", (64,), 10000),
    Model("LSTM over 152 bytes", "sequences", "Bytes", (152,), 256),
    Model("GRU in both directions, 50 frames", "sequences", "Gated", (50, 40)),
    Model("WaveNet, 8000 samples", "sequences", "WaveNet", (1, 8000)),
    Model("streaming voice detection, 512 samples", "sequences", "Streaming", (512,)),
    Model("masked encoder, 64 words", "language", "MaskedEncoder", (64,), 8000),
    Model("decoder, 32 words and 16 more", "language", "Decoder", (32,), 4000),
    Model("conformer, 400 frames", "language", "Conformer", (400, 80)),
    Model("two towers", "language", "TwoTowers", (32,), 1000),
    Model("mixer of patches", "vision", "Mixer", IMAGE),
    Model("denoiser, 64x64", "vision", "Denoiser", (4, 64, 64)),
    Model("policy of 24 numbers", "sequences", "Policy", (24,)),
    Model("game agent, 4x84x84", "sequences", "GameAgent", (4, 84, 84)),
]


def largest_difference(ours: Any, theirs: Any) -> float:
    """Relative to the largest value of the reference."""
    reference = theirs.detach().numpy()
    return float(abs(ours.detach().numpy() - reference).max() / abs(reference).max())


def clock_for(threads: int) -> Clock:
    """On one thread processor time, which other work of the machine changes less."""
    return time.process_time if threads == 1 else time.perf_counter


def best_in_turn(functions: list[Callable[[], object]], clock: Clock) -> list[float]:
    """The best time of a call of each, by short samples of each in turn."""
    batches = [_warmed(each, clock) for each in functions]
    best = [float("inf")] * len(functions)
    end = clock() + SECONDS * len(functions)
    rounds = 0
    while rounds < LEAST_ROUNDS or clock() < end:
        rounds += 1
        for place, (function, batch) in enumerate(zip(functions, batches, strict=True)):
            function()  # threads of others may still be busy waiting
            started = clock()
            for _ in range(batch):
                function()
            best[place] = min(best[place], (clock() - started) / batch)
    return best


def _warmed(function: Callable[[], object], clock: Clock) -> int:
    """How many calls make a sample, once a function has settled."""
    calls, end, best = 0, clock() + WARM_SECONDS, float("inf")
    while calls < LEAST_ROUNDS or clock() < end:
        started = clock()
        function()
        best = min(best, clock() - started)
        calls += 1
    return max(1, int(SAMPLE_SECONDS / max(best, 1e-6)))


def main(arguments: list[str]) -> None:
    """With the beginning of the labels of wanted models, if not all, the batch if not each, and the number of threads.

    On one thread processor time is measured, which other work of the machine changes less.
    """
    import torch

    import tsc

    start, batch, threads = (*arguments, "", "", "")[:3]
    other_runtimes.THREADS = count = int(threads or THREADS)
    torch.set_num_threads(count)
    tsc.set_num_threads(count)
    clock = clock_for(count)
    print(f"{count} threads each; behind ratios those of torch.jit to {', '.join(RUNTIMES)}")
    table = RatioTable(44, "ms")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad(), tsc.no_grad():
        for model in MODELS:
            if model.label.startswith(start):
                for each in (int(batch),) if int(batch or 0) else model.batches:
                    _add_row(table, model, each, folder, clock)
    table.end(wanted_least=1.0)


def _add_row(table: RatioTable, model: Model, batch: int, folder: str, clock: Clock) -> None:
    import torch

    import tsc

    module, example = model.made(folder), model.example(batch)
    scripted = torch.jit.script(module)
    path = str(Path(folder) / "model.pt")
    scripted.save(path)
    loaded, given = tsc.load(path), tsc.from_numpy(example.numpy())
    apart = largest_difference(loaded(given), scripted(example))
    ours, theirs = best_in_turn([lambda: loaded(given), lambda: scripted(example)], clock)
    others = [_share(make, (module, example, folder), theirs, clock) for make in RUNTIMES.values()]
    label = f"{model.label}, batch {batch}"
    table.add(label, ours, theirs, f"{''.join(others)}   (difference: {apart:.1e})")


def _share(make: Any, made_of: tuple[Any, ...], theirs: float, clock: Clock) -> str:
    """PyTorch's time over that of another runtime, or in a word why there is none."""
    try:
        with in_silence():
            function = make(*made_of)
        (seconds,) = best_in_turn([function], clock)
    except ImportError:
        return f"{'none':>10s}"
    except Exception as error:  # noqa: BLE001 (of whatever kind: the other models are to be measured)
        return f"{type(error).__name__[:9]:>10s}"
    return f"{theirs / seconds:10.2f}"
