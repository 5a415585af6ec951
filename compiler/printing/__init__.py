"""Printers: graph text, tree text and Python source. May import ``ir`` and below.

The printers of Python source (``python_printer``, ``python_classes``) are imported where they are used:
running a program needs none of them.
"""

from tsc.compiler.printing.graph_printer import print_graph, print_node

__all__ = ["print_graph", "print_node"]
