"""Every pass by its name: which file it is in, what PyTorch calls it, and what it takes.

The passes of the compiler's own pipelines are imported with it; any other one is when it is first asked for.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable
from typing import Final

from tsc.compiler.passes import PASSES
from tsc.compiler.source import UsageError

OTHER_PASSES: Final = (
    "batch_mm",
    "canonicalize",
    "canonicalize_graph_fuser_ops",
    "complete_shape_analysis",
    "concat_frozen_linear",
    "create_autodiff_subgraphs",
    "create_functional_graphs",
    "create_native_groups",
    "decompose_ops",
    "eliminate_redundant_guards",
    "erase_number_types",
    "erase_shape_information",
    "fold_frozen_conv_add_or_sub",
    "fold_frozen_conv_bn",
    "fold_frozen_conv_mul_or_div",
    "fold_frozen_linear_bn",
    "fork_independent_calls",
    "functional_to_inplace_activation",
    "fuse_add_relu",
    "fuse_addmm",
    "fuse_graph",
    "fuse_linear",
    "guard_fusion_groups",
    "inline_autodiff_subgraphs",
    "inline_fork_wait",
    "inline_functional_graphs",
    "inplace_to_functional_activation",
    "insert_bailouts",
    "insert_guards",
    "insert_profile_nodes",
    "loop_invariant_motion",
    "lower_all_tuples",
    "lower_grad_of",
    "peephole_list_idioms",
    "peephole_tensors",
    "propagate_all_constants",
    "propagate_device",
    "propagate_dtype",
    "propagate_input_shapes",
    "propagate_shapes_on_graph",
    "refine_integer_values",
    "refine_tuple_types",
    "remove_dropout",
    "remove_expands",
    "remove_inplace_ops",
    "remove_mutation",
    "replace_pattern",
    "specialize_autogradzero",
    "transpose_frozen_linear",
    "unroll_constant_loops",
    "unroll_loops",
)
"""Passes that no pipeline of the compiler runs. A file of this room has the name of each, and its function."""

PYTORCHS_NAMES: Final[dict[str, str]] = {
    "constant_loop_unrolling": "unroll_constant_loops",
    "constant_propagation": "propagate_all_constants",
    "constant_pooling": "pool_constants",
    "constant_propagation_immutable_types": "propagate_constants",
    "cse": "eliminate_common_subexpressions",
    "dce": "eliminate_dead_code",
    "dce_graph": "eliminate_dead_code",
    "integer_value_refinement": "refine_integer_values",
    "loop_unrolling": "unroll_loops",
}
"""What PyTorch calls passes in Python (after ``_jit_pass_``), where that is not our name."""


def pass_names() -> tuple[str, ...]:
    """The names of all passes, sorted."""
    return tuple(sorted({*PASSES, *OTHER_PASSES}))


def pass_function(name: str) -> Callable[..., bool]:
    """The pass of a name, ours or PyTorch's.

    Raises UsageError, with the closest name, for one that does not exist.
    """
    own = own_name(name)
    if own in PASSES:
        return PASSES[own]
    if own in OTHER_PASSES:
        return getattr(importlib.import_module(f"tsc.compiler.passes.{own}"), own)
    raise UsageError(f"no pass is called {name!r}{_suggestion(name)}")


def own_name(name: str) -> str:
    """Our name of a pass that PyTorch's is given for."""
    plain = name.removeprefix("_jit_pass_")
    return PYTORCHS_NAMES.get(plain, plain)


def _suggestion(name: str) -> str:
    known = (*pass_names(), *PYTORCHS_NAMES)
    close = difflib.get_close_matches(own_name(name), known, 1)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(pass_names())}"


def pytorchs_names_of(name: str) -> tuple[str, ...]:
    """What else PyTorch calls a pass in Python."""
    return tuple(theirs for theirs, ours in PYTORCHS_NAMES.items() if ours == name != theirs)


def keywords_of(run: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """What a pass takes beside the graph: its options, and what it must be given."""
    _graph, *others = inspect.signature(run).parameters.values()
    return {each.name: each for each in others}


def summary_of(run: Callable[..., object]) -> str:
    """The first sentence of the module that a pass is in."""
    text = inspect.getdoc(inspect.getmodule(run)) or ""
    return " ".join(text.partition("\n\n")[0].split())
