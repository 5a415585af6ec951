"""PyTorch's passes, by our names, and what they make of the graphs of the corpus.

``python -m tests.oracle.graph_passes`` records the texts of what they change, as hashes, under
tests/passes/recorded, where the tests that run without PyTorch read them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

from .apart import apart
from .pass_records import FAILS, StageTexts, ir_graphs, normalized, write_records
from .programs import Program, topics

Pass = Callable[[Any], Any]


def named(name: str, *arguments: Any) -> Pass:
    """A pass of PyTorch that changes a graph in place."""
    run = getattr(torch._C, f"_jit_pass_{name}")
    return lambda graph: run(graph, *arguments)


PASSES: dict[str, Pass] = {
    "batch_mm": named("batch_mm"),
    "canonicalize_graph_fuser_ops": named("canonicalize_graph_fuser_ops"),
    "create_functional_graphs": named("create_functional_graphs"),
    "decompose_ops": named("decompose_ops"),
    "eliminate_common_subexpressions": named("cse"),
    "eliminate_dead_code": named("dce_graph"),
    "erase_number_types": named("erase_number_types"),
    "erase_shape_information": named("erase_shape_information"),
    "functional_to_inplace_activation": named("functional_to_inplace_activation"),
    "fuse_add_relu": named("fuse_add_relu"),
    "fuse_addmm": named("fuse_addmm"),
    "fuse_linear": named("fuse_linear"),
    "inline_fork_wait": named("inline_fork_wait"),
    "inplace_to_functional_activation": named("inplace_to_functional_activation"),
    "lower_all_tuples": named("lower_all_tuples"),
    "peephole": named("peephole"),
    "peephole_list_idioms": named("peephole_list_idioms"),
    "pool_constants": named("constant_pooling"),
    "propagate_constants": named("constant_propagation_immutable_types"),
    "propagate_all_constants": named("constant_propagation"),
    "propagate_device": named("propagate_device"),
    "refine_integer_values": named("refine_integer_values"),
    "refine_tuple_types": named("refine_tuple_types"),
    "remove_expands": named("remove_expands"),
    "remove_inplace_ops": named("remove_inplace_ops"),
    "remove_mutation": named("remove_mutation"),
    "specialize_autogradzero": named("specialize_autogradzero"),
    "unroll_constant_loops": named("constant_loop_unrolling"),
    "unroll_loops": named("loop_unrolling"),
}


def after_passes(graph: Any) -> StageTexts:
    """The normalized text of a graph, and of what passes make of it where they change it."""
    before = normalized(graph)
    texts: dict[str, str] = {}
    for name, run in PASSES.items():
        copy = graph.copy()
        try:
            run(copy)
        except Exception:  # noqa: BLE001  PyTorch fails, as it does on nested forks
            texts[name] = FAILS
            continue
        after = normalized(copy)
        if after != before:
            texts[name] = after
    return StageTexts(before, texts)


def of_program(program: Program) -> Iterator[tuple[str, StageTexts]]:
    """The graphs of each function of a program: as compiled, and inlined."""
    from .pytorch import imported

    warnings.simplefilter("ignore")
    with imported(program, whole=False) as module:
        for name in program.functions:
            try:
                function = torch.jit.script(getattr(module, name))
            except Exception:  # noqa: BLE001  an extension of ours, or an error
                continue
            yield f"{program.key}:{name}", after_passes(function.graph)
            inlined = function.inlined_graph
            if str(inlined) != str(function.graph):
                yield f"{program.key}:{name}:inlined", after_passes(inlined)


def of_topic(topic: str) -> dict[str, StageTexts]:
    found: dict[str, StageTexts] = {}
    for program in topics()[topic]:
        found.update(of_program(program))
    return found


def of_ir_graphs() -> dict[str, StageTexts]:
    """The graphs that are written as IR text."""
    return {key: after_passes(torch._C.parse_ir(text)) for key, text in ir_graphs()}


def all_texts() -> dict[str, StageTexts]:
    found = of_ir_graphs()
    for topic in topics():
        found.update(apart(of_topic, topic))
    return found


if __name__ == "__main__":
    write_records(all_texts())
