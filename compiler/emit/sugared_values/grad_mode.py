"""``torch.no_grad``, the one context manager that programs can use without defining a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values.simple_value import SimpleValue
from tsc.compiler.emit.sugared_values.special_forms import SpecialFormValue
from tsc.compiler.ir import Function, Graph, Value, prim
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import SourceRange, codes
from tsc.compiler.types import ANY, BOOL, NONE, ClassAttribute, ClassType, Type

NO_GRAD: Final = ClassType("__torch__.torch.autograd.grad_mode.no_grad")


def _declare_method(name: str, *parameters: str) -> None:
    """A method that does nothing by itself: the runtime switches gradients on enter and exit."""
    qualified_name = f"{NO_GRAD.qualified_name}.{name}"
    types: list[tuple[str, Type]] = [("self", NO_GRAD), *((name, ANY) for name in parameters)]
    arguments = tuple(Argument.of(*parameter) for parameter in types)
    schema = FunctionSchema(name, "", arguments, (Argument.of("", NONE),))
    graph = Graph()
    for parameter, type in types:
        graph.add_input(parameter, type)
    graph.register_output(graph.insert_constant(None))
    if name == "__init__":
        _set_previous(graph)
    NO_GRAD.methods[name] = Function(qualified_name, graph=graph, schema=schema)


def _set_previous(graph: Graph) -> None:
    """What PyTorch's class does first; the state to go back to is kept elsewhere here."""
    node = graph.create(prim.SetAttr, [graph.inputs[0], graph.insert_constant(False)], 0)
    graph.insert_node(node).set_attribute("name", "prev")


NO_GRAD.add_attribute(ClassAttribute("prev", BOOL))
_declare_method("__init__")
_declare_method("__enter__")
_declare_method("__exit__", "type", "value", "traceback")


class NoGradClass(SugaredValue):
    """The class ``torch.no_grad``, to be called in a ``with`` statement."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return "class 'torch.no_grad'"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if name == "__new__":
            return SpecialFormValue(prim.CreateObject)
        return super().attribute(range, emitter, name)

    def new_object(self, range: SourceRange, emitter: Emitter) -> Value:
        """An object that is still to be initialized."""
        node = emitter.graph.create(prim.CreateObject, range=range)
        return emitter.graph.insert_node(node).output.set_type(NO_GRAD)

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        if args or kwargs:
            raise self._refusal(
                range,
                f"Expected at most 0 arguments but found {len(args) + len(kwargs)}",
                code=codes.TOO_MANY_ARGUMENTS,
            )
        instance = SimpleValue(self.new_object(range, emitter))
        instance.attribute(range, emitter, "__init__").call(range, emitter, (), (), 0)
        return instance
