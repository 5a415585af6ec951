"""Programs that PyTorch exports and saves, read and run here: the results, and what is written, are PyTorch's.

What tsc saves of them, PyTorch loads as the same program.
"""

from __future__ import annotations

import copy
import io
from typing import Any

import pytest

import tsc
from tests.oracle.answers import plain, same_value
from tests.oracle.ours import tensor

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

from tests.oracle.pytorch import tensor as torch_tensor  # noqa: E402

from .exported_modules import CASES, Case, exported  # noqa: E402


def saved(program: Any) -> bytes:
    content = io.BytesIO()
    torch.export.save(program, content)
    return content.getvalue()


def arguments(case: Case) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Of every call, anew: programs may write to them."""
    return [copy.deepcopy((args, case.kwargs)) for args in (case.args, *case.others)]


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_pytorch(name: str) -> None:
    case = CASES[name]
    program = exported(name)
    ours = tsc.load_exported(saved(program))
    module, reference = ours.module(), program.module()
    for (args, kwargs), (same_args, same_kwargs) in zip(arguments(case), arguments(case)):
        result = plain(module(*args, **kwargs), tensor)
        with torch.no_grad():
            expected = plain(reference(*same_args, **same_kwargs), torch_tensor)
        assert same_value(result, expected), (result, expected)
        assert same_value(plain(args, torch_tensor), plain(same_args, torch_tensor))
    state = plain(module.state_dict(), tensor)
    assert same_value(state, plain(dict(program.state_dict), torch_tensor))


@pytest.mark.parametrize("name", CASES)
def test_pytorch_loads_what_is_saved(name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "torch._export.serde.serialize")  # it words a warning wrongly
    case = CASES[name]
    original = saved(exported(name))
    content = io.BytesIO()
    tsc.save_exported(tsc.load_exported(original), content)
    try:
        expected = torch.export.load(io.BytesIO(original))
    except RuntimeError:
        pytest.skip("PyTorch does not load what it saved")
    found = torch.export.load(io.BytesIO(content.getvalue()))
    assert str(found) == str(expected)
    assert found.graph_signature == expected.graph_signature
    assert found.range_constraints == expected.range_constraints
    assert found.call_spec == expected.call_spec
    module, reference = found.module(), expected.module()
    for (args, kwargs), (same_args, same_kwargs) in zip(arguments(case), arguments(case)):
        with torch.no_grad():
            result = plain(module(*args, **kwargs), torch_tensor)
            wanted = plain(reference(*same_args, **same_kwargs), torch_tensor)
        assert same_value(result, wanted), (result, wanted)
    state = plain(dict(found.state_dict), torch_tensor)
    assert same_value(state, plain(dict(expected.state_dict), torch_tensor))
    kinds = {name: type(each) for name, each in found.state_dict.items()}
    assert kinds == {name: type(each) for name, each in expected.state_dict.items()}


_NO_MODULES = {"Nested": r"d\[…\] has elements of several types"}
"""What TorchScript has no types for."""


@pytest.mark.parametrize("name", CASES)
def test_pytorch_runs_the_module_of_a_program(name: str) -> None:
    case, program = CASES[name], exported(name)
    ours = tsc.load_exported(saved(program))
    if name in _NO_MODULES:
        with pytest.raises(tsc.Error, match=_NO_MODULES[name]):
            tsc.to_torchscript(ours)
        return
    content = io.BytesIO()
    tsc.save(tsc.to_torchscript(ours), content)
    module, reference = torch.jit.load(io.BytesIO(content.getvalue())), program.module()
    for (args, kwargs), (same_args, same_kwargs) in zip(arguments(case), arguments(case)):
        with torch.no_grad():
            result = plain(module(*args, **kwargs), torch_tensor)
            expected = plain(reference(*same_args, **same_kwargs), torch_tensor)
        assert same_value(result, expected), (result, expected)
        assert same_value(plain(args, torch_tensor), plain(same_args, torch_tensor))
