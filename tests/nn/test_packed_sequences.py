"""Modules that run recurrent layers over packed sequences."""

from __future__ import annotations

import pytest

from tsc.compiler.source import Source
from tsc.runtime.construction.construct import Construction
from tsc.runtime.random.generator import manual_seed
from tsc.runtime.scripting.script import script_instance

from .summary import close, summary

MODULE = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

class Encoder(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = kind(3, 4, batch_first=True, bidirectional=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        output, state = self.layer(packed)
        padded, sizes = pad_packed_sequence(output, batch_first=True)
        return padded, sizes, state
"""


def forward_of(kind: str):
    here = Construction.from_source(Source(MODULE, "encoder.py"))
    manual_seed(0)
    encoder = here.evaluate_expression(f"Encoder(nn.{kind})")
    inputs = here.evaluate_expression("torch.randn(3, 5, 3), torch.tensor([2, 5, 3])")
    return script_instance(encoder, here), inputs


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_packed_and_padded_sequences_give_the_same_states(kind: str) -> None:
    encoder, (x, lengths) = forward_of(kind)
    padded, sizes, state = encoder(x, lengths)
    assert sizes.tolist() == [2, 5, 3]
    for row, length in enumerate(lengths.tolist()):
        output, alone = encoder.layer(x[row : row + 1, :length])
        assert close(summary(padded[row, :length]), summary(output[0]))
        last = (state[0], alone[0]) if kind == "LSTM" else (state, alone)
        assert close(summary(last[0][:, row]), summary(last[1][:, 0]))


def test_the_code_calls_the_overload_for_packed_sequences() -> None:
    encoder, _ = forward_of("LSTM")
    assert "(layer).forward__1(packed, None, )" in encoder.code


def test_weights_that_are_replaced_are_those_that_run() -> None:
    text = MODULE + (
        "class Constant(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.layer = nn.GRU(3, 4)\n"
        "        for name, weight in list(self.layer.named_parameters()):\n"
        "            setattr(self.layer, name, nn.Parameter(torch.zeros_like(weight)))\n"
        "    def forward(self, x):\n"
        "        return self.layer(x)[0]\n"
    )
    here = Construction.from_source(Source(text, "constant.py"))
    constant = here.evaluate_expression("Constant()")
    x = here.evaluate_expression("torch.randn(5, 2, 3)")
    for called in (lambda: here.call(constant, x), lambda: script_instance(constant, here)(x)):
        assert set(called().reshape(-1).tolist()) == {0.0}
