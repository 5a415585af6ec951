"""Modules are looked at, whatever made them: here, a class that holds what PyTorch's modules hold."""

# ruff: noqa: UP006, UP035, UP045  both spellings of types are to be understood
from __future__ import annotations

from typing import Dict, Optional

import numpy as np
import pytest

import tsc


class Module:
    """What scripting looks at in an ``nn.Module``."""

    training: bool

    def __init__(self) -> None:
        self.training = True
        self._parameters: dict = {}
        self._buffers: dict = {}
        self._modules: dict = {}
        self._forward_hooks: dict = {}
        self._forward_pre_hooks: dict = {}

    def named_parameters(self):
        return self._parameters.items()

    def __setattr__(self, name, value):
        kinds = {Module: "_modules", tsc.Tensor: "_parameters"}
        kept = next((kinds[kind] for kind in kinds if isinstance(value, kind)), None)
        if kept is None:
            object.__setattr__(self, name, value)
        else:
            vars(self)[kept][name] = value

    def __getattr__(self, name):
        for kept in ("_parameters", "_buffers", "_modules"):
            if name in vars(self)[kept]:
                return vars(self)[kept][name]
        raise AttributeError(name)


def halved(x: tsc.Tensor) -> tsc.Tensor:
    return x / 2


class Scale(Module):
    factor: tsc.Final[int]
    limits: Dict[str, int]

    def __init__(self, factor: int) -> None:
        super().__init__()
        self.weight = tsc.tensor([1.0, 2.0])
        self._buffers["count"] = tsc.tensor([0])
        self.factor = factor
        self.limits = {}
        self.function = halved
        self.unknown = object()

    def forward(self, x: tsc.Tensor) -> tsc.Tensor:
        self.count += 1
        return self.function(x * self.weight) * self.factor

    @tsc.export
    def limit(self, name: str, value: Optional[int] = None) -> int:
        if value is not None:
            self.limits[name] = value
        return self.limits[name]

    @tsc.ignore
    def for_python(self, x: tsc.Tensor) -> int:
        return len({*x.tolist()}) * self.factor

    @tsc.export
    def counted(self, x: tsc.Tensor) -> int:
        return self.for_python(x) + 1

    @tsc.unused
    def never(self, x: tsc.Tensor) -> tsc.Tensor:
        return eval("x")

    @property
    def twice(self) -> int:
        return self.factor * 2

    @staticmethod
    def shifted(x: int) -> int:
        return x + 10


def shifted_by_class() -> int:
    return Scale.shifted(1)


def made_by_class(x: tsc.Tensor) -> tsc.Tensor:
    return Scale(1)(x)


class Simple(Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Scale(2)
        self.second = Scale(3)
        self.again = self.first
        self.names = ["a"]
        self.missing = None

    def forward(self, x: tsc.Tensor, risky: bool = False) -> tsc.Tensor:
        y = self.second(self.first(x)) + self.first.twice + self.first.shifted(1)
        return self.first.never(y) if risky else y


def test_module_runs_with_its_own_parameters() -> None:
    scale = Scale(3)
    scripted = tsc.script(scale)
    assert scripted(tsc.tensor([2.0, 2.0])).tolist() == [3.0, 6.0]
    np.asarray(scale.weight.detach())[0] = 10.0
    assert scripted(tsc.tensor([2.0, 2.0])).tolist() == [30.0, 6.0]
    assert scripted.count.tolist() == [2]


def test_exported_methods_and_what_they_change() -> None:
    scripted = tsc.script(Scale(1))
    assert scripted.limit("a", 4) == 4
    assert scripted.limit("a") == 4
    assert scripted.limits == {"a": 4}


def test_submodules_static_methods_and_properties() -> None:
    scripted = tsc.script(Simple())
    assert scripted(tsc.tensor([2.0, 2.0])).tolist() == [18.0, 27.0]
    assert scripted.first.script_object is not scripted.again.script_object  # as in PyTorch
    assert scripted.first.weight is scripted.again.weight
    assert scripted.names == ["a"]
    assert list(scripted.state_dict()) == [
        *("first.weight", "first.count", "second.weight", "second.count"),
        *("again.weight", "again.count"),
    ]


def test_ignored_method_is_called_in_python_with_the_module() -> None:
    first, second = tsc.script(Scale(2)), tsc.script(Scale(3))
    x = tsc.tensor([1.0, 1.0, 2.0])
    assert (first.counted(x), second.counted(x)) == (5, 7)


def test_unused_method_raises_when_it_is_reached() -> None:
    scripted = tsc.script(Simple())
    with pytest.raises(tsc.ScriptError):
        scripted(tsc.tensor([2.0, 2.0]), risky=True)


def test_module_given_to_a_function_is_refused_with_a_way_out() -> None:
    model = Simple()

    def called(x: tsc.Tensor) -> tsc.Tensor:
        return model(x)

    with pytest.raises(tsc.CompileError, match="make it a submodule of the module"):
        tsc.script(called)


def test_class_of_modules_is_refused_with_a_way_out() -> None:
    with pytest.raises(tsc.Error, match="script an instance"):
        tsc.script(Simple)


def test_attribute_without_a_type_is_refused_where_it_is_used() -> None:
    class Wrong(Scale):
        def forward(self, x: tsc.Tensor) -> tsc.Tensor:
            return x + self.unknown

    with pytest.raises(tsc.CompileError) as caught:
        tsc.script(Wrong(1))
    text = str(caught.value)
    assert "Module 'Wrong' has no attribute 'unknown'" in text
    assert "return x + self.unknown" in text
    assert __file__ in text


def test_class_of_modules_in_a_function_is_refused_with_a_way_out() -> None:
    with pytest.raises(tsc.CompileError, match="make it in the __init__ of another module"):
        tsc.script(made_by_class)
    assert tsc.script(shifted_by_class)() == 11


def test_scripted_modules_and_functions_are_parts_of_modules() -> None:
    class Outer(Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = tsc.script(Scale(2))
            self.function = tsc.script(halved)

        def forward(self, x: tsc.Tensor) -> tsc.Tensor:
            return self.function(self.inner(x))

    assert tsc.script(Outer())(tsc.tensor([2.0, 2.0])).tolist() == [1.0, 2.0]
