"""The entry: what it gives to the compiler, how arguments are read, and how errors point."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tsc.compiler.source import CompileError, Source, UsageError
from tsc.runtime.construction.construct import Construction, construct, resolver_of_source
from tsc.runtime.construction.values.modules import ModuleClass, ModuleInstance, Parameter
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor import Tensor

SOURCE = """
import torch
from torch import nn
from typing import Final, List

WIDTH = 3

class Inner(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.n = n

class Model(nn.Module):
    __constants__ = ["scale"]
    names: List[str]
    scale: Final[int] = 2

    def __init__(self, width, hidden=WIDTH, *rest):
        super().__init__()
        self.names = []
        self.w = nn.Parameter(torch.rand(width))
        self.inner = Inner(hidden)
        self.register_buffer("b", torch.zeros(1), persistent=False)
        self.kept = torch.ones(2)
        if width < 0:
            raise ValueError(f"width is {width}")

    def forward(self, x):
        return helper(x)

def helper(x):
    return x + 1

def broken(x):
    try:
        return x
    except ValueError:
        return 0
"""


def construction() -> Construction:
    return Construction.from_source(Source(SOURCE, "model.py"))


def test_an_instance_keeps_attributes_parameters_buffers_and_modules_apart() -> None:
    model = construction().construct("Model", [4], {"hidden": 5}, seed=0)
    assert isinstance(model, ModuleInstance)
    assert list(model.attributes) == ["names", "kept"]
    assert list(model.parameters) == ["w"]
    assert isinstance(model.parameters["w"], Parameter)
    assert type(model.attributes["kept"]) is Tensor
    assert list(model.buffers) == ["b"]
    assert model.non_persistent == {"b"}
    inner = model.modules["inner"]
    assert inner is not None
    assert inner.attributes == {"n": 5}
    assert model.training


def test_a_class_knows_its_name_its_methods_and_its_annotations() -> None:
    made = construction()
    cls = made.class_named("Model")
    assert isinstance(cls, ModuleClass)
    assert cls.qualified_name == "__torch__.Model"
    assert [each.name for each in cls.mro] == ["Model", "Module", "object"]
    assert cls.constants == ("scale",)
    assert list(cls.all_annotations) == ["names", "scale"]
    forward = cls.method("forward")
    assert forward is not None
    assert forward.definition in cls.definition.body
    assert cls.method("train") is None
    assert cls.resolver is made.resolver


def test_classes_of_the_library_are_named_as_in_pytorch() -> None:
    layer = construction().evaluate_expression("nn.Linear(2, 3)")
    assert layer.cls.qualified_name == "__torch__.torch.nn.modules.linear.Linear"
    assert layer.cls.method("forward").definition.range.filename == "torch/nn/modules/linear.py"


def test_one_seed_gives_one_model() -> None:
    resolver = resolver_of_source(Source(SOURCE, "model.py"))
    first, second = (construct(resolver, "Model", [4], seed=7) for _ in range(2))
    other = construct(resolver, "Model", [4], seed=8)
    assert first.parameters["w"].tolist() == second.parameters["w"].tolist()
    assert first.parameters["w"].tolist() != other.parameters["w"].tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ([], {})),
        ("10, hidden=WIDTH + 1", ([10], {"hidden": 4})),
        ("*[1, 2], **{'a': 3}", ([1, 2], {"a": 3})),
        ("f'{WIDTH:02d}',", (["03"], {})),
    ],
)
def test_arguments_are_expressions_beside_the_file(text: str, expected: object) -> None:
    assert construction().arguments(text) == expected


@pytest.mark.parametrize("text", ["1) + (2", "1)(2"])
def test_only_arguments_are_read_as_arguments(text: str) -> None:
    with pytest.raises(UsageError):
        construction().arguments(text)


def test_a_syntax_error_in_arguments_points_into_their_text() -> None:
    with pytest.raises(CompileError) as caught:
        construction().arguments("1, hidden=")
    assert caught.value.range.filename == "<--init>"
    assert "arguments(" not in str(caught.value)


def test_an_error_tells_the_way_to_it() -> None:
    with pytest.raises(ScriptError) as caught:
        construction().construct("Model", [-1])
    assert str(caught.value) == (
        "Traceback of the evaluated source (most recent call last):\n"
        '  File "model.py", line 21, in __init__\n'
        "        super().__init__()\n"
        "        self.names = []\n"
        "        self.w = nn.Parameter(torch.rand(width))\n"
        "                              ~~~~~~~~~~~~~~~~~ <--- HERE\n"
        "        self.inner = Inner(hidden)\n"
        '        self.register_buffer("b", torch.zeros(1), persistent=False)\n'
        "RuntimeError: Trying to create tensor with negative dimension -1: [-1]\n"
    )


@pytest.mark.parametrize("name", ["Missing", "helper", "WIDTH"])
def test_what_is_no_class_cannot_be_constructed(name: str) -> None:
    with pytest.raises(UsageError, match="the classes are Inner, Model"):
        construction().construct(name)


def test_a_class_that_is_no_module_is_refused() -> None:
    resolver = resolver_of_source(Source("class Plain:\n    pass\n"))
    with pytest.raises(UsageError, match="is not an nn"):
        construct(resolver, "Plain")


def test_try_is_refused_where_it_runs() -> None:
    made = construction()
    with pytest.raises(CompileError, match="try blocks"):
        made.call(made.value("broken"), 1)


def test_a_misspelt_layer_is_suggested() -> None:
    with pytest.raises(ScriptError, match="did you mean 'Linear'"):
        construction().evaluate_expression("nn.Linaer(1, 2)")


def test_files_beside_the_importing_one_are_read(tmp_path: Path) -> None:
    (tmp_path / "layers.py").write_text(
        "from torch import nn\nSIZE = 4\n"
        "class Layer(nn.Module):\n"
        "    def __init__(self, n=SIZE):\n        super().__init__()\n        self.n = n\n"
    )
    (tmp_path / "blocks.py").write_text(
        "from layers import *\nimport layers as l\nTWICE = l.SIZE * 2\n"
    )
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "deep.py").write_text("from .side import VALUE\n")
    (tmp_path / "package" / "side.py").write_text("VALUE = 11\n")
    main = tmp_path / "main.py"
    main.write_text(
        "from torch import nn\nimport blocks\nimport package.deep\nfrom blocks import Layer\n"
        "class Model(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "        self.layer = Layer(blocks.TWICE)\n"
        "        self.deep = package.deep.VALUE\n"
    )
    made = Construction.from_source(Source(main.read_text(), str(main)))
    model = made.construct("Model")
    assert model.modules["layer"].attributes["n"] == 8
    assert model.attributes["deep"] == 11
    assert model.modules["layer"].cls.qualified_name == "__torch__.layers.Layer"


def test_a_module_that_nobody_has_is_named() -> None:
    made = Construction.from_source(Source("import pandas as pd\nX = pd.DataFrame\n", "x.py"))
    with pytest.raises(CompileError, match="'pandas' is not available"):
        made.value("X")


@pytest.mark.parametrize(
    ("expression", "instead"),
    [
        ("nn.LazyLinear(3)", "use Linear with its sizes"),
        ("nn.SyncBatchNorm(3)", "use BatchNorm1d"),
        ("nn.utils.weight_norm(nn.Linear(2, 2))", "compute the weight in forward"),
    ],
)
def test_absent_layers_say_what_to_use(expression: str, instead: str) -> None:
    source = Source("import torch\nfrom torch import nn\n", "absent.py")
    with pytest.raises(ScriptError, match=instead):
        Construction.from_source(source).evaluate_expression(expression)


def test_threads_construct_at_the_same_time() -> None:
    def layers(_number: int) -> int:
        deep = "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n"
        return Construction.from_source(Source(deep)).evaluate_expression("f(400)")

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(layers, range(12))) == [400] * 12


NUMBERS = """
import numpy as np
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.root = np.sqrt(2) * np.pi
        self.double = np.float64(3)
        self.least = np.log(0)
        self.given = {given}
"""


def test_functions_of_numpy_are_computed_of_numbers() -> None:
    made = Construction.from_source(Source(NUMBERS.replace("{given}", "np.inf"))).construct("Model")
    values = [made.attributes[name] for name in ("root", "double", "least", "given")]
    assert values == [math.sqrt(2) * math.pi, 3.0, -math.inf, math.inf]
    assert {type(each) for each in values} == {float}


@pytest.mark.parametrize(
    "given", ["np.sqrt([1, 2])", "np.zeros(3)", "np.load('x')", "np.float64('1')"]
)
def test_the_rest_of_numpy_is_refused(given: str) -> None:
    with pytest.raises(ScriptError, match="numpy"):
        Construction.from_source(Source(NUMBERS.replace("{given}", given))).construct("Model")


def test_a_raised_exception_says_what_its_initializer_made() -> None:
    text = (
        "class Refused(ValueError):\n"
        "    def __init__(self, size):\n"
        '        super().__init__(f"{size} is too small")\n'
        "def checked(size):\n"
        "    raise Refused(size)\n"
    )
    made = Construction.from_source(Source(text))
    with pytest.raises(ScriptError, match=r"Refused: 1 is too small") as caught:
        made.call(made.value("checked"), 1)
    assert caught.value.kind == "Refused"
