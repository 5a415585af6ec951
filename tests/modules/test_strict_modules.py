"""Modules that PyTorch refuses: some by strict mode alone, some always."""

from __future__ import annotations

import pytest

import tsc
from tsc.compiler.source import codes, extensions

from .cases import PRELUDE

CONTAINERS = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Tanh(), nn.ReLU()])
        self.weights = nn.ParameterList([torch.ones(2), torch.zeros(2)])
        self.table = nn.ParameterDict({"a": torch.ones(2)})

    def forward(self, x):
"""
ONLY_IN_TSC = {
    "a slice that is looped over": "for layer in self.layers[1:]:\n    x = layer(x)\nreturn x",
    "an element of a slice": "return self.layers[1:][0](x)",
    "a slice in a comprehension": "return [layer(x) for layer in self.layers[:1]]",
    "unpacked modules": "a, b = self.layers\nreturn a(b(x))",
    "unpacked parameters": "a, b = self.weights\nreturn a + b + x",
    "spread parameters": "return torch.add(*self.weights) + x",
    "keys of parameters": "for name in self.table:\n    print(name)\nreturn x",
    "items of parameters": "for name, p in self.table.items():\n    x = x + p\nreturn x",
}
ALSO_IN_PYTORCH = {
    "methods of a slice": "for layer in self.layers[1:]:\n    x = layer.forward(x)\nreturn x",
    "the length of a slice": "return x + len(self.layers[1:])",
    "parameters that are looped over": "for p in self.weights:\n    x = x + p\nreturn x",
    "a list of parameters": "return torch.stack(list(self.weights)) + x",
    "a parameter by its key": "return x + self.table['a']",
}
X = tsc.tensor([1.0, 2.0])


def model(body: str, *, strict: bool) -> tsc.ScriptModule:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    return tsc.CompilationUnit(PRELUDE + CONTAINERS + lines, strict=strict).Model()


@pytest.mark.parametrize("body", ONLY_IN_TSC.values(), ids=ONLY_IN_TSC.keys())
def test_strict_mode_refuses_uses_of_containers_that_pytorch_has_not(body: str) -> None:
    model(body, strict=False)(X)
    with pytest.raises(tsc.CompileError) as caught:
        model(body, strict=True)
    assert caught.value.code == codes.ONLY_IN_TSC
    assert extensions.MODULE_CONTAINERS.name in str(caught.value)


@pytest.mark.parametrize("body", ALSO_IN_PYTORCH.values(), ids=ALSO_IN_PYTORCH.keys())
def test_strict_mode_takes_the_others(body: str) -> None:
    assert str(model(body, strict=True)(X)) == str(model(body, strict=False)(X))


HOOKED = """
class Inner(nn.Module):
    def forward(self, x: Tensor):
        return x

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_{kind}hook({hook})

    def forward(self, x: Tensor):
        return self.inner(x)
"""


@pytest.mark.parametrize(
    ("kind", "head", "message"),
    [
        ("pre_", "hook(self, input: Tuple[Tensor])", "missing a return annotation"),
        ("pre_", "hook(self, input: Tuple[int]) -> None", "wrong types for the input"),
        ("pre_", "hook(self, input: Tuple[Tensor]) -> int", "wrong types for the result"),
        ("", "hook(self, input: Tuple[Tensor], output: int) -> None", "wrong types"),
    ],
)
def test_hooks_say_the_types_of_what_they_are_given(kind: str, head: str, message: str) -> None:
    returned = "return None" if "int" not in head.rpartition(")")[2] else "return 1"
    text = f"def {head}:\n    {returned}\n" + HOOKED.format(kind=kind, hook="hook")
    with pytest.raises(tsc.CompileError, match=message):
        tsc.CompilationUnit(PRELUDE + text).Model()


def test_a_lambda_is_no_hook() -> None:
    text = HOOKED.format(kind="", hook="lambda module, input, output: output")
    with pytest.raises(tsc.CompileError, match="a hook that is a lambda"):
        tsc.CompilationUnit(PRELUDE + text).Model()


def test_named_tuples_without_an_annotation_are_plain_tuples_in_strict_mode() -> None:
    text = """
class Point(NamedTuple):
    x: int

class Model(nn.Module):
    {annotation}
    def __init__(self):
        super().__init__()
        self.point = Point(3)

    def forward(self) -> int:
        return self.point.x
"""
    plain, typed = (PRELUDE + text.replace("{annotation}", each) for each in ("", "point: Point"))
    assert tsc.CompilationUnit(plain).Model()() == 3
    assert tsc.CompilationUnit(typed, strict=True).Model()() == 3
    with pytest.raises(tsc.CompileError):
        tsc.CompilationUnit(plain, strict=True).Model()


def test_named_tuples_that_are_constants_have_no_names_in_strict_mode() -> None:
    text = PRELUDE + (
        "class P(NamedTuple):\n    a: int\n\n"
        "class Model(nn.Module):\n    p: Final[P]\n"
        "    def __init__(self):\n        super().__init__()\n        self.p = P(1)\n"
        "    def forward(self):\n        return self.p{use}\n"
    )
    assert tsc.CompilationUnit(text.replace("{use}", "[0]"), strict=True).Model()() == 1
    with pytest.raises(tsc.CompileError, match="no attribute or method 'a'"):
        tsc.CompilationUnit(text.replace("{use}", ".a"), strict=True).Model()


def test_names_of_the_caller_do_not_change_what_strict_mode_refuses() -> None:
    """A text is resolved by its own imports, though the caller has such a name, too."""
    torch = tsc
    text = "{import}def f(x: torch.Size):\n    return x\n"
    for line in ("import torch\n", ""):
        with pytest.raises(tsc.CompileError, match=r"Unknown type name 'torch\.Size'"):
            torch.CompilationUnit(text.replace("{import}", line), strict=True)


def test_a_function_with_a_cache_is_called_in_python() -> None:
    text = (
        "import functools\n\n@functools.cache\ndef g(x: int) -> int:\n    return x + 1\n\n"
        "def f(x: int):\n    return g(x)\n"
    )
    unit = tsc.CompilationUnit(text, strict=True)
    assert "int = ^g" in str(unit.f.graph)
    with pytest.raises(tsc.ScriptError, match="'g' is left to Python, by"):
        unit.f(1)
    with pytest.raises(tsc.CompileError, match="drop it: each call computes its result"):
        tsc.CompilationUnit(text)


@pytest.mark.parametrize("name", ["view", "slice", "nll_loss_nd", "resize_", "__contains__"])
def test_operators_that_are_no_functions_of_torch_are_refused(name: str) -> None:
    text = f"import torch\ndef f(x):\n    return torch.{name}(x, [0])\n"
    with pytest.raises(tsc.CompileError, match=f"object has no attribute {name}: PyTorch has"):
        tsc.CompilationUnit(text, strict=True).f(X)
    assert (
        tsc.CompilationUnit("import torch\ndef f(x):\n    return torch.view(x, [2])\n").f(X).dim()
        == 1
    )
