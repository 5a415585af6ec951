"""Our layers under PyTorch: the same parameters from the same seed, the same graphs, the same outputs."""

from __future__ import annotations

import re
import warnings

import pytest
import torch

from .cases import Case, cases
from .deviations import FUNCTION_NOT_SCRIPTED_BY_PYTORCH, NOT_SCRIPTED_BY_PYTORCH, OTHER_GRAPHS
from .ours_in_pytorch import as_in_pytorch, layers

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    return vars(layers(tmp_path_factory.mktemp("library")))


def construct(case: Case, classes: dict[str, object]):
    names = {"torch": torch, "ones": torch.ones, **classes}
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = eval(case.layer, names)
    return module.train(case.training)


def run(case: Case, module):
    inputs = eval(f"[{case.inputs}]", vars(torch).copy())
    torch.manual_seed(2)
    with torch.set_grad_enabled(case.training):
        return module(*inputs)


def methods(scripted) -> dict[str, str]:
    """Graphs and code of the methods."""
    found = {}
    for name in sorted(scripted._c._method_names()):
        method = scripted._c._get_method(name)
        text = as_in_pytorch(numbered_anew(str(method.graph)) + method.code)
        found[name] = re.sub(r"___torch_mangle_\d+\.", "", text)
    return found


def numbered_anew(graph: str) -> str:
    """A graph without places, its values counted as they come: PyTorch's docstrings use up numbers."""
    numbers: dict[str, int] = {}
    graph = re.sub(r" # .*|\[warn_id=\d+\]", "", graph)
    return re.sub(r"%[\w.]+", lambda name: f"%{numbers.setdefault(name[0], len(numbers))}", graph)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_parameters_and_outputs_are_pytorchs(case, ours):
    mine, theirs = construct(case, ours), construct(case, vars(torch.nn))
    assert str(mine) == str(theirs)
    state, expected = mine.state_dict(), theirs.state_dict()
    assert list(state) == list(expected)
    for name in expected:
        torch.testing.assert_close(state[name], expected[name], rtol=0, atol=0)
    assert [p.requires_grad for p in mine.parameters()] == [
        p.requires_grad for p in theirs.parameters()
    ]
    torch.manual_seed(1)
    answer = run(case, theirs)
    torch.manual_seed(1)
    torch.testing.assert_close(run(case, mine), answer)
    for name in expected:
        torch.testing.assert_close(mine.state_dict()[name], theirs.state_dict()[name])


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_graphs_and_code_are_pytorchs(case, ours):
    kind = case.layer.partition("(")[0].partition(".")[0]
    if kind in FUNCTION_NOT_SCRIPTED_BY_PYTORCH:
        pytest.skip("PyTorch cannot compile the function of this layer")
    mine = torch.jit.script(construct(case, ours))
    if {kind, case.layer} & NOT_SCRIPTED_BY_PYTORCH:
        return
    theirs = torch.jit.script(construct(case, vars(torch.nn)))
    got, expected = methods(mine), methods(theirs)
    different = {name for name in expected if got.get(name) != expected[name]}
    assert different <= set(OTHER_GRAPHS.get(kind, ())), different
