"""What ``break`` and ``continue`` would leave."""

from enum import Enum, auto

from compiler.frontend.tree_views import Break, If, Stmt, With


class LoopStatus(Enum):
    """Whether the statement being emitted is in a loop, and of what sort."""

    NOT_IN_LOOP = auto()
    IN_LOOP = auto()
    IN_UNROLLED_LOOP = auto()


def has_break(tree: Stmt) -> bool:
    """Whether a statement of a loop's body may leave the loop."""
    if isinstance(tree, If):
        return any(map(has_break, (*tree.true_branch, *tree.false_branch)))
    if isinstance(tree, With):
        return any(map(has_break, tree.body))
    return isinstance(tree, Break)
