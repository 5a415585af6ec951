"""What the IR raises when a graph is broken, or is about to be."""

from tsc.compiler.source import Error


class GraphError(Error):
    """An operation that would break an invariant of the graph, refused."""
