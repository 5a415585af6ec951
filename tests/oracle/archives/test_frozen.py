"""Archives that PyTorch wrote give the same results when they are frozen, saved and loaded. Needs no PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tsc
from tsc.compiler.ir import prim

from .answers import argument, described, is_close
from .test_recorded import ANSWERS, FOLDER, call


def frozen(name: str, **options: Any) -> tsc.ScriptModule:
    module = tsc.load(FOLDER / f"{name}.pt").eval()
    methods = [each["method"] for each in ANSWERS[name]["calls"]]
    return tsc.freeze(module, methods, **options)


def check(module: tsc.ScriptModule, name: str) -> None:
    for each in ANSWERS[name]["calls"]:
        arguments = [argument(given) for given in each["arguments"]]
        result = described(call(module, each["method"], arguments))
        assert is_close(result, each["result"]), each["method"]


@pytest.mark.parametrize("name", ANSWERS)
def test_frozen_archives_give_the_same_results(name: str, tmp_path: Path) -> None:
    module = frozen(name)
    for method in module.methods:
        getattr(module, method).graph.lint()
    path = tmp_path / "frozen.pt"
    tsc.save(module, path)
    check(tsc.load(path), name)
    check(module, name)


@pytest.mark.parametrize("name", ANSWERS)
def test_archives_for_inference_give_the_same_results(name: str) -> None:
    module = tsc.load(FOLDER / f"{name}.pt")
    methods = [each["method"] for each in ANSWERS[name]["calls"]]
    check(tsc.optimize_for_inference(module, methods), name)


def test_of_a_network_only_its_computation_remains() -> None:
    module = frozen("mobilenet")
    kinds = {node.kind for node in module.graph.all_nodes()}
    assert prim.GetAttr not in kinds
    assert "aten::batch_norm" not in kinds
    assert list(module.named_children()) == []
    assert list(module.state_dict()) == []
    exact = frozen("mobilenet", optimize_numerics=False)
    assert "aten::batch_norm" in {node.kind for node in exact.graph.all_nodes()}
