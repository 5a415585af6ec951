"""The steps that operators are: what they save, and how their formulas give gradients."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tsc.compiler.schema import Argument, Operator
from tsc.compiler.types import ListType, OptionalType, TensorType, Type
from tsc.runtime.autograd.formulas import Formula, Group, formula_of, names_in
from tsc.runtime.autograd.nodes import Edge, Node, edge_of
from tsc.runtime.autograd.saved import Hollow, Saved, restored
from tsc.runtime.autograd.step_names import step_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.hooks import gradient_functions
from tsc.runtime.operators.registration import table
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor


def is_tensor(type: Type) -> bool:
    """Whether a value of this type is a tensor, or None in its place."""
    inner = type.element if isinstance(type, OptionalType) else type
    return isinstance(inner, TensorType)


def is_list_of_tensors(type: Type) -> bool:
    inner = type.element if isinstance(type, OptionalType) else type
    return isinstance(inner, ListType) and is_tensor(inner.element)


class OperatorStep:
    """An operator as a step of a recorded computation. `formula` is None where nobody wrote one."""

    takes_undefined = False

    def __init__(self, operator: Operator, formula: Formula | None) -> None:
        self.operator = operator
        self.formula = formula
        arguments = operator.schema.arguments
        self.arguments = arguments
        reached = [
            (k, each.type)
            for k, each in enumerate(arguments)
            if formula is None or formula.goes_to(each.name)
        ]
        self.tensors = tuple(k for k, type in reached if is_tensor(type))
        self.lists = tuple(k for k, type in reached if is_list_of_tensors(type))
        returns = operator.schema.returns
        self.returns_list = len(returns) == 1 and is_list_of_tensors(returns[0].type)
        self.results = ("results",) if self.returns_list else _numbered("result", len(returns))
        self.gradient_names = ("grads",) if self.returns_list else _numbered("grad", len(returns))
        self.withheld = frozenset(
            k
            for k, name in enumerate(self.results)
            if formula is not None and not formula.goes_to(name)
        )
        """The results that require no gradient, whatever the arguments do."""
        self.saves = self._saves()
        self.saved_results = [
            (k, formula.reads(name))
            for k, name in enumerate(self.results)
            if formula is not None and formula.names(name)
        ]

    def _saves(self) -> list[tuple[int, bool]]:
        """The arguments that formulas name, and whether they read more of them than sizes and dtype."""
        formula = self.formula
        if formula is None:
            return []
        return [
            (k, formula.reads(each.name))
            for k, each in enumerate(self.arguments)
            if formula.names(each.name)
        ]

    def name_of(self, node: Node) -> str:
        """What `grad_fn` shows."""
        return step_name(self.operator, node)

    def saved_inputs(self, values: Sequence[Any]) -> dict[str, Any]:
        """What the formulas need of the operands."""
        return {self.arguments[k].name: _saved(values[k], whole) for k, whole in self.saves}

    def save_results(self, saved: dict[str, Any], results: Sequence[Any]) -> None:
        """What they need of the results, too."""
        for k, whole in self.saved_results:
            if self.returns_list:
                saved["results"] = [Saved(each, i) for i, each in enumerate(results)]
            else:
                result = results[k]
                saved[self.results[k]] = Saved(result, k) if whole else _hollow(result)

    # -- Going back --------------------------------------------------------------------------------

    def gradients(self, node: Node, given: Sequence[Any], create_graph: bool) -> list[Any]:
        """The gradient of each edge. Raises ScriptError where there is no formula."""
        formula = self.formula
        if formula is None:
            raise self._not_implemented()
        names = {name: restored(value, create_graph, node) for name, value in node.saved.items()}
        if self.returns_list:
            names["grads"] = given
        else:
            names.update(zip(self.gradient_names, given))
        return self._by_groups(formula, node.edges, names, create_graph)

    def _by_groups(
        self, formula: Formula, edges: Sequence[Edge], names: dict[str, Any], create_graph: bool
    ) -> list[Any]:
        wanted = {self.arguments[edge.argument].name for edge in edges}
        found: dict[str, Any] = {}
        for name in wanted:
            group = formula.group_of(name)
            if group is None:
                raise self._not_implemented(name)
            if name not in found:
                result = self._run(group, names, wanted, create_graph)
                found.update(zip(group.names, result if len(group.names) > 1 else (result,)))
        gradients: list[Any] = []
        for edge in edges:
            gradient = found[self.arguments[edge.argument].name]
            gradients.append(gradient if edge.position < 0 else gradient[edge.position])
        return gradients

    def _run(
        self, group: Group, names: dict[str, Any], wanted: set[str], create_graph: bool
    ) -> Any:
        function, parameters = self.function(group)
        values = [
            name.removeprefix("needs_") in wanted if name.startswith("needs_") else names[name]
            for name in parameters
        ]
        if not create_graph:
            return function.run(values)
        found = function.record(values)
        if len(group.names) > 1:
            return [constant_in(each, values) for each in found]
        return constant_in(found, values)

    def function(self, group: Group) -> tuple[Any, tuple[str, ...]]:
        """What computes a group, and the names of what it takes."""
        return _compiled(self, group.text)

    def types_of(self, used: frozenset[str]) -> list[tuple[str, str]]:
        """The names that a text may read, with their types."""
        types = [(each.name, _annotation(each)) for each in self.arguments if each.name in used]
        gradients = (*self.gradient_names, *self.results)
        listed = "List[Tensor]" if self.returns_list else "Tensor"
        types += [(name, listed) for name in gradients if name in used]
        types += [(name, "bool") for name in sorted(used) if name.startswith("needs_")]
        return types

    def _not_implemented(self, argument: str = "") -> ScriptError:
        of = f" with respect to its argument '{argument}'" if argument else ""
        message = f"derivative for {self.operator.qualified_name}{of} is not implemented"
        return ScriptError("NotImplementedError", message)


def constant_in(gradient: Any, values: Sequence[Any]) -> Any:
    """A gradient that does not change with what its formula reads, though that requires one: the next one is zero."""
    if not isinstance(gradient, Tensor) or gradient.requires_grad:
        return gradient
    edges = [
        edge_of(value, value.autograd)
        for value in values
        if isinstance(value, Tensor) and value.requires_grad and value.autograd is not None
    ]
    if not edges or any(gradient is value for value in values):
        return gradient
    made = Tensor(gradient.array)
    described = (gradient.array.shape, gradient.array.dtype)
    made.autograd = AutogradRecord(True, Node(Constant(), edges, {}, (described,)))
    return made


class Constant:
    """What does not change with its operands: their gradients are zeros."""

    takes_undefined = False

    def name_of(self, node: Node) -> str:
        return "ZeroBackward0"

    def gradients(self, node: Node, given: Sequence[Any], create_graph: bool) -> list[Any]:
        return [Tensor(np.zeros(edge.shape, edge.dtype)) for edge in node.edges]


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(name if k == 0 else f"{name}{k}" for k in range(count))


def _annotation(argument: Argument) -> str:
    return argument.type.annotation


def _saved(value: Any, whole: bool) -> Any:
    if isinstance(value, Tensor):
        return Saved(value) if whole else _hollow(value)
    if type(value) is list:
        return [_saved(each, whole) for each in value]
    return value


def _hollow(tensor: Tensor) -> Hollow:
    return Hollow(tensor.array.shape, tensor.array.dtype)


@functools.cache
def _compiled(step: OperatorStep, text: str) -> tuple[Any, tuple[str, ...]]:
    parameters = step.types_of(names_in(text))
    name = step.operator.qualified_name
    function = gradient_functions().compiled(name, parameters, text)
    return function, tuple(each for each, _ in parameters)


@functools.cache
def step_of(operator: Operator) -> OperatorStep:
    """The step that an operator is."""
    return OperatorStep(operator, formula_of(operator))


def in_place_step(operator: Operator) -> OperatorStep:
    """The step of the operator that gives a new tensor, or of its own where it has a formula."""
    if formula_of(operator) is None:
        functional = functional_operator(operator)
        if functional is not None and functional is not operator:
            return step_of(functional)
    return step_of(operator)


def functional_operator(operator: Operator) -> Operator | None:
    """What gives a new tensor where an operator writes: it has the same types, not always the same overload name."""
    name, types = operator.name.removesuffix("_"), _types_of(operator)
    same = [each for each in table.operators_for(name) if _types_of(each) == types]
    return same[0] if same else table.find(name, operator.overload_name)


def _types_of(operator: Operator) -> list[Type]:
    return [each.type for each in operator.schema.arguments]
