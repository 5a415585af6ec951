"""`inlined_graph` against PyTorch's, over the corpus and modules, wherever what is inlined is the same in both.

The functions of `torch.nn.functional` are written anew here: most have PyTorch's graphs, some do the same by
other steps. Whether a function that is called has another graph is found out by comparing it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

import pytest

import tsc
from tests.nn.cases import Case, cases
from tests.oracle.answers import normalize_graph
from tests.oracle.apart import apart
from tests.oracle.programs import topics
from tsc.compiler.ir import Function, Graph
from tsc.runtime.execution.optimization import callees

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

OTHER_PROGRAMS = {
    "samples/anchors": "x * 1 is x in PyTorch, whatever the dtype of x",
    "control_flow/write_after_a_loop_that_does_not_run": "PyTorch loses the write behind the loop",
}
"""Where PyTorch does what we do not, and why."""

OTHER_LAYERS: dict[str, str] = {}
"""Layers whose branches PyTorch decides further than we do, and why."""

OTHER_MODULES = {
    **dict.fromkeys(
        ("resnet", "mobilenet", "points"), "PyTorch knows the rank behind a convolution"
    ),
    **dict.fromkeys(
        ("transformer_layer", "transformer_decoder", "translator"),
        "a cast of what is known to be a Tensor stays",
    ),
}
"""Modules of archives with such branches."""

NOTHING_TO_COMPARE = ("decorators", "extensions", "initialization", "losses")
"""Topics whose programs call functions that are written otherwise here, or that PyTorch does not have."""

SMALL_MODULES = {
    "relu": lambda: torch.nn.ReLU(),
    "in place": lambda: torch.nn.ReLU(inplace=True),
    "leaky": lambda: torch.nn.LeakyReLU(0.2),
    "hardtanh": lambda: torch.nn.Hardtanh(),
    "layer norm": lambda: torch.nn.LayerNorm(3),
    "pooling": lambda: torch.nn.MaxPool2d(2),
    "linear": lambda: torch.nn.Linear(2, 2, bias=False),
}
"""Whose functions have a branch that the module decides, or an attribute that is None."""


_MESSAGE = re.compile(r"""value="(?:[^"\\]|\\.)*[a-z] (?:[^"\\]|\\.)*"|warn_id=\d+""")


def text(graph: Any) -> str:
    """Without the texts of errors, which are ours."""
    return _MESSAGE.sub("…", normalize_graph(str(graph)))


@functools.cache
def has_pytorchs_graph(function: Function) -> bool:
    """Whether a function of the library has the graph that PyTorch's function of its name has."""
    path = function.qualified_name.removeprefix("__torch__.").split(".")
    theirs: Any = torch
    for name in path[1:]:
        theirs = getattr(theirs, name, None)
    try:
        return text(torch.jit.script(theirs).graph) == text(function.graph)
    except Exception:  # noqa: BLE001  PyTorch has none, or cannot script it
        return False


def reached(graph: Graph) -> Iterator[Function]:
    """The functions of the library that are called by way of a graph."""
    seen: set[Function] = set()
    pending = callees(graph)
    while pending:
        function = pending.pop()
        if function not in seen:
            seen.add(function)
            pending += callees(function.graph)
            if function.qualified_name.startswith("__torch__.torch.") and "modules" not in (
                function.qualified_name
            ):
                yield function


def is_comparable(ours: Any, theirs: Any) -> bool:
    """Whether the graphs are the same before anything is inlined, and so is all that will be."""
    return text(ours.graph) == text(theirs.graph) and all(
        map(has_pytorchs_graph, reached(ours.graph))
    )


@pytest.mark.parametrize("topic", topics())
def test_functions_of_the_corpus(topic: str) -> None:
    assert apart(compare_programs, topic) or topic in NOTHING_TO_COMPARE


def compare_programs(topic: str) -> int:
    """Fail on an inlined graph that is not PyTorch's; the number of those that were compared."""
    from tests.oracle.pytorch import imported

    compared = 0
    for program in topics()[topic]:
        if program.key in OTHER_PROGRAMS:
            continue
        try:
            unit = tsc.CompilationUnit(program.source, filename=f"{program.key}.py")
        except tsc.Error:
            continue
        has_pytorchs_graph.cache_clear()
        with imported(program, whole=False) as module:
            for name in program.functions:
                try:
                    theirs = torch.jit.script(getattr(module, name))
                except Exception:  # noqa: BLE001  an extension of ours
                    continue
                ours = getattr(unit, name, None)
                if ours is not None and is_comparable(ours, theirs):
                    assert text(ours.inlined_graph) == text(theirs.inlined_graph), program.key
                    compared += 1
    return compared


def inside(module: Any) -> Any:
    return torch.nn.Sequential(module)


def compare_module(ours: Any, theirs: Any) -> bool:
    """Fail on an inlined graph that is not PyTorch's; False if the methods are not comparable."""
    parts = list(zip(ours.modules(), theirs.modules(), strict=False))
    comparable = len(list(ours.modules())) == len(list(theirs.modules())) and all(
        is_comparable(mine._method(name), other._c._get_method(name))
        for mine, other in parts
        for name in other._c._method_names()
    )
    if comparable:
        for name in theirs._c._method_names():
            mine, other = ours._method(name), theirs._c._get_method(name)
            assert text(mine.inlined_graph) == text(other.inlined_graph)
    return comparable


@pytest.mark.parametrize("name", SMALL_MODULES)
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_branches_that_a_module_decides(name: str, depth: int) -> None:
    module = SMALL_MODULES[name]()
    for _ in range(depth):
        module = inside(module)
    assert compare_module(tsc.script(module), torch.jit.script(module))


def test_layers() -> None:
    compared = [case.layer for case in cases() if compare_layer(case)]
    assert len(compared) > 140


@pytest.mark.parametrize("layer", OTHER_LAYERS)
def test_layers_that_are_known_to_differ(layer: str) -> None:
    case = next(each for each in cases() if each.layer == layer)
    with pytest.raises(AssertionError):
        compare_layer_as_it_is(case)


def compare_layer(case: Case) -> bool:
    return case.layer not in OTHER_LAYERS and compare_layer_as_it_is(case)


def compare_layer_as_it_is(case: Case) -> bool:
    torch.manual_seed(0)
    layer = inside(eval(case.layer, {"torch": torch, "ones": torch.ones, **vars(torch.nn)}))
    layer.train(case.training)
    try:
        theirs = torch.jit.script(layer)
    except Exception:  # noqa: BLE001  PyTorch cannot script every layer
        return False
    return compare_module(tsc.script(layer), theirs)


def test_modules_of_the_archives() -> None:
    from tests.oracle.archives.table import SAMPLES

    plain = [
        (each.name, each.plain)
        for each in SAMPLES
        if each.plain is not None and each.name not in OTHER_MODULES
    ]
    compared = [
        name for name, make in plain if compare_module(tsc.script(make()), torch.jit.script(make()))
    ]
    assert len(compared) > 30
