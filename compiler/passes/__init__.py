"""Transformations of graphs, one a file: a function that returns whether it changed the graph.

May import ``analysis``, ``printing``, ``ir`` and below. What a pass cannot know by itself, such as
operators or how to run one, it is given by keyword.
"""

from collections.abc import Callable
from typing import Final

from tsc.compiler.passes.annotate_warns import annotate_warns
from tsc.compiler.passes.canonicalize_modified_loops import canonicalize_modified_loops
from tsc.compiler.passes.canonicalize_ops import canonicalize_ops
from tsc.compiler.passes.canonicalize_outputs import canonicalize_outputs
from tsc.compiler.passes.eliminate_common_subexpressions import eliminate_common_subexpressions
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.inline import inline
from tsc.compiler.passes.inline_small_calls import inline_small_calls
from tsc.compiler.passes.lift_forks import lift_forks
from tsc.compiler.passes.lower_simple_tuples import lower_simple_tuples
from tsc.compiler.passes.normalize_ops import normalize_ops
from tsc.compiler.passes.peephole import peephole
from tsc.compiler.passes.pool_constants import pool_constants
from tsc.compiler.passes.propagate_constants import propagate_constants
from tsc.compiler.passes.scalarize_objects import scalarize_objects

PASSES: Final[dict[str, Callable[..., bool]]] = {
    "annotate_warns": annotate_warns,
    "canonicalize_modified_loops": canonicalize_modified_loops,
    "canonicalize_ops": canonicalize_ops,
    "canonicalize_outputs": canonicalize_outputs,
    "eliminate_common_subexpressions": eliminate_common_subexpressions,
    "eliminate_dead_code": eliminate_dead_code,
    "inline": inline,
    "inline_small_calls": inline_small_calls,
    "lift_forks": lift_forks,
    "lower_simple_tuples": lower_simple_tuples,
    "normalize_ops": normalize_ops,
    "peephole": peephole,
    "pool_constants": pool_constants,
    "propagate_constants": propagate_constants,
    "scalarize_objects": scalarize_objects,
}
"""Every pass by its name."""
