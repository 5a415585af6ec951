"""What a program reaches: compiled when it is asked for, as `torch.jit.script` does with a function.

A function is compiled when its schema is needed, so that compiling one compiles what it calls. Of a
class, PyTorch compiles all methods as soon as a program meets it; this is where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from tsc.compiler.ir import Function, callee_of
from tsc.compiler.ir.function import CALLS
from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection
from tsc.compiler.types import ClassType, Type


class Reach:
    """The functions of one program that compile with all that they reach: each is looked at once."""

    __slots__ = ("_whole",)

    def __init__(self) -> None:
        self._whole: set[Function] = set()

    @deep_recursion()
    @rare_garbage_collection()
    def define(self, functions: Iterable[Function]) -> None:
        """Compile functions, what they call, and every method of the classes that they meet.

        Raises `CompileError` for the first problem, also at every further ask for what reaches it.
        """
        reached: set[Function] = set()
        types: dict[int, Type] = {}
        pending = [*functions][::-1]
        while pending:
            function = pending.pop()
            if function in reached or function in self._whole:
                continue
            reached.add(function)
            function.ensure_defined()
            pending += [*_called(function), *_methods_met(function, types)][::-1]
        self._whole |= reached


def _called(function: Function) -> Iterator[Function]:
    calls = (callee_of(node) for node in function.graph.all_nodes() if node.kind in CALLS)
    return filter(None, calls)


def _methods_met(function: Function, known: dict[int, Type]) -> Iterator[Function]:
    """The methods of the classes in the types of a graph that are not ``known`` yet, by identity."""
    pending = [each.type for each in function.graph.inputs]
    pending += [output.type for node in function.graph.all_nodes() for output in node.outputs]
    while pending:
        type = pending.pop()
        if id(type) in known:
            continue
        known[id(type)] = type
        pending += type.contained
        if isinstance(type, ClassType) and not type.is_module:
            pending += [attribute.type for attribute in type.attributes.values()]
            yield from methods_of_class(type)


def methods_of_class(type: ClassType) -> Iterator[Function]:
    """The methods of a class, static ones included."""
    return iter(cast("list[Function]", [*type.methods.values(), *type.static_methods.values()]))
