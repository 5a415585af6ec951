"""Printers: graph text, tree text and Python source. May import ``ir`` and below."""

from compiler.printing.graph_printer import print_graph, print_node
from compiler.printing.python_classes import print_classes
from compiler.printing.python_constants import ConstantsTable
from compiler.printing.python_printer import print_python, print_python_graph

__all__ = [
    "ConstantsTable",
    "print_classes",
    "print_graph",
    "print_node",
    "print_python",
    "print_python_graph",
]
