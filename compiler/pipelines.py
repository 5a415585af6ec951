"""The order of passes: every list of passes that a graph goes through, by name, and what runs a list.

A graph is simplified three times: after its emission, which makes the graph that users see; for
`inlined_graph`, where calls give way to bodies that are simplified one by one; and before it runs. The profiling
executor makes graphs for the inputs of a call in phases of its own.
The names are those of `tsc compile --print-after`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from tsc.compiler.ir import Function, Graph, verify
from tsc.compiler.passes import PASSES
from tsc.compiler.passes.canonicalize_ops import NumberOf
from tsc.compiler.passes.inline_small_calls import Optimized
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.passes.watched_runs import is_watched, watched_run
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import CompileError, Stage, codes
from tsc.compiler.value_classes import value_class

EMISSION: Final = ("emit", "convert_to_ssa")
"""The steps from the tree of a definition to a graph in SSA; they are no passes."""

AFTER_EMISSION: Final = (
    "canonicalize_modified_loops",
    "normalize_ops",
    "lift_forks",
    "lower_simple_tuples",
    "propagate_constants",
    "pool_constants",
    "canonicalize_outputs",
    "annotate_warns",
)
"""From SSA to the graph that users see, in PyTorch's order."""

INLINED: Final = ("inline",)
"""For `inlined_graph`."""

INLINED_BODY: Final = ("peephole", "propagate_constants", "pool_constants")
"""For each body that `inline` puts in the place of a call, once nothing is called in it any more."""

BEFORE_RUNNING: Final = (
    "inline_small_calls",
    "scalarize_objects",
    "canonicalize_ops",
    "peephole",
    "propagate_constants",
    "peephole",
    "eliminate_dead_code",
)
"""For the graph that runs; what users have registered follows. What types decide in the bodies of calls (`stride is
None`) is known before constants are propagated, which takes the other branches out.
"""

WITH_TYPES: Final = ("keep_types",)
"""After these, where a program asks what its containers hold. The pass is the runtime's."""


REQUIRED: Final = ("specialize_autogradzero", "lower_grad_of", "remove_expands")
"""For a graph that is made for some inputs, whose types are specialized before: what it must go through."""

PROPAGATION: Final = ("propagate_constants", "peephole", "peephole_tensors", "refine_tuple_types")
"""What follows from types. Shapes of inner values are not inferred from those of the inputs here, though
`propagate_input_shapes` could: that tries each operator some times, which makes first calls of small programs 1.3 to
1.8 times slower, and the first run tells more.
"""

BATCHING: Final = ("unroll_constant_loops", "batch_mm")
"""Before the first run, so that it computes as all others do: batched products may round otherwise."""

PROFILING: Final = ("insert_profile_nodes",)
"""For the first run, which looks at what tensors there are."""

GUARDING: Final = ("insert_guards", "eliminate_redundant_guards", "insert_bailouts")
"""For the runs after it, which assume that they are alike."""

DERIVATIVE_PRESERVING: Final = (
    "eliminate_dead_code",
    "eliminate_common_subexpressions",
    "pool_constants",
    "peephole",
    "peephole_tensors",
    "unroll_constant_loops",
)
"""What computes the same by other operators, which have gradients if those had. Loops that turn an unknown number of
times stay as they are: Python counts their turns at no cost, and eight turns in one would have to be compiled.
"""

FUSION: Final = ("fuse_graph", "guard_fusion_groups")
"""For the graph that a Python function is made of, where there can be native code."""

DIFFERENTIATION: Final = ("create_autodiff_subgraphs",)
"""After these, where a gradient is needed: groups of nodes whose gradients are graphs as well."""


def step_names() -> tuple[str, ...]:
    """The names of all steps and passes, each once."""
    lists = (EMISSION, AFTER_EMISSION, INLINED, INLINED_BODY, BEFORE_RUNNING, WITH_TYPES)
    return tuple(dict.fromkeys(name for names in lists for name in names))


Observe = Callable[[str, Function, Graph], None]
"""Hears the name of a step or pass, the function, and the function's graph after it."""


def ignore(_name: str, _function: Function, _graph: Graph) -> None:
    """The observer of those who want none."""


@value_class
class Pass:
    """A pass that has all it needs to run."""

    name: str
    run: Callable[[Graph], object]

    def apply(self, graph: Graph) -> object:
        """Run it over a graph; see `jit_log` and `rewritings` for who wants to watch."""
        return watched_run(self.name, self.run, graph) if is_watched() else self.run(graph)


@value_class
class Given:
    """What passes cannot know by themselves, under the names of their keywords.

    ``evaluate`` runs a node on constants; ``number_of`` looks into constant tensors; ``optimized``
    gives the graphs of callees that were optimized before. ``observe`` hears of what is done to the
    bodies that are inlined.
    """

    operators: OperatorTable
    evaluate: Evaluate
    number_of: NumberOf = lambda _constant: None
    optimized: Optimized = lambda _function: None
    observe: Observe = ignore

    def simplify(self, callee: Function, body: Graph) -> None:
        """Makes the body of a function ready to be inlined."""
        run_passes(passes(INLINED_BODY, self), callee, body, self.observe)


_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "canonicalize_modified_loops": ("operators",),
    "canonicalize_ops": ("operators", "number_of"),
    "inline": ("simplify",),
    "inline_small_calls": ("optimized",),
    "normalize_ops": ("operators",),
    "propagate_constants": ("evaluate",),
}
"""The keywords of the passes that have any."""


def passes(names: Sequence[str], given: Given) -> list[Pass]:
    """The passes of a list, with what they are given."""
    return [Pass(name, _bound(name, given)) for name in names]


def _bound(name: str, given: Given) -> Callable[[Graph], object]:
    keywords = {need: getattr(given, need) for need in _NEEDS.get(name, ())}
    return partial(PASSES[name], **keywords) if keywords else PASSES[name]


@dataclass(slots=True)
class Verification:
    """Whether each graph is verified after each pass, as it is in the tests."""

    wanted: bool = False


VERIFICATION: Final = Verification()


def run_passes(
    passes: Iterable[Pass], function: Function, graph: Graph, observe: Observe = ignore
) -> None:
    """Runs passes over ``graph``, one after the other; ``function`` is the one it belongs to.

    What fails unexpectedly says in which pass. ``observe`` sees the graph after each.
    """
    for each in passes:
        with stage(each.name, function):
            each.apply(graph)
            if VERIFICATION.wanted:
                verify(graph)
        observe(each.name, function, graph)


@contextmanager
def stage(name: str, function: Function) -> Generator[None]:
    """One step or pass: what fails unexpectedly in it says where it was."""
    with Stage(name, f"function '{function.qualified_name}'"):
        try:
            yield
        except RecursionError:
            raise nested_too_deeply(function) from None


def nested_too_deeply(function: Function) -> CompileError:
    """What to say of a function in which even `deep_recursion` comes to its end."""
    return CompileError(
        f"function '{function.name}' is nested too deeply to compile",
        function.range,
        code=codes.NESTED_TOO_DEEPLY,
        hint="split the innermost blocks or expressions off into functions of their own",
    )
