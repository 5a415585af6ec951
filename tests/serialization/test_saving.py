"""``tsc.save``: what is loaded and saved again is the same program with the same state."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import tsc
from tests.oracle.archives.answers import argument, described, is_close
from tests.oracle.archives.test_recorded import ANSWERS, FOLDER, call, codes
from tsc.compiler.source import Source
from tsc.runtime.programs.source_unit import SourceUnit
from tsc.runtime.serialization.archive_reader import ArchiveReader

from .test_loading import simple

MODEL = """
import torch
from torch import nn

def scaled(x: Tensor, factor: float = 0.5) -> Tensor:
    return x * factor

class Inner(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(3.0))
        self.width = width

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            return scaled(x) + self.weight * self.width

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner(2)
        self.same = self.inner

    def forward(self, x: Tensor) -> Tensor:
        return self.same(self.inner(x))
"""


def saved(module: tsc.ScriptModule) -> bytes:
    target = io.BytesIO()
    tsc.save(module, target)
    return target.getvalue()


@pytest.mark.parametrize("name", ANSWERS)
def test_a_module_saved_again_computes_the_same(name: str) -> None:
    again = tsc.load(saved(tsc.load(FOLDER / f"{name}.pt")))
    for each in ANSWERS[name]["calls"]:
        arguments = [argument(given) for given in each["arguments"]]
        assert is_close(described(call(again, each["method"], arguments)), each["result"])


@pytest.mark.parametrize("name", ANSWERS)
def test_state_and_code_stay_what_they_are(name: str) -> None:
    first = tsc.load(FOLDER / f"{name}.pt")
    again = tsc.load(saved(first))
    assert described(dict(again.state_dict())) == described(dict(first.state_dict()))
    assert codes(again) == codes(first)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_code_files_are_those_of_pytorch(name: str) -> None:
    theirs = ArchiveReader(FOLDER / f"{name}.pt").code_files()
    ours = ArchiveReader(saved(tsc.load(FOLDER / f"{name}.pt"))).code_files()
    assert list(ours) == list(theirs)
    brought_along = "__torch__/torch/autograd/grad_mode.py"
    assert {**ours, brought_along: ""} == {**theirs, brought_along: ""}


def test_the_same_module_gives_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "module.pt"
    module = tsc.load(FOLDER / "attributes.pt")
    module.save(path)
    assert path.read_bytes() == saved(module) == saved(tsc.load(path))


def test_extra_files_are_kept() -> None:
    target = io.BytesIO()
    tsc.load(simple("x")).save(target, _extra_files={"labels.txt": "cat"})
    extra: dict[str, bytes] = {"labels.txt": b""}
    tsc.load(target.getvalue(), _extra_files=extra)
    assert extra == {"labels.txt": b"cat"}


@pytest.mark.parametrize(
    ("expression", "version"),
    [
        ("torch.mul(x, 2)", 3),
        ("torch.div(x, 2)", 4),
        ("torch.full([2], 1)", 5),
        ("torch.linspace(0, 1, 3)", 8),
        ("torch.logspace(0, 1, 3)", 9),
        ("torch.gelu(x)", 10),
    ],
)
def test_the_version_is_the_lowest_under_which_operators_mean_the_same(
    expression: str, version: int
) -> None:
    assert ArchiveReader(saved(tsc.load(simple(expression, version=10)))).version == version


def test_an_upgraded_program_is_saved_as_one_of_today() -> None:
    again = saved(tsc.load(simple("torch.div(x, 2)", version=3)))
    assert tsc.load(again)(tsc.tensor([3, -3])).tolist() == [1, -1]
    assert ArchiveReader(again).version >= 4


def test_a_module_of_a_source_file_is_saved_with_all_that_it_uses() -> None:
    module = SourceUnit.from_source(Source(MODEL, "model.py")).module("Model")
    content = saved(module)
    files = ArchiveReader(content).code_files()
    assert "class no_grad" in files["__torch__/torch/autograd/grad_mode.py"]
    again = tsc.load(content)
    x = tsc.tensor([1.0, 2.0, 3.0])
    assert again(x).tolist() == module(x).tolist()
    assert again.inner.weight is again.same.weight


def test_a_function_is_saved_as_the_forward_of_a_module() -> None:
    text = """
def g(x: Tensor) -> Tensor:
    return x + 1

def f(x: Tensor, n: int = 2) -> Tensor:
    return g(x) * n
"""
    function = tsc.CompilationUnit(text).f
    target = io.BytesIO()
    function.save(target)
    again = tsc.load(target.getvalue())
    assert again(tsc.tensor([1.0])).tolist() == [4.0]
    assert again(tsc.tensor([1.0]), n=5).tolist() == [10.0]
    assert "self" not in str(function.schema)


def test_only_modules_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "module.pt"
    with pytest.raises(tsc.ArchiveError, match="cannot be saved"):
        tsc.save(3, path)  # pyright: ignore[reportArgumentType]
    assert not path.exists()


def test_nothing_is_written_if_a_method_does_not_compile(tmp_path: Path) -> None:
    path = tmp_path / "module.pt"
    module = tsc.load(simple("torch.no_such_operator(x)"))
    with pytest.raises(tsc.CompileError, match="no_such_operator"):
        module.save(path)
    assert list(tmp_path.iterdir()) == []


def test_errors_of_a_saved_program_point_into_its_source() -> None:
    module = SourceUnit.from_source(Source(MODEL, "model.py")).module("Model")
    again = tsc.load(saved(tsc.load(saved(module))))
    with pytest.raises(tsc.ScriptError) as raised:
        again(tsc.tensor([1.0, 2.0]))
    message = str(raised.value)
    assert 'File "model.py", line 16, in forward' in message
    assert "return scaled(x) + self.weight * self.width" in message
    assert "code/" not in message


def test_origins_tell_the_places_that_pytorch_tells() -> None:
    path = FOLDER / "several_methods.pt"
    first, again = tsc.load(path), tsc.load(saved(tsc.load(path)))
    for (name, module), (_, other) in zip(
        first.named_modules(), again.named_modules(), strict=True
    ):
        for method in module.methods:
            ours, theirs = (str(getattr(each, method).graph) for each in (other, module))
            assert ours.count("classes.py:") == theirs.count("classes.py:"), f"{name}.{method}"
