"""The IR emitter: the state that emission shares, and the way in.

What is emitted for each construct stands in files by grammar family: ``definitions``,
``statements``, ``control_flow``, ``conditions``, ``assignments``, ``expressions``, ``literals``,
``comprehensions``, ``subscripts``, ``indexing``, ``special_forms``. Their functions take the
emitter first, and reach each other through it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from tsc.compiler.budget import charge_nodes
from tsc.compiler.emit.acceptance import Acceptance, Reading, emit_as_accepted
from tsc.compiler.emit.calls import call_arguments
from tsc.compiler.emit.emission_state import DefinitionContext, LoopStatus
from tsc.compiler.emit.environment import BlockEnvironment
from tsc.compiler.emit.expressions import expressions
from tsc.compiler.emit.protocols import Evaluate, NamedValue, Resolver, SugaredValue
from tsc.compiler.emit.statements import definitions, statements
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.tree_views import Attribute, Def, Expr, Stmt
from tsc.compiler.ir import Block, Function, Graph, Node, Value, prim
from tsc.compiler.schema import FunctionSchema, OperatorTable
from tsc.compiler.source import CompileError, Problems, SourceRange, codes
from tsc.compiler.types import ANY, Type

EmitStatement = Callable[["IREmitter", "Stmt"], None]

_MOST_VALUES = 100_000  # beside one for each letter of a function, which is more than it comes to


def emit_definition(
    definition: Def,
    function: Function,
    resolver: Resolver,
    operators: OperatorTable,
    *,
    evaluate: Evaluate | None = None,
    strict: bool = False,
) -> None:
    """Give ``function`` the schema and the graph, in Load/Store form, of its definition.

    ``evaluate`` runs a node on constants: default values may then be any constant expression.
    """

    def emit(acceptance: Acceptance) -> IREmitter:
        emitter = IREmitter(function, resolver, operators, evaluate, acceptance)
        try:
            function.schema = definitions.emit_function(emitter, definition)
        except CompileError:
            for derived in emitter.derived:
                resolver.discard(derived)
            raise
        return emitter

    reading = Reading.STRICT if strict else Reading.USUAL
    emitter = emit_as_accepted(emit, reading)
    emitter.charge_written_out()
    function.graph = emitter.graph
    function.extensions = tuple(emitter.acceptance.used)


def emit_all_problems(
    definition: Def,
    function: Function,
    resolver: Resolver,
    operators: OperatorTable,
    problems: Problems,
    *,
    evaluate: Evaluate | None = None,
    strict: bool = False,
) -> FunctionSchema | None:
    """Report all that is wrong with a definition that does not compile; its schema if it has one."""
    from tsc.compiler.emit import recovery  # most programs need it not

    acceptance = Acceptance(Reading.STRICT if strict else Reading.GENEROUS)
    arguments = (function, resolver, operators, evaluate, acceptance)
    emitter = IREmitter(*arguments, problems, recovery.emit_recovering)
    return recovery.emit_function_recovering(emitter, definition)


class IREmitter:
    """Emits the graph of one function.

    With ``problems``, ``emit_statement`` reports errors there and goes on to find others; the graph is
    then good for nothing. ``entered`` are the blocks of statements (by identity) that
    it came to.
    """

    def __init__(
        self,
        function: Function,
        resolver: Resolver,
        operators: OperatorTable,
        evaluate: Evaluate | None,
        acceptance: Acceptance,
        problems: Problems | None = None,
        emit_statement: EmitStatement = statements.emit_statement,
    ) -> None:
        self.problems = problems
        self._emit_statement = emit_statement
        self.entered: set[int] = set()
        self.function = function
        self.resolver = resolver
        self.operators = operators
        self.evaluate = evaluate
        self.acceptance = acceptance
        self.graph = Graph(operators)
        self._most_values = _MOST_VALUES + function.range.end - function.range.start
        self.types = ScriptTypeParser(
            resolver.resolve_type,
            resolver.qualified_name,
            strict=acceptance.reading is Reading.STRICT,
        )
        self.environment: BlockEnvironment = BlockEnvironment(self, self.graph.block)
        self.exit_blocks: set[Block] = set()
        self.left_blocks: set[Block] = set()
        self.loop_status = LoopStatus.NOT_IN_LOOP
        self.loops = 0
        self.definitions: list[DefinitionContext] = []
        self.empty_lists: list[Node] = []
        self.derived: list[Function] = []
        self._numbers: dict[tuple[type, str], Value] = {}
        self._temporaries = 0

    def scratch(self) -> IREmitter:
        """An emitter for expressions that Python evaluates, which are not part of this function's graph."""
        acceptance = Acceptance(Reading.USUAL)
        return IREmitter(self.function, self.resolver, self.operators, self.evaluate, acceptance)

    # -- Statements and expressions ----------------------------------------------------------

    def emit_statements(self, trees: Sequence[Stmt]) -> None:
        """Emit statements one after the other; what follows a return or raise is left out."""
        if self.problems is not None:
            self.entered.add(id(trees))
        for tree in trees:
            self._emit_statement(self, tree)
            self._check_size(tree.range)
            if self.environment.block in self.exit_blocks:
                return

    def emit_sugared_expression(
        self, tree: Expr, binders: int, type_hint: Type | None = None
    ) -> SugaredValue:
        """Emit an expression for whatever it means, first-class or not."""
        return expressions.emit_sugared_expression(self, tree, binders, type_hint)

    def emit_expression(self, tree: Expr, type_hint: Type | None = None) -> Value:
        """Emit an expression for its value."""
        sugared = self.emit_sugared_expression(tree, 1, type_hint)
        value = sugared.as_value(tree.range, self)
        self._check_size(tree.range)
        if type_hint == ANY and value.type != ANY:
            return self.insert_unchecked_cast(value, ANY)
        return value

    def _check_size(self, range: SourceRange) -> None:
        """Loops over tuples and modules are written out, and constants made anew wherever they are used."""
        if self.graph.values_made > self._most_values:
            raise CompileError(
                f"function '{self.function.name}' has more than {self._most_values:,} values when its loops over "
                "tuples and modules, and its constants, are written out",
                range,
                code=codes.NESTED_TOO_DEEPLY,
                hint="loop over a list, or write a part of it as a function of its own",
            )

    def charge_written_out(self) -> None:
        """Charge what has more values than the text of the function comes to."""
        range = self.function.range
        charge_nodes(max(self.graph.values_made - (range.end - range.start), 0))

    def emit_values(self, trees: Sequence[Expr]) -> list[Value]:
        """Emit expressions in order, where ``*tuple`` stands for its elements."""
        return [argument.value for argument in self.emit_arguments(trees)]

    def emit_arguments(self, trees: Sequence[Expr]) -> list[NamedValue]:
        return call_arguments.emit_arguments(self, trees)

    def emit_keywords(self, trees: Sequence[Attribute]) -> list[NamedValue]:
        """Emit the ``name=value`` arguments of a call."""
        return call_arguments.emit_keywords(self, trees)

    # -- Scopes ------------------------------------------------------------------------------

    @contextmanager
    def scope(self, block: Block, *, is_comprehension: bool = False) -> Generator[BlockEnvironment]:
        """Emit into ``block``, in an environment of its own."""
        outer = self.environment
        self.environment = BlockEnvironment(self, block, outer, is_comprehension=is_comprehension)
        try:
            with self.graph.insert_at(block):
                yield self.environment
        finally:
            self.environment.end()
            self.environment = outer

    @contextmanager
    def local_variables(self, range: SourceRange) -> Generator[None]:
        """Emit in place, with variables that nothing outside can see."""
        node = self.insert(prim.LocalVariableScope, outputs=0, range=range)
        with self.scope(node.add_block(), is_comprehension=True):
            yield

    @contextmanager
    def definition(self, declared_return_type: Type | None) -> Generator[DefinitionContext]:
        """Emit the body of a definition."""
        self.definitions.append(DefinitionContext(declared_return_type))
        with self.loop(LoopStatus.NOT_IN_LOOP):
            yield self.definitions[-1]
        self.definitions.pop()

    @contextmanager
    def loop(self, status: LoopStatus) -> Generator[None]:
        """Emit the body of a loop."""
        outer = self.loop_status
        self.loop_status = status
        self.loops += 1
        try:
            yield
        finally:
            self.loops -= 1
            self.loop_status = outer

    def mark_exit(self) -> None:
        """The current block returns or raises: what follows is not emitted."""
        self.exit_blocks.add(self.environment.block)

    def mark_left(self) -> None:
        """The current block is left by break or continue: what follows is dead, but checked."""
        self.left_blocks.add(self.environment.block)

    # -- Nodes -------------------------------------------------------------------------------

    def insert(
        self,
        kind: str,
        inputs: Sequence[Value] = (),
        outputs: int = 1,
        range: SourceRange | None = None,
    ) -> Node:
        return self.graph.insert_node(self.graph.create(kind, inputs, outputs, range))

    def insert_unchecked_cast(self, value: Value, type: Type) -> Value:
        """``value`` as something of ``type``, which the compiler knows that it is."""
        return self.insert(prim.unchecked_cast, [value]).output.set_type(type)

    def number(self, number: complex, range: SourceRange) -> Value:
        """The constant for an int, a float or a complex number: one each, at the graph's start."""
        key = (type(number), repr(number))
        known = self._numbers.get(key)
        if known is not None:
            return known
        with self.graph.insert_at(self.graph.return_node.next):
            constant = self.graph.insert_constant(number, range=range)
        self._numbers[key] = constant
        return constant

    def temporary_name(self, prefix: str) -> str:
        """The name of a variable that no program can write."""
        self._temporaries += 1
        return f"{prefix}{self._temporaries}"
