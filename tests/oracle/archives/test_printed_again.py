"""The code of archives that PyTorch has just saved: what is printed of it compiles again, to the same graphs."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.serialization.test_printed_archives import assert_printed_code_compiles_again

from .table import SAMPLES, Sample

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_printed_code_compiles_again_to_the_same_graphs(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / f"{sample.name}.pt"
    torch.jit.save(sample.make(), path)
    assert_printed_code_compiles_again(path)
