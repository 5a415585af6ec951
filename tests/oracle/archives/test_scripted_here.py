"""The modules of the table, scripted here from live Python, against what PyTorch's compiler makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch  # noqa: F401  this file is collected where PyTorch is

import tsc
from tests.oracle.answers import normalize_code, normalize_graph

from .answers import described, is_close
from .table import SAMPLES

if TYPE_CHECKING:
    from .table import Sample

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
PLAIN = [sample for sample in SAMPLES if sample.plain is not None]


@pytest.mark.parametrize("sample", PLAIN, ids=lambda sample: sample.name)
def test_scripted_here_it_is_what_pytorch_compiles(sample: Sample) -> None:
    assert sample.plain is not None
    theirs, ours = sample.make(), tsc.script(sample.plain())
    for method in theirs._c._method_names():
        other, mine = theirs._c._get_method(method), ours._method(method)
        assert normalize_graph(str(mine.graph)) == normalize_graph(str(other.graph))
        assert normalize_code(mine.code) == normalize_code(other.code)
    for call in sample.calls:
        expected = outcome(theirs, call.method, call.arguments)
        found = outcome(ours, call.method, call.arguments)
        assert is_close(found, expected)


def outcome(module: Any, method: str, arguments: tuple[Any, ...]) -> Any:
    """What a call returns, or only that it raises. Tensors are PyTorch's for both."""
    try:
        return described((module if method == "forward" else getattr(module, method))(*arguments))
    except (RuntimeError, tsc.ScriptError):
        return "raises"
