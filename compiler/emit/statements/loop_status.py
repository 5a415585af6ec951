"""``break`` and ``continue``: what they would leave."""

from collections.abc import Iterator, Sequence

from tsc.compiler.frontend.tree_views import Break, Continue, If, Stmt, With
from tsc.compiler.source import CompileError, codes


def has_break(tree: Stmt) -> bool:
    """Whether a statement of a loop's body may leave the loop."""
    if isinstance(tree, If):
        return any(map(has_break, (*tree.true_branch, *tree.false_branch)))
    if isinstance(tree, With):
        return any(map(has_break, tree.body))
    return isinstance(tree, Break)


def jumps_out(statements: Sequence[Stmt]) -> Iterator[Break | Continue]:
    """The jumps that leave a loop around these statements, in the order of the text."""
    for tree in statements:
        if isinstance(tree, Break | Continue):
            yield tree
        elif isinstance(tree, If):
            yield from jumps_out(tree.true_branch)
            yield from jumps_out(tree.false_branch)
        elif isinstance(tree, With):
            yield from jumps_out(tree.body)


def outside_of_loop(tree: Break | Continue) -> CompileError:
    message = f"SyntaxError: '{tree.kind}' outside loop"
    return CompileError(message, tree.range, code=codes.JUMP_OUTSIDE_LOOP)
