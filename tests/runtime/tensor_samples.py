"""Samples of tensor operators: one call a line, in the files of ``tensor_samples/``.

    aten::add.Tensor(x(2, 3), x(3), alpha=2)

The arguments are Python: ``f(2, 3)`` is a float32 tensor of that shape, ``d`` float64, ``h``
float16, ``b`` bfloat16, ``c`` complex64, ``z`` complex128, ``i`` int64, ``n`` int32, ``s`` int16,
``y`` int8, ``u`` uint8, ``B`` bool; ``p`` has positive numbers, ``unit`` numbers in (0, 1),
``below(k, 2, 3)`` integers below k, ``v([1, 2])`` the numbers given, ``w(..., "h")`` the same in
a dtype, ``T(t)`` a transposed tensor. A line with ``x(...)`` stands for one line a dtype.
The numbers depend on the text alone.
"""

from __future__ import annotations

import difflib
import functools
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

FOLDER = Path(__file__).parent / "tensor_samples"
DTYPES: dict[str, Any] = {
    "f": np.float32,
    "d": np.float64,
    "h": np.float16,
    "b": ml_dtypes.bfloat16,
    "c": np.complex64,
    "i": np.int64,
    "n": np.int32,
    "s": np.int16,
    "y": np.int8,
    "z": np.complex128,
    "u": np.uint8,
    "B": np.bool_,
}
EXPANDED = "fdhiBuc"
"""The dtypes that ``x(...)`` stands for."""
UNINITIALIZED = re.compile(r"aten::(new_)?empty|aten::resize_")


@dataclass(frozen=True)
class Sample:
    """One call: the name and overload of an operator, and its arguments as text."""

    text: str

    @property
    def name(self) -> str:
        return self.text.partition("(")[0].partition(".")[0]

    @property
    def overload(self) -> str:
        return self.text.partition("(")[0].partition(".")[2]

    @property
    def is_uninitialized(self) -> bool:
        return UNINITIALIZED.match(self.text) is not None

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """Fresh arguments; tensors are NumPy arrays."""
        maker = Maker(zlib.crc32(self.text.encode()))
        text = self.text.partition("(")[2].rpartition(")")[0]
        return eval(f"collect({text})", maker.names())


class Maker:
    """Makes the arrays that the letters of a sample stand for."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.RandomState(seed)

    def names(self) -> dict[str, Any]:
        letters = {letter: self._letter(letter) for letter in DTYPES}
        return letters | {
            "collect": lambda *arguments, **keywords: (list(arguments), keywords),
            "p": lambda *shape: (np.abs(self._normal(shape)) + 0.1).astype(np.float32),
            "unit": lambda *shape: self.random.uniform(0.05, 0.95, shape).astype(np.float32),
            "below": lambda top, *shape: self.random.randint(0, top, shape).astype(np.int64),
            "v": lambda values: _literal(values),
            "w": lambda values, letter: np.asarray(values).astype(DTYPES[letter]),
            "T": lambda a: a.swapaxes(-1, -2),
            "nan": float("nan"),
            "inf": float("inf"),
        }

    def _normal(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.asarray(self.random.standard_normal(shape) * 2)

    def _letter(self, letter: str) -> Any:
        dtype = np.dtype(DTYPES[letter])

        def make(*shape: int) -> np.ndarray:
            if letter == "B":
                return np.asarray(self.random.rand(*shape) > 0.5)
            if letter in "insyu":
                low = 0 if letter == "u" else -5
                return np.asarray(self.random.randint(low, 7, shape)).astype(dtype)
            numbers = self._normal(shape)
            if letter in "cz":
                numbers = np.asarray(numbers + 1j * self._normal(shape))
            return numbers.astype(dtype)

        return make


def _literal(values: Any) -> np.ndarray:
    array = np.array(values)
    return array.astype(np.float32) if array.dtype == np.float64 else array


def topics() -> list[str]:
    """The names of the sample files."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def samples() -> Iterator[Sample]:
    """The samples of all topics."""
    for topic in topics():
        yield from samples_of(topic)


def samples_of(topic: str) -> Iterator[Sample]:
    """The samples of one file, lines with ``x(...)`` expanded."""
    for line in (FOLDER / f"{topic}.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        for text in _expanded(line.strip()):
            yield Sample(text)


def _expanded(line: str) -> list[str]:
    pattern = re.compile(r"(?<![.\w])x\(")
    if not pattern.search(line):
        return [line]
    return [pattern.sub(f"{letter}(", line) for letter in EXPANDED]


# -- Answers -----------------------------------------------------------------------------------

TOLERANCE = {
    "float16": (2e-3, 2e-3),
    "bfloat16": (1.6e-2, 1.6e-2),
    "float32": (2e-5, 2e-6),
    "float64": (1e-9, 1e-11),
    "complex64": (2e-5, 5e-6),
    "complex128": (1e-9, 1e-11),
}


def describe(value: Any) -> Any:
    """An answer as JSON: tensors become ``[dtype, shape, numbers]``."""
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.name, "shape": list(value.shape), "values": _numbers(value)}
    if isinstance(value, (list, tuple)):
        return [describe(each) for each in value]
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def _numbers(array: np.ndarray) -> list[Any]:
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    if array.dtype.kind in "fV":
        digits = {8: 17, 4: 9, 2: 6}[array.itemsize]
        return [float(f"{x:.{digits}g}") for x in array.astype(np.float64).reshape(-1).tolist()]
    return array.reshape(-1).tolist()


OWN_WORDS = Path(__file__).parent / "recorded" / "own_words.json"
"""What tsc says where PyTorch's answer to a sample is an error of other words."""
PHRASE = 14
"""Characters in a row, at least, of a phrase by which people find what an error is about."""


@functools.cache
def own_words() -> dict[str, str]:
    return json.loads(OWN_WORDS.read_text(encoding="utf-8"))


def keep_own_words(sample: Sample, expected: Any, found: Any) -> None:
    """Records what tsc says to a sample that PyTorch answers with an error, if it says it otherwise."""
    if "error" not in expected or "error" not in found:
        return
    first, second = expected["error"], found["error"]
    texts = {key: text for key, text in own_words().items() if key != sample.text}
    if not _say_the_same(first, second) and share_a_phrase(first, second):
        texts[sample.text] = second
    if texts == own_words():
        return
    lines = json.dumps(texts, indent=1, sort_keys=True, ensure_ascii=False)
    OWN_WORDS.write_text(lines + "\n", encoding="utf-8")
    own_words.cache_clear()


def share_a_phrase(first: str, second: str) -> bool:
    """Whether `PHRASE` characters in a row are the same."""
    blocks = difflib.SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return max(block.size for block in blocks) >= PHRASE


UNSUPPORTED = ("not implemented", "not supported", "unsupported", "does not support")


def difference(sample: Sample, expected: Any, found: Any) -> str | None:
    """What differs between two answers to a sample, or None.

    Where PyTorch has no kernel for a dtype, any such message will do; where tsc has words of its
    own for an error, it must say them, and they share a phrase with PyTorch's.
    """
    if "error" in expected or "error" in found:
        first, second = expected.get("error"), found.get("error")
        if first is not None and second is not None:
            if sample.text in own_words():
                same = second == own_words()[sample.text] and share_a_phrase(first, second)
            else:
                same = _say_the_same(first, second)
            if same:
                return None
        return f"error: expected {own_words().get(sample.text, first)!r}, found {second!r}"
    for key in ("result", "written"):
        problem = disagreement(expected[key], found[key], values=not sample.is_uninitialized)
        if problem is not None:
            return f"{key}: {problem}"
    return None


def _say_the_same(first: str, second: str) -> bool:
    first, second = (text.removeprefix("RuntimeError: ") for text in (first, second))
    return first == second or all(
        any(word in text for word in UNSUPPORTED) for text in (first, second)
    )


def disagreement(expected: Any, found: Any, *, values: bool = True) -> str | None:
    """What differs between two described answers, or None."""
    if isinstance(expected, dict) and isinstance(found, dict) and "dtype" in expected:
        return _tensor_disagreement(expected, found, values)
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{len(expected)} results expected, found {len(found)}"
        for first, second in zip(expected, found):
            problem = disagreement(first, second, values=values)
            if problem:
                return problem
        return None
    if isinstance(expected, float) and isinstance(found, float):
        same = np.isclose(found, expected, 1e-6, 1e-9, equal_nan=True)
        return None if same else f"expected {expected}, found {found}"
    same = expected == found and type(expected) is type(found)
    return None if same else f"expected {expected!r}, found {found!r}"


def _tensor_disagreement(expected: dict, found: dict, values: bool) -> str | None:
    for key in ("dtype", "shape"):
        if expected[key] != found.get(key):
            return f"{key}: expected {expected[key]}, found {found.get(key)}"
    if not values:
        return None
    relative, absolute = TOLERANCE.get(expected["dtype"], (0, 0))
    first, second = np.array(expected["values"], float), np.array(found["values"], float)
    if np.allclose(second, first, relative, absolute, equal_nan=True):
        return None
    return f"values: expected {expected['values'][:12]}, found {found['values'][:12]}"
