"""Modules that PyTorch and tsc export: those of the archive tests, and those that PyTorch's files are tried with."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import nn

import tsc
from tests.exir.exported_modules import CASES
from tests.oracle.archives.table import SAMPLES

from ..dynamic_modules import PROGRAMS as MODULES
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

        return replace(self, name=f"{self.name} (automatic)", declared=declared)

    def _leaves(self) -> Iterator[Any]:
        return iter(torch.utils._pytree.tree_leaves((self.args, self.kwargs)))


def _automatic(value: Any, dim: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return dict.fromkeys(range(value.dim()), dim.AUTO)
    if isinstance(value, list | tuple):
        return type(value)(_automatic(each, dim) for each in value)
    if isinstance(value, dict):
        return {key: _automatic(each, dim) for key, each in value.items()}
    return None


def compared() -> Iterator[Compared]:
    """Each with the sizes that it has, with those that it declares, and with all that may change."""
    for each in (*_of_archives(), *_of_pytorch(), *_of_programs()):
        if each.declared is not None:
            yield replace(each, name=f"{each.name} (declared)")
        fixed = replace(each, declared=None)
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
    for name, case in (PROGRAMS | MODULES).items():
        yield _of_text(name, case)


def _of_text(name: str, case: Any) -> Compared:
    """A function as the only method of a module; PyTorch compiles no text as a module, so tsc gets the function."""

    def module() -> nn.Module:
        scope: dict[str, Any] = {"torch": torch, "Tensor": torch.Tensor, "F": nn.functional}
        text = case.text.replace("def f(", "def forward(self, ").replace("Tuple[", "tuple[")
        exec(compile(text, f"<{name}>", "exec"), scope)
        return type("Module", (nn.Module,), {"forward": scope["forward"]})()

    def archive() -> Any:
        return tsc.CompilationUnit(f"import torch\nimport torch.nn.functional as F\n{case.text}").f

    torch.manual_seed(0)
    args = tuple(torch.rand(*each) for each in case.shapes(case.example))
    return Compared(name, module, archive, args, {}, case.declared)
