"""Prints functions as Python source, in the form in which PyTorch serializes them.

The source compiles again to the same graph. Every statement of it is a node; what
``python_inlining`` allows goes into the expression that uses it, unless the line would get too
long: then it is assigned to a temporary, together with all that runs before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from tsc.compiler.ir import (
    MANGLED,
    Block,
    Function,
    Graph,
    GraphError,
    IfView,
    LoopView,
    Node,
    Value,
    is_constant,
    prim,
)
from tsc.compiler.ir.views import LoopKind
from tsc.compiler.printing.printed_file import PrintedFile
from tsc.compiler.printing.python_constants import ConstantsTable
from tsc.compiler.printing.python_expressions import ExpressionPrinter
from tsc.compiler.printing.python_inlining import (
    constants_in_order_of_use,
    inlined_nodes,
)
from tsc.compiler.printing.python_names import NameTable
from tsc.compiler.printing.variable_annotations import (
    is_told_by_values,
    needs_annotation,
    told_by_branches,
)
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import SourceRange, Stage
from tsc.compiler.types import ClassType

_LONG_LINE = 40
"""Expressions of this length, indentation included, are assigned instead of inlined."""

Steps = Iterator["Steps"]
"""A printing in progress: it yields those that are to be finished before it goes on.

Blocks nest deeply; Python's own stack does not have to.
"""


def print_python(function: Function, constants: ConstantsTable | None = None) -> str:
    """The source text of ``function``, ending in a newline."""
    graph, schema, name = function.graph, function.schema, _name(function)
    return print_python_graph(
        graph, name, schema, constants, tells_self=not _is_method(function, schema)
    )


def _is_method(function: Function, schema: FunctionSchema) -> bool:
    """Whether a function belongs to the class of its first parameter, which then need not be told."""
    type = schema.arguments[0].type if schema.arguments else None
    return isinstance(type, ClassType) and function in type.methods.values()


def print_method(
    function: Function,
    constants: ConstantsTable | None = None,
    file: PrintedFile | None = None,
) -> str:
    """The source text of a method as it stands in the text of its class."""
    printer = _FunctionPrinter(constants or ConstantsTable(), file, level=1)
    return _printed(printer, function.graph, function.name, function.schema)


def _name(function: Function) -> str:
    """The last part of the qualified name, with the number that tells overloads apart."""
    *_, module, name = ("", *function.qualified_name.split("."))
    return f"{module}_{name}" if module.startswith(MANGLED) else name


def print_python_graph(
    graph: Graph,
    name: str,
    schema: FunctionSchema,
    constants: ConstantsTable | None = None,
    *,
    file: PrintedFile | None = None,
    tells_self: bool = False,
) -> str:
    """``graph`` as a function of that name and schema.

    Tensors and the like are added to ``constants``, and appear as ``CONSTANTS.c0`` and so on. With
    ``tells_self``, the class of a first parameter is told, as it is of functions.
    """
    printer = _FunctionPrinter(constants or ConstantsTable(), file, tells_self=tells_self)
    return _printed(printer, graph, name, schema)


def _printed(printer: _FunctionPrinter, graph: Graph, name: str, schema: FunctionSchema) -> str:
    with Stage("printing", f"function '{name}' as Python source"):
        pending = [printer.function(graph, name, schema)]
        while pending:
            inner = next(pending[-1], None)
            if inner is None:
                pending.pop()
            else:
                pending.append(inner)
    return "".join(printer.lines)


class _FunctionPrinter:
    """Prints one function, and the functions for its forks within it."""

    def __init__(
        self,
        constants: ConstantsTable,
        file: PrintedFile | None = None,
        level: int = 0,
        *,
        tells_self: bool = False,
    ) -> None:
        self.lines: list[str] = []
        self.level = level
        self.tells_self = tells_self or level > 0
        self.constants = constants
        self.file = file or PrintedFile()
        self.names = NameTable(self.file.numbers)
        self.origin: SourceRange | None = None
        self.texts: dict[Value, str] = {}
        self.inlined: set[Node] = set()
        self.split_operands: dict[Node, int] = {}
        self.expressions = ExpressionPrinter(self.text_of, constants)

    # -- Lines and values ---------------------------------------------------------------------

    def line(self, text: str) -> None:
        line = f"{'  ' * self.level}{text}\n"
        self.lines.append(line)
        self.file.add(line, self.origin)

    def text_of(self, value: Value) -> str:
        text = self.texts.get(value)
        if text is None:
            raise GraphError(f"%{value.debug_name} is used before it is defined")
        return text

    def texts_of(self, values: Sequence[Value]) -> str:
        return ", ".join([self.text_of(value) for value in values])

    def name(self, values: Sequence[Value]) -> None:
        """Gives every value a variable of its own."""
        for value in values:
            self.texts[value] = self.names.take_for(value)

    # -- Functions ----------------------------------------------------------------------------

    def function(self, graph: Graph, name: str, schema: FunctionSchema) -> Steps:
        parameters: list[str] = []
        for argument, value in zip(schema.arguments, graph.inputs, strict=True):
            self.texts[value] = self.names.take(argument.name)
            default = ""
            if argument.has_default:
                default = f"={self.constants.text(_whole_default(argument), argument.type)}"
            is_told = parameters or self.tells_self or not isinstance(argument.type, ClassType)
            annotation = f": {argument.type.annotation}" if is_told else ""
            parameters.append(f"{self.texts[value]}{annotation}{default}")
        result = schema.returns[0].type.annotation if schema.returns else "None"
        self.line(f"def {name}({f',{chr(10)}    '.join(parameters)}) -> {result}:")
        yield self.body(graph.block)

    def body(self, body: Block) -> Steps:
        """The constants, then the statements, then the return."""
        constants = constants_in_order_of_use(body)
        self.inlined |= inlined_nodes(body)
        self.level += 1
        for node in constants:
            self.constant(node)
        yield self.block(body, is_followed=bool(body.outputs))
        if body.outputs:
            self.split_long_lines(body.outputs)
            self.line(f"return {self.texts_of(body.outputs)}")
        self.level -= 1

    def constant(self, node: Node) -> None:
        if node.output not in self.texts:
            self.definition(node, self.expressions.expression(node))

    # -- Statements ---------------------------------------------------------------------------

    def block(self, block: Block, is_followed: bool) -> Steps:
        """``is_followed`` says that more statements come, so that no ``pass`` is needed."""
        is_empty = True
        for node in block.nodes():
            is_empty = False
            if node.kind != prim.Constant:
                yield from self.node(node)
        if is_empty and not is_followed:
            self.line("pass")

    def node(self, node: Node) -> Steps:
        self.origin = node.range.original
        self.split_long_lines(node.inputs)
        statement = _STATEMENTS.get(node.kind)
        if statement is None:
            self.definition(node, self.expressions.expression(node))
        else:
            yield from statement(self, node)

    def definition(self, node: Node, expression: str) -> None:
        """Keeps the expression for where it is used, or assigns it now."""
        is_long_constant = node.kind == prim.Constant and self.is_long(expression)
        if node in self.inlined and not is_long_constant:
            self.texts[node.output] = expression
        else:
            self.assign(node, expression)

    def assign(self, node: Node, expression: str) -> None:
        self.name(node.outputs)
        targets = f"{self.texts_of(node.outputs)} = " if node.outputs else ""
        self.line(f"{targets}{expression}")

    def is_long(self, expression: str) -> bool:
        return len(expression) + 2 * self.level >= _LONG_LINE

    def split_long_lines(self, inputs: Sequence[Value]) -> None:
        """Assigns long inputs to temporaries, and before them all that runs before them.

        A long constant is none of them, but splits what stands before it where it is first used.
        """
        for value in inputs:
            if value.node in self.inlined and self.is_long(self.text_of(value)):
                self.split(value)

    def split(self, value: Value) -> None:
        """Inlined operands run from left to right: those to the left of a split one are split too.

        That goes for those of the expression that uses it, and of the one that uses that.
        """
        to_split: list[Value] = []
        use = value.uses[0]
        user, offset = use.node, use.offset
        while True:
            visited = user in self.split_operands
            split_before = self.split_operands.get(user, -1)
            for i in range(offset, split_before, -1):
                if user.inputs[i].node in self.inlined and not is_constant(user.inputs[i]):
                    to_split.append(user.inputs[i])
            self.split_operands[user] = offset
            if visited or user not in self.inlined:
                break
            use = user.output.uses[0]
            user, offset = use.node, use.offset - 1
        for operand in reversed(to_split):
            self.assign(operand.node, self.text_of(operand))

    def unpack(self, node: Node) -> Steps:
        """``a, b, = c``: the last comma makes it an unpacking even of a single element."""
        self.name(node.outputs)
        targets = f"{self.texts_of(node.outputs)}, = " if node.outputs else ""
        self.line(f"{targets}{self.texts_of(node.inputs)}")
        yield from ()

    def set_attribute(self, node: Node) -> Steps:
        owner, value = node.inputs
        name = node.string_attribute("name")
        self.line(f"{self.text_of(owner)}.{name} = {self.text_of(value)}")
        yield from ()

    def fork(self, node: Node) -> Steps:
        """The forked graph becomes a function within the function."""
        graph = node.attribute("Subgraph")
        if not isinstance(graph, Graph):
            raise GraphError(f"the attribute 'Subgraph' of a {node.kind} is not a graph")
        function = "__forked_function" if node.kind == prim.fork else "__awaitable_function"
        name = self.names.take(function)
        self.line(f"def {name}():")
        for inner, outer in zip(graph.inputs, node.inputs, strict=True):
            self.texts[inner] = self.text_of(outer)
        yield self.body(graph.block)
        self.definition(node, f"{node.kind.partition('::')[2]}({name})")

    # -- Control flow -------------------------------------------------------------------------

    def enter(self, node: Node) -> Steps:
        """The statements up to the Exit are the body of the ``with``."""
        alias = ""
        if node.output.has_uses:
            self.name(node.outputs)
            alias = f" as {self.text_of(node.output)}"
        self.line(f"with {self.text_of(node.input)}{alias}:")
        self.level += 1
        yield from ()

    def exit(self, node: Node) -> Steps:
        if node.previous.kind == prim.Enter:
            self.line("pass")
        self.level -= 1
        yield from ()

    def conditional(self, node: Node) -> Steps:
        view = IfView(node)
        self.name(view.outputs)
        self.line(f"if {self.text_of(view.condition)}:")
        yield self.branch(view.then_block, partial(self.assign_first, view))
        self.line("else:")
        assign = partial(self.assign_all, view.outputs, view.else_outputs)
        yield self.branch(view.else_block, assign)

    def branch(self, block: Block, assign: Callable[[], None]) -> Steps:
        self.level += 1
        yield self.block(block, is_followed=bool(block.outputs))
        assign()
        self.level -= 1

    def index_modules(self, node: Node) -> Steps:
        """The type is told: it is what allows the index."""
        container, index = node.inputs
        self.name(node.outputs)
        target = f"{self.text_of(node.output)} : {node.output.type.annotation}"
        self.line(f"{target} = {self.text_of(container)}[{self.text_of(index)}]")
        yield from ()

    def assign_all(self, targets: Sequence[Value], values: Sequence[Value]) -> None:
        """``a, b = c, d``."""
        if targets:
            self.split_long_lines(values)
            self.line(f"{self.texts_of(targets)} = {self.texts_of(values)}")

    def assign_first(self, view: IfView) -> None:
        """What the first branch sets: the type is told where the values do not show it.

        A variable alone tells it as in PyTorch. Of several, PyTorch tells none, and cannot read
        back what it wrote if the types in the branches do not unify: then each has its own line.
        """
        targets, values = view.outputs, view.then_outputs
        if len(targets) != 1 and all(map(told_by_branches, targets, values, view.else_outputs)):
            self.assign_all(targets, values)
            return
        self.split_long_lines(values)
        others = view.else_outputs
        for target, value, other in zip(targets, values, others, strict=True):
            told = is_told_by_values(target, value, other)
            annotation = "" if told else f" : {target.type.annotation}"
            self.line(f"{self.text_of(target)}{annotation} = {self.text_of(value)}")

    def loop(self, node: Node) -> Steps:
        view = LoopView(node)
        if view.kind is LoopKind.MODIFIED:
            raise GraphError("a loop with both a trip count and a condition has no form in Python")
        self.name(view.carried_outputs)
        for inner, outer in zip(view.body_carried_inputs, view.carried_outputs, strict=True):
            self.texts[inner] = self.text_of(outer)
        for target, value in zip(view.carried_outputs, view.carried_inputs, strict=True):
            annotation = f": {target.type.annotation}" if needs_annotation(target, value) else ""
            self.line(f"{self.text_of(target)}{annotation} = {self.text_of(value)}")
        self.name([view.current_trip_count])
        yield self.for_loop(view) if view.kind is LoopKind.FOR else self.while_loop(view)

    def for_loop(self, view: LoopView) -> Steps:
        counter, count = view.current_trip_count, view.max_trip_count
        self.line(f"for {self.text_of(counter)} in range({self.text_of(count)}):")
        yield self.loop_body(view.body_block, 1)

    def while_loop(self, view: LoopView) -> Steps:
        """The trip counter is not used: its variable holds the condition."""
        condition = self.text_of(view.current_trip_count)
        self.line(f"{condition} = {self.text_of(view.input_condition)}")
        self.line(f"while {condition}:")
        yield self.loop_body(view.body_block, 0)

    def loop_body(self, body: Block, start: int) -> Steps:
        """The body, and the assignment of what the next turn starts with."""
        self.level += 1
        yield self.block(body, is_followed=len(body.inputs) > start)
        self.assign_all(body.inputs[start:], body.outputs[start:])
        self.level -= 1


_STATEMENTS: Final[dict[str, Callable[[_FunctionPrinter, Node], Steps]]] = {
    prim.If: _FunctionPrinter.conditional,
    prim.Loop: _FunctionPrinter.loop,
    prim.TupleUnpack: _FunctionPrinter.unpack,
    prim.ListUnpack: _FunctionPrinter.unpack,
    prim.SetAttr: _FunctionPrinter.set_attribute,
    prim.ModuleContainerIndex: _FunctionPrinter.index_modules,
    prim.fork: _FunctionPrinter.fork,
    prim.awaitable: _FunctionPrinter.fork,
    prim.Enter: _FunctionPrinter.enter,
    prim.Exit: _FunctionPrinter.exit,
}


def _whole_default(argument: Argument) -> object:
    """A default; of a list of fixed length, ``int[2] x=0``, all of its elements."""
    default, length = argument.default, argument.list_size
    return (default,) * length if length and isinstance(default, int | float) else default
