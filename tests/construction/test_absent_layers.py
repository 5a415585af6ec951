"""What tsc does not have of ``torch.nn`` is refused by name, with a way out."""

from __future__ import annotations

import pytest

from tsc.compiler.source import Error, Source
from tsc.runtime.construction.construct import Construction


@pytest.mark.parametrize(
    ("expression", "way_out"),
    [
        ("nn.LazyLinear(3)", "use Linear with its sizes"),
        ("nn.SyncBatchNorm(3)", "use BatchNorm1d"),
        ("nn.DataParallel(nn.ReLU())", "use the module itself"),
        ("nn.utils.clip_grad_norm_([], 1.0)", "it is for training"),
        ("nn.utils.fuse_conv_bn_eval(nn.Conv1d(1, 1, 1), nn.BatchNorm1d(1))", "in PyTorch"),
        ("nn.utils.weight_norm(nn.Linear(2, 2))", "compute the weight in forward"),
        ("nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2))", "compute the weight"),
    ],
)
def test_absent_names_have_a_way_out(expression: str, way_out: str) -> None:
    here = Construction.from_source(Source("import torch\nfrom torch import nn\n", "absent.py"))
    with pytest.raises(Error, match=way_out):
        here.evaluate_expression(expression)
