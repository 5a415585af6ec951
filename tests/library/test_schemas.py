"""The library's functions have the schemas of PyTorch's: names, order, types, defaults, overloads."""

from __future__ import annotations

import json

import pytest

from tsc.compiler.ir import Function
from tsc.compiler.schema import NO_DEFAULT, Argument
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.library.index import PREFIX, definitions_of

from .record_schemas import MODULES, RECORD

RECORDED: dict[str, list[list[str]]] = json.loads(RECORD.read_text(encoding="utf-8"))
NOT_COMPILED_BY_PYTORCH = {
    "__torch__.torch.nn.functional.gaussian_nll_loss",
    *(
        f"__torch__.torch.nn.init.{name}"
        for name in (
            *("calculate_gain", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_"),
            *("orthogonal_", "sparse_", "trunc_normal_"),
            *("uniform", "normal", "constant", "eye", "dirac", "orthogonal", "sparse"),
            *("xavier_normal", "xavier_uniform", "kaiming_normal", "kaiming_uniform"),
        )
    ),
}


def overloads(qualified_name: str) -> list[Function]:
    """The functions of a name: the first has its plain name, the others are numbered."""
    module, _, name = qualified_name.rpartition(".")
    count = len(definitions_of(module.removeprefix(PREFIX)).get(name, []))
    names = [qualified_name, *(f"{module}.___torch_mangle_{k}.{name}" for k in range(count - 1))]
    functions = [toolchain().library(each) for each in names[:count]]
    assert None not in functions
    return [each for each in functions if each is not None]


def described(function: Function) -> list[str]:
    """A schema in the form in which `tests.library.record_schemas` records those of PyTorch."""
    schema = function.schema
    returned = (f"-> {each.type.annotation}" for each in schema.returns)
    return [*map(argument_line, schema.arguments), *returned]


def argument_line(argument: Argument) -> str:
    repeated = "" if argument.list_size is None else f" x {argument.list_size}"
    default = "" if argument.default is NO_DEFAULT else f" = {argument.default!r}"
    return f"{argument.name}: {argument.type.annotation}{repeated}{default}"


@pytest.mark.parametrize("name", RECORDED, ids=lambda name: name.removeprefix(PREFIX))
def test_schemas_are_those_of_pytorch(name: str) -> None:
    assert [described(each) for each in overloads(name)] == RECORDED[name]


def test_all_other_functions_are_private() -> None:
    ours = {
        f"{PREFIX}{module}.{name}"
        for module in MODULES
        for name in definitions_of(module)
        if not name.startswith("_")
    }
    assert ours - RECORDED.keys() == NOT_COMPILED_BY_PYTORCH


@pytest.mark.parametrize("module", MODULES)
def test_every_function_compiles(module: str) -> None:
    for name in definitions_of(module):
        for function in overloads(f"{PREFIX}{module}.{name}"):
            function.graph.lint()


def test_an_unknown_function_is_none() -> None:
    assert toolchain().library(f"{PREFIX}torch.nn.functional.no_such_function") is None
    assert toolchain().library(f"{PREFIX}torch.functional.___torch_mangle_9.norm") is None
    assert toolchain().library(f"{PREFIX}torch.no_such_module.relu") is None
