"""Functions: a qualified name, a schema and a graph that is defined when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Protocol

from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.symbols import prim
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, ExtensionUse, FollowUp, SourceRange
from tsc.compiler.types import ClassType, FunctionType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tsc.compiler.ir.node import Node
    from tsc.compiler.ir.value import Value
    from tsc.compiler.schema import FunctionSchema


MANGLED: Final = "___torch_mangle_"
"""In front of the number that is put before the last part of a name to tell it from another one."""


DEFINING: Final = RLock()
"""Held while functions are declared and defined, and while what runs is made of them: another thread that needs
one waits for it. There is one lock, since functions need each other in any order.
"""


class RecursiveDefinition(GraphError):
    """A function's graph was asked for while it was being defined."""


class Executable(Protocol):
    """A function that can be run."""

    def run(self, inputs: Sequence[Any]) -> Any:
        """The single output, or a tuple of several."""
        ...


_executable_makers: list[Callable[[Function], Executable]] = []


def set_executable_maker(make: Callable[[Function], Executable]) -> None:
    """For ``runtime.execution``, which stands above the compiler: what `Function.executable` is made by."""
    _executable_makers[:] = [make]


class Function:
    """``define`` is called once, when schema or graph are first needed; it must set both.

    If it raises what is wrong with the program, that is kept, and raised at every further ask; unless it
    ``may_be_mended``, as live Python may, and is defined anew. ``before``
    gives functions that had better be defined first; what is wrong with them is theirs to say.
    With ``declare``, which gives the schema, ``define`` is called for the graph alone.
    ``extensions`` are those of PyTorch's language that its definition uses.
    """

    __slots__ = (
        "_before",
        "_being_defined",
        "_declare",
        "_define",
        "_executable",
        "_failure",
        "_graph",
        "_may_be_mended",
        "_schema",
        "extensions",
        "qualified_name",
        "range",
    )

    def __init__(
        self,
        qualified_name: str,
        define: Callable[[Function], None] | None = None,
        *,
        graph: Graph | None = None,
        schema: FunctionSchema | None = None,
        declare: Callable[[Function], FunctionSchema] | None = None,
        before: Callable[[], Iterable[Function]] | None = None,
        may_be_mended: bool = False,
        range: SourceRange = UNKNOWN_RANGE,
    ) -> None:
        self.qualified_name = qualified_name
        self.range = range
        self._define = define
        self._declare = declare
        self._before = before
        self._failure: CompileError | None = None
        self._may_be_mended = may_be_mended
        self._graph = graph
        self._schema = schema
        self._being_defined = False
        self.extensions: tuple[ExtensionUse, ...] = ()
        self._executable: Executable | None = None

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualified_name.rpartition(".")[2]

    @property
    def is_defined(self) -> bool:
        return self._graph is not None

    @property
    def is_being_defined(self) -> bool:
        return self._being_defined

    @property
    def has_definition(self) -> bool:
        """Whether there is a graph, or a way to make one."""
        return self._graph is not None or self._define is not None

    def ensure_defined(self) -> None:
        """Defines the function if that is still to be done."""
        if self._define is None:
            return
        with DEFINING:
            self._ensure_defined()

    def _ensure_defined(self) -> None:
        if self._being_defined:
            raise RecursiveDefinition(
                f"function '{self.name}' is called recursively. Recursive calls are not supported"
            )
        self._define_those_before()
        if self._define is None:
            return
        if self._failure is not None:
            raise self._failure.again()
        self._being_defined = True
        try:
            self._define(self)
            self._define = None
        except CompileError as failure:
            if not self._may_be_mended:
                self._failure = failure.again()
            raise
        finally:
            self._being_defined = False

    def _define_those_before(self) -> None:
        """Once only, and not as a part of this definition, which any of them may ask for."""
        if self._before is None:
            return
        before, self._before = self._before, None
        for each in before():
            with suppress(CompileError, FollowUp):
                each.ensure_defined()

    @property
    def graph(self) -> Graph:
        if self._define is not None:
            with DEFINING:
                if self._graph is None or not self._being_defined:
                    self._ensure_defined()
        if self._graph is None:
            raise GraphError(f"function '{self.name}' has no definition")
        return self._graph

    @graph.setter
    def graph(self, graph: Graph) -> None:
        self._graph = graph

    @property
    def schema(self) -> FunctionSchema:
        if self._schema is not None and not self._being_defined:
            return self._schema
        with DEFINING:
            if self._schema is None and self._declare is not None:
                self._schema = self._declare(self)
            if self._schema is None:
                self.ensure_defined()
            if self._schema is None:
                raise GraphError(f"function '{self.name}' has no schema")
            return self._schema

    @schema.setter
    def schema(self, schema: FunctionSchema) -> None:
        self._schema = schema

    @property
    def executable(self) -> Executable:
        """What the runtime makes of the function when it is first run; needs ``runtime.execution``."""
        if self._executable is None:
            with DEFINING:
                if self._executable is None:
                    self._executable = _executable_makers[0](self)
        return self._executable

    def run(self, inputs: Sequence[Any]) -> Any:
        """The result of a call: the single output, or a tuple of several."""
        return self.executable.run(inputs)

    def __repr__(self) -> str:
        return f"<Function {self.qualified_name}>"


def insert_function_constant(
    graph: Graph, function: Function, range: SourceRange | None = None
) -> Value:
    """The constant that prim::CallFunction takes first."""
    node = graph.insert_node(graph.create(prim.Constant, range=range))
    node.set_attribute("name", function.name)
    return node.output.set_type(FunctionType(function))


def called_function(callee: Value) -> Function | None:
    """The function that the first input of a prim::CallFunction stands for."""
    type = callee.type
    if isinstance(type, FunctionType) and isinstance(type.function, Function):
        return type.function
    return None


CALLS: Final = (prim.CallFunction, prim.CallMethod)
"""The kinds of nodes that call functions of the program."""


def callee_of(call: Node) -> Function | None:
    """The function that a node calls; None if that is only known when the program runs."""
    if call.kind == prim.CallFunction:
        return called_function(call.inputs[0])
    owner = call.inputs[0].type
    if call.kind != prim.CallMethod or not isinstance(owner, ClassType):
        return None
    method = owner.methods.get(call.string_attribute("name"))
    return method if isinstance(method, Function) else None


def arguments_of(call: Node) -> Sequence[Value]:
    """What a node passes to the function that it calls."""
    return call.inputs[1:] if call.kind == prim.CallFunction else call.inputs
