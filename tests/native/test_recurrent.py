"""Recurrent layers by native code give what NumPy gives step by step, for all kinds, sizes and packed sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.native.recurrent import recurrent as native
from tsc.runtime.operators.neural_network import recurrent
from tsc.runtime.operators.neural_network.recurrent import Layer

from .fuzzing import said
from .guarded_memory import IS_POSSIBLE, GuardedMemory

STEPS = {name: step for step, name in recurrent._NATIVE.items()}
GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def _both(
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    dtype: str,
    size: int,
    counts: list[int],
    reverse: bool,
    biases: bool,
) -> list[list[np.ndarray]]:
    generator = np.random.default_rng(size)

    def drawn(*shape: int) -> np.ndarray:
        return (generator.standard_normal(shape) * 0.1).astype(dtype)

    gates = GATES[kind] * size
    parameters = [drawn(gates, 5), drawn(gates, size)]
    parameters += [drawn(gates), drawn(gates)] if biases else []
    inputs = drawn(sum(counts), 5)
    state = tuple(drawn(max(counts), size) for _ in range(2 if kind == "lstm" else 1))
    found: list[list[np.ndarray]] = []
    monkeypatch.setattr(native, "worthwhile_parts", lambda extent, _: min(extent, 2))
    for is_native in (True, False):
        monkeypatch.setattr(recurrent, "_is_native", lambda *_, given=is_native: given)
        outputs, final = Layer(parameters).run(STEPS[kind], inputs, state, counts, reverse)
        found.append([outputs, *final])
    return found


@pytest.mark.parametrize("biases", [True, False])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "counts", [[1] * 7, [9] * 3, [6, 5, 5, 1], [22, 13]], ids=["one", "many", "packed", "tiles"]
)
@pytest.mark.parametrize("size", [1, 7, 16, 33, 70])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", GATES)
def test_native_steps_agree(
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    dtype: str,
    size: int,
    counts: list[int],
    reverse: bool,
    biases: bool,
) -> None:
    pytest.importorskip("llvmlite")
    made, plain = _both(monkeypatch, kind, dtype, size, counts, reverse, biases)
    tolerance = 1e-5 if dtype == "float32" else 1e-13
    for ours, theirs in zip(made, plain, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kind", GATES)
def test_results_depend_on_no_number_of_threads(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that other rows are computed with are others then."""
    pytest.importorskip("llvmlite")
    found: list[bytes] = []
    for threads in (1, 2, 3, 5):
        monkeypatch.setattr(native, "worthwhile_parts", lambda *_, given=threads: given)
        outputs = native.run_steps(kind, *_steps(kind, 13, 37, np.float32))
        found.append(outputs.tobytes())
    assert len(set(found)) == 1


def _steps(kind: str, rows: int, size: int, dtype: Any) -> tuple[Any, ...]:
    """Gates, weights, biases, states and spans of five steps."""
    random = np.random.default_rng(5)
    columns = GATES[kind] * size
    shapes = (5 * rows, columns), (columns, size), (columns,), (rows, size), (rows, size)
    gates, weight, bias, *state = (random.standard_normal(each).astype(dtype) for each in shapes)
    return gates, weight, bias, state, [(k * rows, (k + 1) * rows) for k in range(5)]


@pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")
@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize("rows", [1, 13])
@pytest.mark.parametrize("size", [3, 16, 37])
def test_nothing_is_touched_beyond_arrays(size: int, rows: int, end: bool) -> None:
    pytest.importorskip("llvmlite")

    def judge(_: int, guard: GuardedMemory) -> None:
        for kind in GATES:
            with guard.guarding(at_begin=not end):
                outputs = native.run_steps(kind, *_steps(kind, rows, size, np.float32))
            assert np.isfinite(outputs).all()

    assert said(judge) is None


def test_missing_numbers_stay_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setattr(recurrent, "_is_native", lambda *_: True)
    for kind, gates in GATES.items():
        weights = [np.ones((gates * 3, 3), np.float32), np.ones((gates * 3, 3), np.float32)]
        inputs = np.full((2, 3), np.nan, np.float32)
        state = (np.zeros((1, 3), np.float32),) * 2
        outputs, _ = Layer(weights).run(STEPS[kind], inputs, state, [1, 1], False)
        assert np.isnan(outputs).all(), kind


MISFITS = {
    "a hidden state of another size": ((1, 2, 2), (21, 5), (21, 7), [2] * 20),
    "a recurrent weight with few columns": ((1, 2, 7), (21, 5), (21, 2), [2] * 20),
    "a recurrent weight with few rows": ((1, 2, 7), (21, 5), (6, 7), [2] * 20),
    "gates of another cell": ((1, 2, 7), (28, 5), (28, 7), [2] * 20),
    "more rows in a step than in the state": ((1, 2, 7), (21, 5), (21, 7), [9] * 20),
}


@pytest.mark.parametrize("name", MISFITS)
def test_what_does_not_fit_is_left_to_numpy(name: str) -> None:
    """Which raises an error, and reads nothing beyond an array."""
    state, weight_ih, weight_hh, counts = MISFITS[name]
    data = tsc.ones([sum(counts), 5])
    with pytest.raises(tsc.ScriptError):
        tsc.gru(
            *(
                data,
                tsc.tensor(counts),
                tsc.ones(state),
                [tsc.ones(weight_ih), tsc.ones(weight_hh)],
            ),
            *(False, 1, 0.0, False, False),
        )


def test_few_steps_are_native_once_such_have_taken_long(monkeypatch: pytest.MonkeyPatch) -> None:
    gates, weight = np.zeros((4, 128), np.float32), np.zeros((128, 32), np.float32)
    for seconds in (0.0, 1.0):
        monkeypatch.setattr(recurrent._time_on_few_steps, "_spent", seconds)
        assert recurrent._is_native(gates, weight, 4) == (seconds > 0)
        assert not recurrent._is_native(gates, weight, 1)
        assert not recurrent._is_native(gates.astype(np.float16), weight, 4)
        assert recurrent._is_native(gates, weight, 400)
