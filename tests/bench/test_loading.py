"""The models whose loading is measured can be saved and loaded here; two gigabytes are listed in little memory."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import tsc
from bench.loading import MODELS, PROGRAM, Model, listed, write_large_archive


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_loaded_model_computes_what_the_saved_one_does(model: Model) -> None:
    unit = tsc.compile_file(PROGRAM)
    module = getattr(unit, model.name)().eval()
    file = io.BytesIO()
    module.save(file)
    values = tsc.from_numpy(np.ones(model.input, np.float32))
    expected = module(values).detach().numpy()
    assert np.array_equal(tsc.load(file.getvalue())(values).detach().numpy(), expected)


def test_two_gigabytes_are_listed_in_less_than_100_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "large.pt"
    write_large_archive(path)
    assert path.stat().st_size > 2 << 30
    _, megabytes, report = listed(path)
    assert "forward(self, x: Tensor) -> Tensor" in report
    assert "float32[536870912]" in report
    assert megabytes < 100
