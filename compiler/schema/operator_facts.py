"""What is to be known of an operator apart from its schema and its kernel.

Each fact stands where the operator is declared. Passes, the executor and code generators ask the
record; none of them keeps a table of names.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, TypedDict

from tsc.compiler.schema.row_expression import RowExpression
from tsc.compiler.schema.scalar_expression import ScalarExpression


class Effects(Enum):
    """What an operator does, or depends on, beyond its arguments. What it writes to them, its
    schema tells.
    """

    PURE = "pure"
    """The same arguments give the same results, and nothing else happens."""
    RANDOM = "random"
    """It draws random numbers: the same arguments may give other results."""
    RANDOM_IN_TRAINING = "random in training"
    """It draws random numbers unless its argument ``train`` is False."""
    SIDE_EFFECT = "side effect"
    """It must run as often as the program says, whether or not anybody uses its results."""


class Aliasing(Enum):
    """Where memory is shared or written in a way that the schema does not tell."""

    READS_LIST = "reads list"
    """Nothing of the list it is given is found in its results, or anywhere, afterwards."""
    WRITES_STATISTICS = "writes statistics"
    """While training (argument 5), it writes to the running statistics (arguments 3 and 4)."""
    LETS_OTHERS_RUN = "lets others run"
    """Forked functions go on in the meantime, and may write to whatever they were given."""


class Layout(Enum):
    """How a result lies in memory. Results of fewer than two dimensions have no choice."""

    ROW_MAJOR = "row major"
    """The last dimension is innermost, whatever the operands are like."""
    AS_FIRST = "as first"
    """As the first operand lies."""
    AS_OPERANDS = "as operands"
    """In the order of dimensions that the operands, taken together, suggest."""
    AS_IMAGE = "as image"
    """Channels are innermost where they are in the first operand."""
    AS_IMAGES = "as images"
    """Channels are innermost where they are in the images, or in the kernels of a convolution."""
    AS_SEQUENCES = "as sequences"
    """As images of one row."""
    AS_QUERIES = "as queries"
    """As the queries of an attention, where their heads can be attended to in place."""
    COLUMN_MAJOR = "column major"
    """Of matrices, the rows are innermost: so LAPACK has them."""


class Facts(TypedDict, total=False):
    """The facts that are known before the kernel is loaded; they are kept in the index."""

    effects: Effects
    """By default `PURE` for PyTorch's operators; those that users bring along may do anything."""
    aliasing: Aliasing
    first_name: str
    """Of an operator under a second name: the name that graphs call it by (``aten::abs``)."""


class Details(TypedDict, total=False):
    """The facts that come with the kernel: whoever asks for one has the kernel loaded."""

    expression: ScalarExpression
    """Of a pointwise operator: what it computes of one element of each operand."""
    rows: RowExpression
    """Of an operator that sums rows up, or looks for the largest of their elements: what it computes."""
    layout: Layout
    """How the result lies in memory, where it is not as NumPy has it."""
    fast_form: Callable[[Any], Any]
    """Called with a node: a cheaper kernel that does for it, or None."""
    gradient: str
    """The gradient, as TorchScript text."""
    lowering: Callable[..., Any]
    """What emits native code for a node."""


class Options(Facts, Details, total=False):
    """All that may be told where an operator is declared."""
