"""Recurrent layers over packed sequences: exported once, they take sequences of other lengths."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("sympy")
SOURCE = """
import torch
from torch import Tensor, nn

class Reader(nn.Module):
    def __init__(self, kind: str, layers: int, both: bool, batch_first: bool):
        super().__init__()
        if kind == "lstm":
            self.layer = nn.LSTM(4, 3, layers, batch_first=batch_first, bidirectional=both)
        elif kind == "gru":
            self.layer = nn.GRU(4, 3, layers, batch_first=batch_first, bidirectional=both)
        else:
            self.layer = nn.RNN(4, 3, layers, batch_first=batch_first, bidirectional=both)
        self.batch_first = batch_first

    def forward(self, x: Tensor, lengths: Tensor):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, self.batch_first, enforce_sorted=False)
        outputs, states = self.layer(packed)
        padded, counts = nn.utils.rnn.pad_packed_sequence(outputs, self.batch_first, 0.5)
        return padded, counts, states

    @torch.jit.export
    def last(self, x: Tensor, lengths: Tensor):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, self.batch_first)
        outputs, states = self.layer(packed)
        padded, counts = nn.utils.rnn.pad_packed_sequence(outputs, self.batch_first, total_length=6)
        return padded
"""
KINDS = {
    "lstm": ("lstm", 2, True, True),
    "gru": ("gru", 1, False, True),
    "rnn": ("rnn", 1, True, False),
}
LENGTHS = ([5, 2, 3], [1, 4, 4], [2, 2, 1])


def reader(name: str) -> tuple[Any, Any]:
    """A module, and a batch for it."""
    module = tsc.CompilationUnit(SOURCE).Reader(*KINDS[name])
    x = tsc.linspace(-1, 1, 3 * 5 * 4).sin().reshape(3, 5, 4)
    return module, x if KINDS[name][3] else x.transpose(0, 1).contiguous()


def arrays(result: Any) -> list[np.ndarray]:
    leaves = [result] if isinstance(result, tsc.Tensor) else list(result)
    flat = [leaf for each in leaves for leaf in (each if isinstance(each, tuple) else (each,))]
    return [each.detach().numpy() for each in flat]


def check_equal(found: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for ours, theirs in zip(found, expected, strict=True):
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", KINDS)
def test_sequences_of_other_lengths_are_taken(name: str) -> None:
    module, x = reader(name)
    program = tsc.export(module, (x, tsc.tensor(LENGTHS[0])))
    content = io.BytesIO()
    tsc.save_exported(program, content)
    for each in (program, tsc.load_exported(content.getvalue())):
        for lengths in LENGTHS:
            expected = arrays(module(x, tsc.tensor(lengths)))
            check_equal(arrays(each.module()(x, tsc.tensor(lengths))), expected)


@pytest.mark.parametrize("method", ["forward", "last"])
@pytest.mark.parametrize("name", KINDS)
def test_models_of_onnx_take_them(name: str, method: str) -> None:
    pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    module, x = reader(name)
    given = [sorted(each, reverse=True) for each in LENGTHS]
    program = tsc.export(module, (x, tsc.tensor(given[0])), method=method)
    content = io.BytesIO()
    tsc.export_onnx(program, content)
    session = onnxruntime.InferenceSession(content.getvalue(), providers=["CPUExecutionProvider"])
    for lengths in given:
        expected = arrays(getattr(module, method)(x, tsc.tensor(lengths)))
        feed = {"x": x.numpy(), "lengths": np.array(lengths)}
        check_equal(session.run(None, feed), expected)


@pytest.mark.oracle
def test_pytorch_takes_them() -> None:
    torch = pytest.importorskip("torch")
    module, x = reader("lstm")
    content = io.BytesIO()
    tsc.save_exported(tsc.export(module, (x, tsc.tensor(LENGTHS[0]))), content)
    loaded = torch.export.load(io.BytesIO(content.getvalue())).module()
    for lengths in LENGTHS:
        padded, counts, states = loaded(torch.tensor(x.numpy()), torch.tensor(lengths))
        found = [each.detach().numpy() for each in (padded, counts, *states)]
        check_equal(found, arrays(module(x, tsc.tensor(lengths))))


@pytest.mark.parametrize("name", KINDS)
def test_a_layer_by_itself_is_exported_by_the_overload_that_takes_the_arguments(name: str) -> None:
    module, x = reader(name)
    program = tsc.export(module.layer, (x,))
    for found, wanted in zip(arrays(program.module()(x)), arrays(module.layer(x)), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    with pytest.raises(tsc.Error, match="no method backward"):
        tsc.export(module.layer, (x,), method="backward")
