"""Modules that PyTorch and tsc export: those of the archive tests, and those that PyTorch's files are tried with."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

import tsc
from tests.exir.exported_modules import CASES
from tests.oracle.archives.table import SAMPLES

from ..dynamic_programs import PROGRAMS


@dataclass(frozen=True)
class Compared:
    """A module; `archive` gives it scripted or traced. `declared` is called with `Dim` of either."""

    name: str
    module: Callable[[], nn.Module]
    archive: Callable[[], torch.jit.ScriptModule]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    declared: Callable[[Any], Any] | None = None

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Anew: programs may write to them."""
        return copy.deepcopy((self.args, self.kwargs))

    def with_automatic_sizes(self) -> Compared | None:
        """The same, with all sizes that may change if the program allows it; None if there are none."""
        if not any(isinstance(each, torch.Tensor) and each.dim() for each in self._leaves()):
            return None

        def declared(dim: Any) -> Any:
            specs = tuple(_automatic(each, dim) for each in self.args)
            named = {key: _automatic(each, dim) for key, each in self.kwargs.items()}
            return (*specs, *named.values())

        return Compared(
            f"{self.name} (automatic)", self.module, self.archive, self.args, self.kwargs, declared
        )

    def _leaves(self) -> Iterator[Any]:
        return iter(torch.utils._pytree.tree_leaves((self.args, self.kwargs)))


def _automatic(value: Any, dim: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return {place: dim.AUTO for place in range(value.dim())}
    if isinstance(value, list | tuple):
        return type(value)(_automatic(each, dim) for each in value)
    if isinstance(value, dict):
        return {key: _automatic(each, dim) for key, each in value.items()}
    return None


def compared() -> Iterator[Compared]:
    """Each with the sizes that it has, with those that it declares, and with all that may change."""
    for each in (*_of_archives(), *_of_pytorch(), *_of_programs()):
        if each.declared is not None:
            yield Compared(f"{each.name} (declared)", each.module, each.archive, each.args, each.kwargs, each.declared)
        fixed = Compared(each.name, each.module, each.archive, each.args, each.kwargs)
        yield fixed
        automatic = fixed.with_automatic_sizes()
        if automatic is not None:
            yield automatic


def _of_archives() -> Iterator[Compared]:
    for sample in SAMPLES:
        assert sample.eager is not None
        for number, call in enumerate(sample.calls):
            if call.method == "forward":
                name = f"{sample.name}[{number}]"
                yield Compared(name, sample.eager, sample.make, call.arguments)


def _of_pytorch() -> Iterator[Compared]:
    for name, case in CASES.items():
        def make(case: Any = case) -> nn.Module:
            torch.manual_seed(0)
            return case.module()

        def archive(make: Any = make, case: Any = case) -> torch.jit.ScriptModule:
            return _compiled(make(), case.args)

        yield Compared(name, make, archive, case.args, case.kwargs)


def _compiled(module: nn.Module, args: tuple[Any, ...]) -> Any:
    try:
        return torch.jit.script(module)
    except (RuntimeError, torch.jit.frontend.FrontendError):
        return torch.jit.trace(module, copy.deepcopy(args), check_trace=False, strict=False)


def _of_programs() -> Iterator[Compared]:
    for name, case in PROGRAMS.items():
        names = case.text.partition("(")[2].partition(")")[0]
        plain = [each.partition(":")[0].strip() for each in names.split(",")]
        yield _of_text(name, case.text, plain, case)


def _of_text(name: str, text: str, names: list[str], case: Any) -> Compared:
    """A function as the only method of a module."""
    listed = ", ".join(names)
    first, _, body = text.partition("\n")
    method = first.replace("def f(", "def forward(self, ")
    _ = listed

    def make() -> nn.Module:
        scope: dict[str, Any] = {"torch": torch, "Tensor": torch.Tensor, "Tuple": tuple}
        scope["F"] = nn.functional
        plain = method.replace("Tuple[", "tuple[")
        exec(compile(f"{plain}\n{body}", f"<{name}>", "exec"), scope)
        return type("Module", (nn.Module,), {"forward": scope["forward"]})()

    def archive() -> Any:
        module = nn.Module()
        script = torch.jit.CompilationUnit(text)
        return script.f if False else _module_of_text(text)

    torch.manual_seed(0)
    args = tuple(torch.rand(*each) for each in case.shapes(case.example))
    return Compared(name, make, archive, args, {}, case.declared)


def _module_of_text(text: str) -> Any:
    """By tsc itself: PyTorch compiles no text as a module."""
    return tsc.CompilationUnit("import torch\nimport torch.nn.functional as F\n" + text).f
