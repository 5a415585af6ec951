"""Regions as functions that Python calls: what is made of a graph, and what becomes of its errors."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final

from tsc.compiler.ir import Graph, Value, constant_value, is_constant, prim
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.hooks import code_making
from tsc.runtime.execution.node_kernels import kernel_of
from tsc.runtime.execution.tracebacks import located
from tsc.runtime.native.code.interpreter import builtin_function
from tsc.runtime.native.code.memory_pool import memory_symbols
from tsc.runtime.native.code.object_code import found, kept, loaded
from tsc.runtime.native.code.symbols import math_symbols, object_symbols
from tsc.runtime.native.regions.attribute_names import attribute_symbols
from tsc.runtime.native.regions.called_kernels import KernelFailed, called_kernels
from tsc.runtime.native.regions.named_tuples import named_tuple_symbols, order_of_named_tuples
from tsc.runtime.native.regions.number_operators import LIBRARY
from tsc.runtime.native.regions.region_exits import ENTRY, FREE_STEPS, NumberedGraph
from tsc.runtime.native.regions.tensor_forms import TensorSpec
from tsc.runtime.native.regions.tensor_specs import (
    GUARD,
    GuardFailed,
    code_conditions,
    tensor_symbols,
)

_KIND: Final = "region"


class Left(Exception):
    """A region was left at a place: the number of it, and the values of what is read there."""


class Region:
    """Native code of a graph."""

    def __init__(
        self, numbered: NumberedGraph, content: bytes, tensors: Sequence[TensorSpec]
    ) -> None:
        """With what was made of the graph, a line with the exits, and the object code; and for what tensors."""
        exits, code = content.split(b"\n", 1)
        self._loop = numbered.graph.find_node(prim.Loop)
        self._exits = numbered.read(exits.decode())
        self._steps = array("q", [FREE_STEPS, 0])
        self._address = self._steps.buffer_info()[0]
        classes = named_tuple_symbols(numbered.graph)
        names = attribute_symbols(numbered.graph)
        self._kernels = called_kernels(numbered.graph)
        objects = object_symbols(left=Left, **tensor_symbols(), **classes, **names, **self._kernels)
        self._library = loaded(code, {**objects, **math_symbols(LIBRARY), **memory_symbols()})
        self._entry = builtin_function(self._library.address(ENTRY))

    def run(self, *inputs: Any) -> Any:
        """The single output, or a tuple of several."""
        try:
            return self._entry(self._address, None, *inputs)
        except Left as left:
            failure = left
        except KernelFailed as failed:
            error, node = failed.args
            raise located(error, [("", node)]) from error
        return self._fail(*failure.args)

    def run_metered(
        self, take: Callable[[], int], give_back: Callable[[int], None], *inputs: Any
    ) -> Any:
        """The same, where each turn of a loop is a step that `take` gives; what is left is given back."""
        steps = array("q", [0])

        def refill() -> None:
            steps[0] = take()

        try:
            refill()
            return self._entry(steps.buffer_info()[0], refill, *inputs)
        except Left as left:
            failure = left
        except KernelFailed as failed:
            error, node = failed.args
            raise located(error, [("", node)]) from error
        except ScriptError as error:  # a limit is reached, in some turn of the loop
            raise located(error, [("", self._loop)] if self._loop else ()) from None
        finally:
            give_back(max(steps[0], 0))
        return self._fail(*failure.args)

    def _fail(self, number: int, *operands: Any) -> None:
        """Have the interpreter run what could not be done; it raises the error."""
        if number == GUARD:
            raise GuardFailed
        exit = self._exits[number]
        known: dict[Value, Any] = dict(zip(exit.operands, operands))
        for node in exit.nodes:
            values = [_value(value, known) for value in node.inputs]
            try:
                result = kernel_of(node)(*values)
            except Exception as error:
                raise located(error, [("", node)]) from error
            results: Sequence[Any] = (result,) if len(node.outputs) == 1 else result or ()
            known.update(zip(node.outputs, results))
        raise AssertionError(f"{exit.nodes[-1].kind} raised nothing where it was to fail")


def _value(value: Value, known: dict[Value, Any]) -> Any:
    return constant_value(value) if is_constant(value) else known.get(value)


def known_region(graph: Graph, tensors: Sequence[TensorSpec] = ()) -> Region | None:
    """The code of a graph for tensors of these dtypes and ranks, if it was made before."""
    numbered = NumberedGraph(graph.copy())
    content = found(_KIND, _source(numbered, tensors))
    return None if content is None else Region(numbered, content, tensors)


def made_region(graph: Graph, tensors: Sequence[TensorSpec] = ()) -> Region:
    """The same, made if need be. Raises `NodeNotNative` where there is none."""
    numbered = NumberedGraph(graph.copy())
    content = kept(_KIND, _source(numbered, tensors), lambda: _made(numbered, tensors))
    return Region(numbered, content, tensors)


def _source(numbered: NumberedGraph, tensors: Sequence[TensorSpec]) -> str:
    tuples = order_of_named_tuples(numbered.graph)
    return f"{numbered.text}\n{tuples}\n{code_conditions(tensors)}"


def _made(numbered: NumberedGraph, tensors: Sequence[TensorSpec]) -> bytes:
    text, exits = code_making().region(numbered.graph, tensors)
    code = code_making().module(text).object_code()
    return b"%b\n%b" % (numbered.written(exits).encode(), code)
