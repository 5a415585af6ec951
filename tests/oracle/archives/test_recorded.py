"""Archives that PyTorch wrote run here with the results that PyTorch computed. Needs no PyTorch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tsc
from tsc.runtime.python_api.script_module import ScriptModule

from .answers import argument, described, is_close

FOLDER = Path(__file__).parent / "recorded"
ANSWERS: dict[str, Any] = json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))


def call(module: ScriptModule, method: str, arguments: list[Any]) -> Any:
    return module(*arguments) if method == "forward" else getattr(module, method)(*arguments)


def codes(module: ScriptModule) -> dict[str, str]:
    """The text of every method of every module."""
    return {
        f"{path}.{name}": each._method(name).code
        for path, each in module.named_modules()
        for name in each.script_object.script_type.methods
    }


def test_every_archive_has_an_answer() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.pt")) == sorted(ANSWERS)
    assert len(ANSWERS) >= 20


@pytest.mark.parametrize("name", ANSWERS)
def test_results_are_those_of_pytorch(name: str) -> None:
    module = tsc.load(FOLDER / f"{name}.pt")
    for each in ANSWERS[name]["calls"]:
        arguments = [argument(given) for given in each["arguments"]]
        result = described(call(module, each["method"], arguments))
        assert is_close(result, each["result"]), each["method"]


@pytest.mark.parametrize("name", ANSWERS)
def test_the_state_is_that_of_pytorch(name: str) -> None:
    module = tsc.load(FOLDER / f"{name}.pt")
    assert described(dict(module.state_dict())) == ANSWERS[name]["state"]


@pytest.mark.parametrize("name", ANSWERS)
def test_the_code_is_that_of_pytorch(name: str) -> None:
    ours, theirs = codes(tsc.load(FOLDER / f"{name}.pt")), ANSWERS[name]["code"]
    assert {method: ours.get(method) for method in theirs} == theirs
