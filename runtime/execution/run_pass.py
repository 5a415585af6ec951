"""`tsc.run_pass`: one pass over one graph, with what the pass needs of this runtime."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from tsc.compiler.ir import Graph, Node, verify
from tsc.compiler.outer_net import foreseen
from tsc.compiler.passes.registry import keywords_of, own_name, pass_function, pass_names
from tsc.compiler.pipelines import Given, Pass
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import Stage, UsageError
from tsc.runtime.context.hooks import fusion_groups, native_code
from tsc.runtime.context.native_availability import is_available
from tsc.runtime.execution.constant_evaluation import evaluate
from tsc.runtime.execution.differentiable_nodes import is_differentiable
from tsc.runtime.execution.optimization import number_of
from tsc.runtime.execution.part_operators import PART_OPERATORS
from tsc.runtime.execution.predicted_node_work import seconds_of
from tsc.runtime.execution.registered_passes import registered_passes
from tsc.runtime.execution.shape_inference import infer, known_tensor_type
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor


def _tensor_of(number: Any) -> Tensor:
    return Tensor(np.array(number))


def _is_fusible(node: Node) -> bool:
    return fusion_groups().is_fusible(node)


def _is_native(graph: Graph) -> bool:
    return is_available() and native_code().is_native(graph)


_OF_THE_RUNTIME: dict[str, Any] = {
    "infer": infer,
    "is_differentiable": is_differentiable,
    "is_fusible": _is_fusible,
    "seconds_of": seconds_of,
    "is_native": _is_native,
    "part_operators": PART_OPERATORS,
    "tensor_of": _tensor_of,
    "tensor_type_of": known_tensor_type,
}
_GIVEN = frozenset(("simplify", *_OF_THE_RUNTIME, *(each.name for each in fields(Given))))
"""What passes are given here; any other keyword is an option for the user to set."""


@foreseen()
def run_pass(name: str, graph: Graph | object, **options: Any) -> bool:
    """Run one pass over `graph`, in place; returns whether it changed the graph.

    `name` is that of a pass of tsc or of `tsc.register_pass`, or PyTorch's name of a pass; `options` are the
    pass's own. A graph that is not valid is refused before. Raises `Error` for an unknown name or option.
    """
    if not isinstance(graph, Graph):
        raise UsageError(f"run_pass needs a graph, not a '{type(graph).__name__}'")
    verify(graph)
    chosen = find_pass(name, options)
    with Stage(chosen.name, "a graph"):
        return bool(chosen.apply(graph))


def find_pass(name: str, options: Mapping[str, Any] | None = None) -> Pass:
    """The pass of a name, with its options and all it needs. Raises `UsageError`."""
    chosen = {} if options is None else dict(options)
    for registered in registered_passes():
        if registered.name == name:
            _refuse(name, set(chosen), set())
            return registered
    run = pass_function(name)
    keywords = keywords_of(run)
    _refuse(name, set(chosen), set(keywords) - _GIVEN)
    given = {each: value for each, value in _given().items() if each in keywords}
    return Pass(own_name(name), _bound(run, {**given, **chosen}))


def options_of(name: str) -> tuple[str, ...]:
    """The options of a pass, each with its default: ``factor=8``."""
    keywords = keywords_of(pass_function(name)).values()
    return tuple(
        each.name if each.default is each.empty else f"{each.name}={each.default!r}"
        for each in keywords
        if each.name not in _GIVEN
    )


def known_passes() -> tuple[str, ...]:
    """The names of all passes, those of users last."""
    return (*pass_names(), *(each.name for each in registered_passes()))


def _refuse(name: str, wanted: set[str], known: set[str]) -> None:
    unknown = sorted(wanted - known)
    if unknown:
        has = f"its options are {', '.join(sorted(known))}" if known else "it takes none"
        raise UsageError(f"the pass {name} has no option {unknown[0]!r}; {has}")


def _given() -> dict[str, Any]:
    given = Given(load(), evaluate, number_of)
    known = {each.name: getattr(given, each.name) for each in fields(Given)}
    return {**known, **_OF_THE_RUNTIME, "simplify": given.simplify}


def _bound(run: Callable[..., bool], keywords: dict[str, Any]) -> Callable[[Graph], object]:
    @functools.wraps(run)
    @deep_recursion()
    def bound(graph: Graph) -> bool:
        return run(graph, **keywords)

    return bound
