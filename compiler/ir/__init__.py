"""Graph, Block, Node, Value and what keeps them right. May import ``schema`` and below."""

from compiler.ir.block import Block
from compiler.ir.call_stack import InlinedCall
from compiler.ir.constants import (
    NOT_CONSTANT,
    ConstantText,
    NotConstant,
    OpaqueConstant,
    constant_value,
    infer_constant_type,
    is_constant,
)
from compiler.ir.errors import GraphError
from compiler.ir.function import (
    CALLS,
    DEFINING,
    MANGLED,
    Function,
    RecursiveDefinition,
    arguments_of,
    called_function,
    callee_of,
    insert_function_constant,
)
from compiler.ir.graph import Graph
from compiler.ir.inline import inline_call, inline_function_call, insert_graph
from compiler.ir.ir_parser import parse_ir
from compiler.ir.node import Node
from compiler.ir.scope import Scope
from compiler.ir.symbols import aten, prim
from compiler.ir.value import Use, Value
from compiler.ir.verify import InvalidGraph, verify
from compiler.ir.views import MAX_TRIP_COUNT, IfView, LoopKind, LoopView

__all__ = [
    "CALLS",
    "DEFINING",
    "MANGLED",
    "MAX_TRIP_COUNT",
    "NOT_CONSTANT",
    "Block",
    "ConstantText",
    "Function",
    "Graph",
    "GraphError",
    "IfView",
    "InlinedCall",
    "InvalidGraph",
    "LoopKind",
    "LoopView",
    "Node",
    "NotConstant",
    "OpaqueConstant",
    "RecursiveDefinition",
    "Scope",
    "Use",
    "Value",
    "aten",
    "arguments_of",
    "called_function",
    "callee_of",
    "constant_value",
    "infer_constant_type",
    "inline_call",
    "inline_function_call",
    "insert_function_constant",
    "insert_graph",
    "is_constant",
    "parse_ir",
    "prim",
    "verify",
]
