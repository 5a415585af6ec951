"""``torch.autograd.profiler.record_function``: a block of a program under a name, which nobody measures here.

Programs have it for measurements of PyTorch; they run as they would without it. Its class has PyTorch's name and
methods, but for the record itself, which is an object of C++.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Function, Graph, Value, prim
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.types import (
    ANY,
    BOOL,
    NONE,
    STRING,
    ClassAttribute,
    ClassType,
    OptionalType,
    Type,
)

PATHS: Final = ("torch.autograd.profiler.record_function", "torch.profiler.record_function")
RECORD_FUNCTION: Final = ClassType("__torch__.torch.autograd.profiler.record_function")


def _method(name: str, result: Type, *arguments: Argument) -> Graph:
    """A method whose graph has no body yet."""
    every = (Argument.of("self", RECORD_FUNCTION), *arguments)
    schema = FunctionSchema(name, "", every, (Argument.of("", result),))
    graph = Graph()
    for each in every:
        graph.add_input(each.name, each.type)
    qualified_name = f"{RECORD_FUNCTION.qualified_name}.{name}"
    RECORD_FUNCTION.methods[name] = Function(qualified_name, graph=graph, schema=schema)
    return graph


def _set(graph: Graph, attribute: str, value: Value) -> None:
    node = graph.create(prim.SetAttr, [graph.inputs[0], value], 0)
    graph.insert_node(node).set_attribute("name", attribute)


def _declare() -> None:
    attributes: dict[str, Type] = {
        "name": STRING,
        "args": OptionalType(STRING),
        "run_callbacks_on_exit": BOOL,
    }
    for attribute, type in attributes.items():
        RECORD_FUNCTION.add_attribute(ClassAttribute(attribute, type))
    name = Argument.of("name", STRING)
    arguments = Argument.of("args", attributes["args"], default=None)
    init = _method("__init__", NONE, name, arguments)
    _set(init, "name", init.inputs[1])
    _set(init, "args", init.inputs[2])
    _set(init, "run_callbacks_on_exit", init.insert_constant(True))
    init.register_output(init.insert_constant(None))
    enter = _method("__enter__", RECORD_FUNCTION)
    enter.register_output(enter.inputs[0])
    exit = _method(
        "__exit__",
        NONE,
        *(Argument.of(each, ANY) for each in ("exc_type", "exc_value", "traceback")),
    )
    exit.register_output(exit.insert_constant(None))


_declare()
