"""Scripted modules from Python: their state, copies, dtypes and containers."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import tsc
from tests.live.test_module_objects import Module, Scale, Simple


class Product(Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = tsc.tensor([1.0, 2.0])

    def forward(self, x: tsc.Tensor) -> tsc.Tensor:
        return x * self.weight


class Plain(Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Product()

    def forward(self, x: tsc.Tensor) -> tsc.Tensor:
        return self.inner(x)


def test_state_is_loaded_into_the_same_tensors() -> None:
    scripted = tsc.script(Simple())
    state = {name: tensor.numpy() + 1 for name, tensor in scripted.state_dict().items()}
    weight = scripted.first.weight
    scripted.load_state_dict(state)
    assert weight.tolist() == [2.0, 3.0]
    with pytest.raises(tsc.ScriptError, match=r'Missing key\(s\) in state_dict: "first.weight"'):
        scripted.load_state_dict({})
    with pytest.raises(tsc.ScriptError, match=r"size mismatch for .*torch.Size\(\[2, 2\]\)"):
        scripted.load_state_dict({name: np.zeros((2, 2)) for name in state})
    assert weight.tolist() == [2.0, 3.0]
    assert repr(scripted.load_state_dict({}, strict=False)).startswith("_IncompatibleKeys(missing")


def test_attributes_are_read_set_and_checked() -> None:
    scripted = tsc.script(Simple())
    scripted.names = ["b", "c"]
    assert scripted.names == ["b", "c"]
    assert scripted.first.factor == 2
    assert scripted.first.twice == 4
    with pytest.raises(tsc.Error):
        scripted.names = 3
    with pytest.raises(AttributeError):
        scripted.other = 3


def test_eval_and_train_reach_all_submodules() -> None:
    scripted = tsc.script(Simple())
    assert scripted.eval() is scripted
    assert not any(each.training for each in scripted.modules())
    assert all(each.training for each in scripted.train().modules())


def test_deep_copy_shares_nothing_and_keeps_what_is_shared_in_it() -> None:
    scripted = tsc.script(Simple())
    other = copy.deepcopy(scripted)
    other.first.weight.add_(1)
    assert scripted.first.weight.tolist() == [1.0, 2.0]
    assert other.again.weight.tolist() == [2.0, 3.0]
    assert other(tsc.tensor([1.0, 1.0])).tolist() != scripted(tsc.tensor([1.0, 1.0])).tolist()


def test_shallow_copy_shares_its_tensors() -> None:
    scripted = tsc.script(Scale(2))
    other = copy.copy(scripted)
    other.weight.add_(1)
    other.limits = {"a": 1}
    assert scripted.weight.tolist() == [2.0, 3.0]
    assert scripted.limits == {}


def test_scripted_function_is_its_own_copy() -> None:
    function = tsc.script(lambda x: x + 1)
    assert copy.deepcopy([function])[0] is function


@pytest.mark.parametrize("name", ["half", "float", "double", "bfloat16"])
def test_floating_point_tensors_change_their_dtype(name: str) -> None:
    scripted = tsc.script(Scale(1))
    assert getattr(scripted, name)() is scripted
    dtypes = {"half": "float16", "float": "float32", "double": "float64", "bfloat16": "bfloat16"}
    assert str(scripted.weight.dtype) == f"torch.{dtypes[name]}"
    assert str(scripted.count.dtype) == "torch.int64"


def test_to_takes_dtypes_devices_and_tensors() -> None:
    scripted = tsc.script(Scale(1))
    scripted.to("cpu", tsc.float64)
    assert str(scripted.weight.dtype) == "torch.float64"
    scripted.to(tsc.tensor([1.0]))
    assert str(scripted.weight.dtype) == "torch.float32"
    with pytest.raises(tsc.ScriptError, match="only accepts floating point"):
        scripted.to(tsc.int64)
    with pytest.raises(tsc.ScriptError, match="tsc runs on the CPU"):
        scripted.to("cuda:0")
    with pytest.raises(tsc.ScriptError, match="takes a dtype or a device"):
        scripted.to([])


def test_module_that_is_no_container_says_so() -> None:
    scripted = tsc.script(Scale(1))
    assert bool(scripted)
    for attempt in (len, iter, lambda module: module[0]):
        with pytest.raises(TypeError, match="the module 'Scale'"):
            attempt(scripted)


def test_module_is_shown_with_its_submodules() -> None:
    assert repr(tsc.script(Simple())) == (
        "RecursiveScriptModule(\n"
        "  original_name=Simple\n"
        "  (first): RecursiveScriptModule(original_name=Scale)\n"
        "  (second): RecursiveScriptModule(original_name=Scale)\n"
        "  (again): RecursiveScriptModule(original_name=Scale)\n"
        ")"
    )


def test_pickled_module_comes_back_with_its_state() -> None:
    scripted = tsc.script(Plain())
    scripted.inner.weight.add_(1)
    other = pickle.loads(pickle.dumps(scripted))
    x = tsc.tensor([1.0, 1.0])
    assert other(x).tolist() == scripted(x).tolist() == [2.0, 3.0]
    assert other.inner.weight.tolist() == [2.0, 3.0]


def test_module_that_calls_python_is_not_saved() -> None:
    with pytest.raises(
        tsc.ArchiveError, match="Could not export Python function call 'for_python'"
    ):
        pickle.dumps(tsc.script(Scale(1)))
