"""The sample that trains: from source and through an archive, with PyTorch's losses, to a network that reads digits."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tsc
from tests import work

from .digits import SAMPLE, SEED, loaded, pytorch_losses, pytorch_network, recorded_losses

pytest.importorskip("sklearn", reason="the digits are scikit-learn's")


@pytest.fixture(scope="module")
def sample() -> Any:
    return loaded("train")


def begun(sample: Any, *, archived: bool) -> Any:
    """A network as the seed makes it; through an archive, it is another object with the same numbers."""
    tsc.manual_seed(SEED)
    network = sample.begun(None)
    if not archived:
        return network
    file = io.BytesIO()
    network.save(file)
    return tsc.load(io.BytesIO(file.getvalue()))


@pytest.mark.parametrize("archived", [False, True])
def test_losses_are_those_of_pytorch(sample: Any, archived: bool) -> None:
    network = begun(sample, archived=archived)
    training, trial = sample.digits(tsc)
    losses = list(sample.losses(tsc, network, training, 2))
    np.testing.assert_allclose(losses, recorded_losses(), rtol=1e-5)
    assert sample.accuracy(tsc, network, trial) > 0.85


@pytest.mark.slow
def test_the_script_shows_its_progress_and_saves_a_network_that_reads(
    sample: Any, tmp_path: Path
) -> None:
    first, second = tmp_path / "digits.pt", tmp_path / "again.pt"
    share = 0.97 if work.whole_size else 0.9
    assert reads(run(str(first), "--epochs", str(work.sized(12))), share)
    assert reads(run(str(second), "--from", str(first), "--epochs", "1"), share)
    _, trial = sample.digits(tsc)
    assert sample.accuracy(tsc, tsc.load(first), trial) > share


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SAMPLE / "train.py"), *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=300, env=environment
    )


def reads(done: subprocess.CompletedProcess[str], share: float) -> bool:
    assert "loss" in done.stderr
    assert "100%" in done.stderr
    return float(done.stdout.partition("%")[0]) / 100 > share


@pytest.mark.oracle
@pytest.mark.parametrize("archived", [False, True])
def test_all_losses_beside_pytorch(sample: Any, archived: bool) -> None:
    """Ten epochs; then PyTorch loads what was trained, and reads as many digits."""
    torch = pytest.importorskip("torch")
    network = begun(sample, archived=archived)
    training, trial = sample.digits(tsc)
    losses = list(sample.losses(tsc, network, training, 10))
    np.testing.assert_allclose(losses, pytorch_losses(pytorch_network(), 10), rtol=2e-5)
    file = io.BytesIO()
    network.save(file)
    theirs = torch.jit.load(io.BytesIO(file.getvalue()))
    assert sample.accuracy(torch, theirs, sample.digits(torch)[1]) > 0.97
    assert sample.accuracy(tsc, network, trial) > 0.97


@pytest.mark.oracle
def test_an_archive_of_pytorch_is_trained_on(sample: Any) -> None:
    torch = pytest.importorskip("torch")
    network = pytorch_network()
    file = io.BytesIO()
    torch.jit.save(torch.jit.script(network), file)
    tsc.manual_seed(SEED)
    sample.begun(None)
    mine = tsc.load(io.BytesIO(file.getvalue()))
    losses = list(sample.losses(tsc, mine, sample.digits(tsc)[0], 2))
    np.testing.assert_allclose(losses, recorded_losses(), rtol=1e-5)
    assert losses[0] == pytest.approx(pytorch_losses(network, 1)[0])
