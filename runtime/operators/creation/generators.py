"""Streams of random numbers as values: ``torch.Generator()``, its seed, and seeding it.

PyTorch makes a generator once, when a function is compiled; here each call makes its own.
"""

from __future__ import annotations

from tsc.compiler.schema import Effects
from tsc.compiler.types import Device
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.random.generator import DEFAULT_SEED, Generator, unforeseeable_seed
from tsc.runtime.random.generator import manual_seed as seed_default_generator


@operator("aten::Generator(*, Device? device=None, int? seed=None) -> Generator")
def generator(device: Device | None, seed: int | None) -> Generator:
    if device is not None and device.type != "cpu":
        raise ScriptError("RuntimeError", f"Device type {device.type.upper()} is not supported")
    return Generator(DEFAULT_SEED if seed is None else seed)


@operator("aten::seed(Generator(a!) self) -> int")
def seed(self: Generator) -> int:
    """Seed it with what nobody can tell beforehand."""
    self.manual_seed(unforeseeable_seed())
    return self.seed


@operator("aten::manual_seed(int seed) -> ()", effects=Effects.SIDE_EFFECT)
def manual_seed(seed: int) -> None:
    seed_default_generator(seed)


@operator(
    "aten::manual_seed.generator(Generator(a!) self, int seed) -> Generator(a!)",
    effects=Effects.SIDE_EFFECT,
)
def manual_seed_generator(self: Generator, seed: int) -> Generator:
    self.manual_seed(seed)
    return self


@operator("aten::initial_seed(Generator self) -> int")
def initial_seed(self: Generator) -> int:
    return self.seed
