"""Graph, Block, Node, Value and what keeps them right. May import ``schema`` and below."""

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.call_stack import InlinedCall
from tsc.compiler.ir.constants import (
    NOT_CONSTANT,
    ConstantText,
    NotConstant,
    OpaqueConstant,
    constant_value,
    infer_constant_type,
    is_constant,
)
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.function import (
    CALLS,
    DEFINING,
    MANGLED,
    Executable,
    Function,
    RecursiveDefinition,
    arguments_of,
    called_function,
    callee_of,
    insert_function_constant,
    set_executable_maker,
)
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.inline import inline_call, inline_function_call, insert_graph
from tsc.compiler.ir.ir_parser import parse_ir
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.scope import Scope
from tsc.compiler.ir.symbols import aten, prim
from tsc.compiler.ir.user_places import user_place
from tsc.compiler.ir.value import Use, Value
from tsc.compiler.ir.verify import InvalidGraph, verify
from tsc.compiler.ir.views import MAX_TRIP_COUNT, IfView, LoopKind, LoopView

__all__ = [
    "CALLS",
    "DEFINING",
    "MANGLED",
    "MAX_TRIP_COUNT",
    "NOT_CONSTANT",
    "Block",
    "ConstantText",
    "Executable",
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
    "set_executable_maker",
    "user_place",
    "verify",
]
