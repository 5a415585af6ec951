"""Functions that are left to Python: calls of them compile, and raise, or call back, when they are reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tsc.compiler.emit.acceptance import Acceptance
from tsc.compiler.emit.calls.schema_matching import match_schema
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values.simple_value import SimpleValue
from tsc.compiler.frontend.tree_views import Decl, Expr, Param, StringLiteral
from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import SourceRange, extensions
from tsc.compiler.types import NONE, TENSOR, TupleType, Type

_DROPPED_MESSAGE = "This Python function is annotated to be ignored and cannot be run"


class PythonFunctionValue(SugaredValue):
    """A function of which only the declaration counts; without annotations, all are tensors."""

    __slots__ = ("decl", "name", "parse_type")

    def __init__(self, name: str, decl: Decl, parse_type: Callable[[Expr], Type]) -> None:
        self.name = name
        self.decl = decl
        self.parse_type = parse_type

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "python function"

    def bound_to(self, owner: Value) -> PythonFunctionValue:
        """The same as a method of an object."""
        raise NotImplementedError

    def _schema(self, binders: int, emitter: Emitter) -> FunctionSchema:
        plain = [param for param in self.decl.params if not param.prefix]
        _note_extensions(self.decl, plain, emitter.acceptance)
        arguments = tuple(Argument.of(param.name, self._type(param.type)) for param in plain)
        returned = Argument.of("", self._return_type(binders))
        is_vararg = any(param.prefix == "*" for param in self.decl.params)
        return FunctionSchema(self.name, "", arguments, (returned,), is_vararg=is_vararg)

    def _type(self, annotation: Expr | None) -> Type:
        return TENSOR if annotation is None else self.parse_type(annotation)

    def _return_type(self, binders: int) -> Type:
        """That of the annotation; if there is none at all, one tensor for each target."""
        is_annotated = any(param.type is not None for param in self.decl.params)
        if is_annotated or self.decl.return_type is not None or binders == 1:
            return self._type(self.decl.return_type)
        return TupleType((TENSOR,) * binders) if binders > 0 else NONE


def _note_extensions(decl: Decl, params: Sequence[Param], acceptance: Acceptance) -> None:
    """PyTorch asks Python for the signature, where what is quoted is a name at most."""
    for annotation in (decl.return_type, *(param.type for param in params)):
        if isinstance(annotation, StringLiteral) and not annotation.text.isidentifier():
            refusal = f"Unknown type annotation: {annotation.range.text}"
            acceptance.use(extensions.ANNOTATIONS, annotation.range, refusal)
    for param in params:
        if param.kwarg_only:
            refusal = "a function that is left to Python has no keyword-only parameters"
            acceptance.use(extensions.KEYWORD_ONLY_DEFAULTS, param.range, refusal)


class DroppedFunctionValue(PythonFunctionValue):
    """One that ``@torch.jit.unused`` drops: what calls it raises, in archives too."""

    __slots__ = ()

    def bound_to(self, owner: Value) -> PythonFunctionValue:
        return self

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        matched = match_schema(self._schema(binders, emitter), range, emitter, args, kwargs)
        graph = emitter.graph
        inputs = [graph.insert_constant(_DROPPED_MESSAGE), graph.insert_constant(None)]
        node = graph.insert_node(graph.create(prim.RaiseException, inputs, 0, range=range))
        node.operator = emitter.operators.find(prim.RaiseException, "")
        result = graph.insert_node(graph.create(prim.Uninitialized))
        return SimpleValue(result.output.set_type(matched.return_types[0]))


class IgnoredFunctionValue(PythonFunctionValue):
    """One that ``@torch.jit.ignore`` leaves to Python: a node of the graph calls it."""

    __slots__ = ("self_value",)

    def __init__(
        self,
        name: str,
        decl: Decl,
        parse_type: Callable[[Expr], Type],
        self_value: Value | None = None,
    ) -> None:
        super().__init__(name, decl, parse_type)
        self.self_value = self_value

    def bound_to(self, owner: Value) -> PythonFunctionValue:
        return IgnoredFunctionValue(self.name, self.decl, self.parse_type, owner)

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        schema = self._schema(binders, emitter)
        matched = match_schema(schema, range, emitter, args, kwargs)
        owner = [] if self.self_value is None else [self.self_value]
        node = emitter.graph.create(prim.PythonOp, [*owner, *matched.inputs], range=range)
        node.set_attribute("python_name", self.name)
        node.set_attribute("scalar_arguments", "")
        node.output.set_type(matched.return_types[0])
        self.bind(node, schema)
        return SimpleValue(emitter.graph.insert_node(node).output)

    def bind(self, node: Node, schema: FunctionSchema) -> None:
        """Give the node what it calls, if there is a Python to call."""


def python_function(
    name: str, decl: Decl, parse_type: Callable[[Expr], Type], *, is_ignored: bool
) -> PythonFunctionValue:
    """One that a source text ignores, or else drops."""
    kind = IgnoredFunctionValue if is_ignored else DroppedFunctionValue
    return kind(name, decl, parse_type)
