"""The log of passes and analyses: which files write what, by ``TSC_JIT_LOG_LEVEL`` or ``PYTORCH_JIT_LOG_LEVEL``.

The variable names files, with colons between them: ``dead_code_elimination:>alias_analysis``. A file writes whole
graphs (DUMP) and each rewriting (UPDATE), with ``>`` in front also what helps to debug it (DEBUG). Names are those of
our files or of PyTorch's, with or without ``.py`` or ``.cpp``. Without the variable, all that is left is one test.
"""

from __future__ import annotations

import os
import sys
from enum import IntEnum
from typing import Final

PYTORCHS_FILES: Final[dict[str, tuple[str, ...]]] = {
    "alias_analysis": ("alias_db",),
    "bailout_graph": ("bailout_graph", "insert_bailouts"),
    "common_subexpression_elimination": ("eliminate_common_subexpressions",),
    "constant_pooling": ("pool_constants",),
    "constant_propagation": ("propagate_constants", "propagate_all_constants"),
    "dead_code_elimination": ("eliminate_dead_code",),
    "device_type_analysis": ("propagate_device",),
    "dtype_analysis": ("propagate_dtype",),
    "exit_transforms": ("convert_to_ssa",),
    "frozen_concat_linear": ("concat_frozen_linear",),
    "frozen_conv_folding": (
        "fold_frozen_conv_bn",
        "fold_frozen_conv_add_or_sub",
        "fold_frozen_conv_mul_or_div",
    ),
    "frozen_linear_folding": ("fold_frozen_linear_bn",),
    "guard_elimination": ("eliminate_redundant_guards",),
    "inliner": ("inline", "inline_small_calls"),
    "loop_unrolling": ("unroll_loops", "unroll_constant_loops"),
    "lower_tuples": ("lower_simple_tuples", "lower_all_tuples"),
    "peephole": ("peephole", "peephole_tensors"),
    "profiling_graph_executor_impl": ("profiling_executor", "phases"),
    "profiling_record": ("insert_profile_nodes",),
    "restore_mutation": ("functional_to_inplace_activation", "inplace_to_functional_activation"),
    "shape_analysis": ("propagate_input_shapes", "complete_shape_analysis"),
    "subgraph_rewrite": ("replace_pattern",),
    "symbolic_shape_analysis": ("propagate_shapes_on_graph",),
}
"""What PyTorch's files are called, where ours are called otherwise; passes have the names of their files."""


class Level(IntEnum):
    """What is written, from the coarsest to the finest."""

    DUMP = 1
    UPDATE = 2
    DEBUG = 3


def own_files(name: str) -> tuple[str, ...]:
    """The files that a name stands for, without their endings."""
    stem = os.path.basename(name).removesuffix(".py").removesuffix(".cpp")  # noqa: PTH119  what starts fast
    return PYTORCHS_FILES.get(stem, (stem,))


def of_environment(name: str) -> list[str]:
    """The parts of a variable of ours and of PyTorch's."""
    texts = (os.environ.get(f"{prefix}_JIT_{name}", "") for prefix in ("TSC", "PYTORCH"))
    return [part.strip() for text in texts for part in text.split(":") if part.strip()]


def verbosity_of_types() -> int:
    """How much graphs tell of types, by ``TSC_JIT_TYPE_VERBOSITY`` or ``PYTORCH_JIT_TYPE_VERBOSITY``.

    0: nothing; 1: types and sizes; 2: strides, too; 3: devices and gradients, too, as without the variable.
    """
    given = of_environment("TYPE_VERBOSITY")
    return int(given[0]) if given and given[0] in ("0", "1", "2") else 3


class JitLog:
    """The levels of files, by name; ``active`` if there are any."""

    __slots__ = ("active", "levels")

    def __init__(self, files: list[str]) -> None:
        self.levels: dict[str, Level] = {}
        for each in files:
            level = Level.DEBUG if each.startswith(">") else Level.UPDATE
            self.levels |= dict.fromkeys(own_files(each.lstrip(">")), level)
        self.active = bool(self.levels)

    def wants(self, file: str, level: Level) -> bool:
        """Whether a file writes at a level."""
        return self.levels.get(file, 0) >= level

    def write(self, file: str, level: Level, text: object, line: int) -> None:
        """Write a text, line for line, if the file writes at a level; ``line`` is that of the file."""
        if not self.wants(file, level):
            return
        prefix = f"[{level.name} {file}.py:{line:03}] "
        sys.stderr.write("".join(f"{prefix}{each}\n" for each in str(text).splitlines()))


LOG: Final = JitLog(of_environment("LOG_LEVEL"))
"""The log of this process."""
