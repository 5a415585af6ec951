"""The graph of a program while it is captured: which node each tensor is, and a node for each operator that ran.

Tensors are known by identity. Those that the program made of nothing but numbers are constants: they become inputs of
the graph when an operator first reads them. A tensor that came from anywhere else is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.gradient_regions import SET_GRAD_ENABLED, wrap_gradient_regions
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.symbols.sym_values import SymBool, SymValue
from tsc.compiler.exir.targets import GETITEM, Target, operator_target
from tsc.compiler.schema import Operator
from tsc.runtime.arrays.dtypes import CODE_OF_NUMPY
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.exporting.called_forms import as_called
from tsc.runtime.exporting.conversions import note_conversion
from tsc.runtime.exporting.data_numbers import DataNumber, RecordedNumber
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.omitted_calls import is_omitted
from tsc.runtime.exporting.operator_calls import node_arguments, target_of
from tsc.runtime.exporting.separations import Separations
from tsc.runtime.exporting.sizes.data_sizes import note_new_sizes, note_requirements
from tsc.runtime.exporting.sizes.declared_before import KnownSizes
from tsc.runtime.exporting.sizes.size_nodes import SizeNodes, place_of_size
from tsc.runtime.exporting.sizes.view_strides import with_view_strides
from tsc.runtime.exporting.tensors import fake_tensor, tensors_in, written_tensors
from tsc.runtime.exporting.undo_log import UndoLog
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes

_MOST_NODES: Final = 100_000
_COPIED: Final = operator_target("aten::lift_fresh_copy")
_ITEM: Final = operator_target("aten::item")
_SIZE: Final = operator_target("aten::sym_size", "int")
_DETACHED: Final = operator_target("aten::detach_")


class Recorder:
    """Writes a graph. `constants` are the tensors that were made inputs, by name."""

    def __init__(self) -> None:
        self.graph = Graph()
        self._modules: dict[str, GraphModule] = {}
        self._with_gradients = is_grad_enabled()
        self.constants: dict[str, Tensor] = {}
        self.undo_log = UndoLog()
        self.symbols: dict[str, int | float] = {}
        """Of numbers that data tells, with those of this run: ``u0`` of ints, ``zuf0`` of floats."""
        self._numbers: dict[int, tuple[DataNumber, Node]] = {}
        self._sizes: SymbolicSizes | None = None
        self.make_sizes: Callable[[], SymbolicSizes] | None = None
        self.size_tensors: dict[int, tuple[Tensor, Any]] = {}
        self.size_nodes = SizeNodes(self)
        self.metadata: Mapping[str, Any] = {}
        """Of the nodes that are made now."""
        self.source_function: str | None = None
        """The module or function of PyTorch that makes them; none where the program calls operators itself."""
        self.inside: tuple[tuple[str, str], ...] = ()
        """The higher-order operators around the graph."""
        self._known: dict[int, tuple[Tensor, Node]] = {}
        self._constants: dict[int, tuple[Tensor, bool]] = {}
        self._auxiliary: list[Node] = []
        """What the program does not say itself: it may turn out that nobody reads it."""
        self.separations = Separations()
        self.chosen: list[Any] = []
        """Lists and dicts of which data tells which one is meant: none of them may be changed afterwards."""
        self._first_user_input: Node | None = None
        self._count = 0

    def forget(self) -> None:
        """Give up the tensors of the run, which would stay until cycles are looked for."""
        held = (self._known, self._constants, self._numbers, self.chosen, self.size_tensors)
        for each in (*held, self.undo_log, self.separations, self.size_nodes):
            each.clear()

    @property
    def sizes(self) -> SymbolicSizes | None:
        """Of programs with sizes that may change; None while all are fixed."""
        return self._sizes

    def have_sizes(self) -> SymbolicSizes:
        """The same, once data decides a size. Raises `UsageError` without SymPy."""
        if self._sizes is None:
            assert self.make_sizes is not None
            self._sizes = self.make_sizes()
            for name, hint in self.symbols.items():
                self._sizes.environment.adopt(name, hint)
        return self._sizes

    # -- Inputs ----------------------------------------------------------------------------------

    def placeholder(
        self, name: str, value: Any, *, of_user: bool = False, known: FakeTensor | None = None
    ) -> Node:
        """An input, and what it is in this run; `known` are its sizes if they may change."""
        node = self.graph.placeholder(name)
        node.target = node.name
        if of_user and self._first_user_input is None:
            self._first_user_input = node
        if isinstance(value, Tensor):
            node.meta["val"] = fake_tensor(value) if known is None else known
            self._known[id(value)] = (value, node)
            self.size_nodes.note(value, node.meta["val"])
        return node

    def note_constant(self, tensor: Tensor, *, is_fresh: bool) -> None:
        """A tensor that is the same in every run; one that is fresh is made anew in each of them."""
        if not self.knows(tensor):
            self._constants[id(tensor)] = (tensor, is_fresh)

    def note_results(self, kind: str, result: Any, is_known: bool, *, is_fresh: bool) -> None:
        """What came out of a node that is none of the graph: constants, if it was given nothing else."""
        for each in tensors_in(result):
            if self.knows(each):
                continue
            if not is_known:
                raise ExportError(
                    f"{kind} gives a tensor, and is no operator that exported programs have",
                    hint="compute it with operators of torch on tensors",
                    refusal=refusals.OPERATOR,
                )
            self.note_constant(each, is_fresh=is_fresh)

    # -- What tensors are ------------------------------------------------------------------------

    def knows(self, tensor: Tensor) -> bool:
        """Whether a tensor is a node, or can become one."""
        return id(tensor) in self._known or id(tensor) in self._constants

    def is_taken_over(self, tensor: Tensor) -> bool:
        """Whether a tensor looks into one from outside that a branch or loop writes to."""
        return False

    def is_constant(self, tensor: Tensor) -> bool:
        """Whether a tensor depends on nothing, and no node has read it yet."""
        return id(tensor) in self._constants

    def node_of(self, tensor: Tensor) -> Node:
        """What computes a tensor. Raises `ExportError` for one that nothing in the graph computes."""
        found = self._known.get(id(tensor))
        self.separations.refuse_outdated(tensor)
        if found is not None:
            return found[1]
        if id(tensor) not in self._constants:
            raise ExportError(
                "a tensor is used here that no recorded operator gave: it came out of something that runs by itself",
                hint="return tensors from functions and methods of the program that are called directly",
                refusal=refusals.OPERATOR,
            )
        return self._lifted(*self._constants.pop(id(tensor)))

    def number_node(self, number: DataNumber) -> Node:
        """A number out of a tensor, as operators take it. Raises `ExportError` as `node_of` does."""
        if id(number) not in self._numbers:
            self.refuse_written(number.tensor, number.read_at)
            node = self.graph.call_function(_ITEM, (self.node_of(number.tensor),))
            node.meta.update(self.metadata)
            node.meta["val"] = self._new_symbol(number)
            self._numbers[id(number)] = (number, node)
        return self._numbers[id(number)][1]

    def learn(self, condition: SymBool) -> None:
        """What is checked here holds for all that follows."""
        self.have_sizes().environment.assume(condition)

    def refuse_written(self, tensor: Tensor, read_at: int) -> None:
        """Raise `ExportError` if a tensor has been overwritten since a number was read out of it."""
        if self.undo_log.is_written_since(read_at, tensor):
            raise ExportError(
                "a number is used here that was read out of a tensor which has been written since",
                hint="read it out of a clone() of the tensor",
                refusal=refusals.ELEMENT,
            )

    def _new_symbol(self, number: DataNumber) -> Any:
        """What is known of a number: a symbol of its own."""
        if self.sizes is not None:
            return self.sizes.of_number(number)
        prefix, told = ("u", (("integer", True),)) if number.kind is int else ("zuf", ())
        count = sum(each.startswith(prefix) for each in self.symbols)
        self.symbols[f"{prefix}{count}"] = number.hint
        return SymbolicExpression("Symbol", (f"{prefix}{count}",), told)

    def size_of(self, number: DataNumber) -> SymValue:
        """A whole number out of a tensor as one that sizes are made of."""
        node, sizes = self.number_node(number), self.have_sizes()
        if not isinstance(node.meta["val"], SymValue):
            node.meta["val"] = sizes.adopt(number, str(node.meta["val"].symbol))
        self.size_nodes.note_number(node.meta["val"], number)
        return node.meta["val"]

    def argument(self, value: Any) -> Argument:
        """A tensor, or a number that is known when the program runs, as nodes take it."""
        if isinstance(value, SymValue):
            return self.size_nodes.node_of(value)
        if isinstance(value, RecordedNumber):
            return value.node
        return self.number_node(value) if isinstance(value, DataNumber) else self.node_of(value)

    def known(self, tensor: Tensor) -> FakeTensor:
        """What is known of a tensor for all runs, without making a node of it."""
        found = self._known.get(id(tensor))
        return fake_tensor(tensor) if found is None else found[1].meta["val"]

    def node_of_size(self, tensor: Tensor, dim: int, size: Any) -> Node:
        """A size of a tensor; sizes of inputs stand in front of all that is computed."""
        node = self.node_of(tensor)
        place = place_of_size(self.graph, node, dim) if node.op is Op.PLACEHOLDER else None
        with self.graph.inserting_before(place) if place else nullcontext():
            return self.number(_SIZE, (node, dim), size)

    def number(self, target: Target, args: tuple[Argument, ...], value: Any) -> Node:
        """A number that is computed of others."""
        node = self._made(self.graph.call_function(target, args), None)
        node.meta["val"] = value
        return node

    def _lifted(self, tensor: Tensor, is_fresh: bool) -> Node:
        """A constant as an input of the graph, in front of those of the user."""
        name = f"lifted_tensor_{len(self.constants)}"
        kept = Tensor(tensor.array.copy())
        self.constants[name] = kept
        place = self._first_user_input or self._first_step()
        with self.graph.inserting_before(place) if place else nullcontext():
            node = self.graph.placeholder(f"c_{name}")
        node.target, node.meta["val"] = node.name, fake_tensor(kept)
        if is_fresh:
            node = self._made(self.graph.call_function(_COPIED, (node,)), tensor)
            node = self._made(self.graph.call_function(_DETACHED, (node,)), tensor)
        self._known[id(tensor)] = (tensor, node)
        return node

    def _first_step(self) -> Node | None:
        """The first node that is no input."""
        return next((each for each in self.graph.nodes if each.op is not Op.PLACEHOLDER), None)

    def note_size(self, tensor: Tensor, size: Any) -> None:
        """A tensor that holds a size, which is read as such: it may turn out that nobody reads its element."""
        self.size_tensors[id(tensor)] = (tensor, size)
        self.note_auxiliary(self.node_of(tensor))

    def note_auxiliary(self, node: Node) -> None:
        """A node that goes again if nobody reads it."""
        self._auxiliary.append(node)

    # -- Steps -----------------------------------------------------------------------------------

    def call(
        self,
        operator: Operator,
        values: Sequence[Any],
        result: Any,
        target: Target | None = None,
    ) -> None:
        """Note that an operator ran on these values and gave this result; `target` is what the node calls."""
        if target is None:
            operator, values = as_called(operator, values)
        args, kwargs = node_arguments(operator, values, self.argument, tells_all=target is None)
        if is_omitted(operator, values, self.known):
            self._known[id(result)] = (result, self.node_of(values[0]))
            return
        known = self._known_results(operator, values, result)
        if target is None:
            note_conversion(self, operator, args)
        node = self.graph.call_function(target or target_of(operator), args, kwargs)
        if isinstance(result, list | tuple):
            self.set_parts(node, cast("Sequence[Any]", result), known)
        else:
            self._made(node, result, known[0] if known else None)

    def _known_results(
        self, operator: Operator, values: Sequence[Any], result: Any
    ) -> list[FakeTensor] | None:
        """What is known of the tensors that an operator gave; None of one that gave none."""
        tensors = list(tensors_in(result))
        if not tensors:
            return None
        if self.sizes is None:
            found = list(map(fake_tensor, tensors))
        else:
            environment = self.sizes.environment
            with environment.within_rule():
                found = self.sizes.of_call(operator, values, tensors, self.known)
                found = with_view_strides(operator, values, found, self.known)
            note_requirements(environment, self)
            return found
        return with_view_strides(operator, values, found, self.known)

    def before_call(self, operator: Operator, values: Sequence[Any]) -> None:
        """Keep what an operator is about to write, which must be seen by nobody else than the graph."""
        for tensor in written_tensors(operator, values):
            if self.is_constant(tensor):
                self.node_of(tensor)
            if any(
                np.may_share_memory(tensor.array, each.array)
                for each, _ in self._constants.values()
            ):
                raise ExportError(
                    f"{operator.qualified_name} writes to a constant that is seen by another name, too",
                    hint="write to a clone() of it",
                    refusal=refusals.CONSTANT_WRITTEN,
                )
            for each in self.separations.before_write(tensor):
                if id(each) in self._known and self._known[id(each)][1].op is Op.PLACEHOLDER:
                    self.separations.refuse_outdated(each)
            self.undo_log.before_write(tensor)
            self.size_tensors.pop(id(tensor), None)

    def run(self, name: str, overload: str, values: Sequence[Any], result: np.ndarray) -> Tensor:
        """Note a call that the program does not say itself, by its result."""
        operator = load().find(name, overload)
        assert operator is not None
        arguments = operator.schema.arguments
        defaults = [each.default for each in arguments[len(values) :]]
        made = Tensor(np.asarray(result))
        self.call(operator, [*values, *defaults], made)
        self.note_auxiliary(self._known[id(made)][1])
        return made

    def filled(self, shape: Sequence[int], number: bool | float, dtype: np.dtype[Any]) -> Tensor:
        """A new tensor, all of whose elements are one number."""
        array = np.full(shape, number, dtype)
        code = CODE_OF_NUMPY[array.dtype]
        return self.run("aten::full", "", [list(shape), number, code], array)

    def add_module(self, name: str, module: GraphModule) -> str:
        """A graph that a node branches to; the name that it gets."""
        number = sum(each.startswith(f"{name}_") for each in self._modules)
        self._modules[f"{name}_{number}"] = module
        return f"{name}_{number}"

    def mark_gradients(self) -> None:
        """Note that what follows runs with gradients, or without, as is switched now."""
        self.graph.call_function(SET_GRAD_ENABLED, (is_grad_enabled(),))

    def module(self) -> GraphModule:
        """The graph, which has its output, with those that it calls. Nothing can be recorded any more."""
        for each in reversed(self._auxiliary):
            if not each.users:
                each.erase()
        self.size_nodes.settle()
        module = GraphModule(self.graph, self._modules)
        wrap_gradient_regions(module, self._with_gradients)
        return module

    def _made(self, node: Node, result: Any, known: FakeTensor | None = None) -> Node:
        self._count += 1
        if self._count > _MOST_NODES:
            raise ExportError(
                f"the program has more than {_MOST_NODES} steps when its loops are written out",
                hint="compute on whole tensors rather than element by element",
                refusal=refusals.TOO_MANY_STEPS,
            )
        node.meta.update(self.metadata)
        if self.metadata and "source_fn_stack" not in self.metadata:
            node.meta["source_fn_stack"] = self._source_functions(node)
        if isinstance(result, Tensor):
            node.meta["val"] = fake_tensor(result) if known is None else known
            self._constants.pop(id(result), None)
            self._known[id(result)] = (result, node)
            self.size_nodes.note(result, node.meta["val"])
            if self.sizes is not None:
                if isinstance(self.sizes, KnownSizes):
                    self.size_nodes.compute(node.meta["val"].size)
                note_new_sizes(self.sizes.environment, self)
        node.meta.setdefault("val", None)
        return node

    def _source_functions(self, node: Node) -> list[tuple[str, str]]:
        """What made a node: the higher-order operators that it is in, and the function; of a part, of the whole."""
        whole = node.args[0] if node.target == GETITEM else None
        if isinstance(whole, Node) and "source_fn_stack" in whole.meta:
            return list(whole.meta["source_fn_stack"])
        return [*self.inside, (node.name, self.source_function or str(node.target))]

    def set_parts(
        self, node: Node, results: Sequence[Any], known: Sequence[FakeTensor] | None = None
    ) -> None:
        """The results of a node that gives several; `known` are the sizes of the tensors, if they may change."""
        self._made(node, None)
        told = iter(known or map(fake_tensor, tensors_in(results)))
        found = [next(told) if isinstance(each, Tensor) else None for each in results]
        node.meta["val"] = found if isinstance(results, list) else tuple(found)
        for place, (each, form) in enumerate(zip(results, found, strict=True)):
            self._made(self.graph.call_function(GETITEM, (node, place)), each, form)
