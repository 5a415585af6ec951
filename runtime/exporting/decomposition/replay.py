"""A graph that is run once more, node by node, to be written anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from importlib import import_module
from operator import mul
from typing import Any, Final

from tsc.compiler.budget import charge_step
from tsc.compiler.exir import refusals
from tsc.compiler.exir.arguments import Argument, Leaf, TorchConstant, map_argument
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.symbols.sym_values import SymBool, SymValue
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.exir.translation.scope import plain_constant
from tsc.runtime.exporting.data_numbers import RecordedNumber, hinted
from tsc.runtime.exporting.decomposition.calls import Calls, find
from tsc.runtime.exporting.decomposition.functional_tensors import FunctionalTensor
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.sizes.declared_before import KnownSizes
from tsc.runtime.operators import load

_METADATA: Final = ("stack_trace", "nn_module_stack", "source_fn_stack")
_FORMS: Final[dict[str, Callable[..., Any]]] = {
    "torch.ops.aten.sym_size.int": lambda known, dim: known.size[dim],
    "torch.ops.aten.sym_numel.default": lambda known: reduce(mul, known.size, 1),
    "torch.ops.aten.sym_stride.int": lambda known, dim: known.stride[dim],
    "torch.ops.aten.sym_storage_offset.default": lambda known: known.storage_offset,
}
"""What is asked of the form of tensors."""
_READS: Final = frozenset(
    {"torch.ops.aten.item.default", "torch.ops.aten._local_scalar_dense.default"}
)
_DENSE: Final = Target("torch.ops.aten._local_scalar_dense.default")
_KEPT: Final = frozenset(
    {
        "torch.ops.aten._assert_scalar.default",
        "torch.ops.aten._assert_async.default",
        "torch.ops.aten._assert_async.msg",
        "torch.ops.aten._assert_tensor_metadata.default",
        "torch.ops.aten.sym_constrain_range.default",
        "torch.ops.aten.sym_constrain_range_for_size.default",
    }
)
"""Checks: they stay as they are."""


_FORM: Final = ("size", "stride", "dtype")


MakeCalls = Callable[[Recorder], Calls]
HigherOrder = Callable[["Replay", Node, list[Any]], Any]


class Replay:
    """Runs the nodes of graphs. `make_calls` says how operators are called.

    `higher_order` runs those that take graphs.
    """

    def __init__(
        self, recorder: Recorder, make_calls: MakeCalls, higher_order: HigherOrder
    ) -> None:
        self._higher_order = higher_order
        self.recorder = recorder
        self.make_calls = make_calls
        self.calls = make_calls(recorder)

    def run(self, module: GraphModule, inputs: Sequence[Any]) -> list[Any]:
        """What a graph returns for `inputs`, the values of its placeholders."""
        values: dict[Node, Any] = dict(zip(module.graph.placeholders, inputs, strict=True))

        def value_of(leaf: Leaf) -> Argument:
            if isinstance(leaf, Node):
                return values[leaf]
            return plain_constant(leaf) if isinstance(leaf, TorchConstant) else leaf  # type: ignore[return-value]

        for node in module.graph.nodes:
            if node.op is Op.GET_ATTR:
                values[node] = module.modules[str(node.target)]
            elif node.op is Op.CALL_FUNCTION:
                charge_step()
                self.recorder.metadata = {
                    key: node.meta[key] for key in _METADATA if key in node.meta
                }
                self._tell(node.meta.get("val"))
                args = [map_argument(each, value_of) for each in node.args]
                kwargs = {key: map_argument(each, value_of) for key, each in node.kwargs.items()}
                values[node] = self._call(node, args, kwargs)
        found = map_argument(module.graph.output_node.args[0], value_of)
        return list(found) if isinstance(found, tuple | list) else [found]

    def _tell(self, known: Any) -> None:
        sizes = self.recorder.sizes
        if isinstance(sizes, KnownSizes):
            sizes.told = known

    def _call(self, node: Node, args: list[Any], kwargs: dict[str, Any]) -> Any:
        target = node.target
        assert isinstance(target, Target)
        if target == GETITEM:
            return args[0][args[1]]
        if target.is_higher_order:
            return self._higher_order(self, node, args)
        if target.text in _FORMS and isinstance(args[0], FunctionalTensor):
            known = self.recorder.known(args[0].value)
            return self._in_place(_FORMS[target.text](known, *args[1:]))
        if target.text in _READS:
            return self._read(node, args[0])
        if target.text in _KEPT:
            return self._kept(node, args, kwargs)
        if not target.is_operator:
            return self._number(node, args)
        if load().find(target.name, target.overload) is None:
            find(target.name)
        name = f"{target.name}.{target.overload}" if target.overload else target.name
        return self.calls(name, *args, **kwargs)

    # -- Numbers ---------------------------------------------------------------------------------

    def _read(self, node: Node, tensor: FunctionalTensor) -> Any:
        """A number out of a tensor."""
        target = _DENSE if self.calls.replaces_all else node.target
        assert isinstance(target, Target)
        value, told = tensor.value, node.meta.get("val")
        hint = value.array.reshape(()).item()
        made = self.recorder.number(target, (self.recorder.node_of(value),), told)
        return self.known_number(made, told, hint, is_backed=False)

    def known_number(self, made: Node, told: Any, hint: Any, *, is_backed: bool) -> Any:
        """A number that a node of the new graph gives, of which the program tells an expression."""
        sizes = self.recorder.sizes
        if not isinstance(sizes, KnownSizes):
            return RecordedNumber(made, hint)
        found = sizes.number(told, hint, is_backed=is_backed)
        if not isinstance(found, SymValue):
            return RecordedNumber(made, hint)
        self.recorder.size_nodes.set(found, made)
        return found

    def _number(self, node: Node, args: list[Any]) -> Any:
        """What is computed of sizes, or of numbers that data tells: these, and conditions, are nodes at once."""
        target = str(node.target)
        arithmetic = import_module("tsc.compiler.exir.symbols.arithmetic")  # which needs SymPy
        if target not in arithmetic.FUNCTIONS:
            raise ExportError(
                f"{node.name} calls {target}, which tsc does not compute",
                hint="compute it with operators on tensors",
                refusal=refusals.OPERATOR,
            )
        if not any(isinstance(each, RecordedNumber) for each in args):
            found = arithmetic.compute(target, *args)
            if not isinstance(found, SymBool):
                return self._computed(node, args, found)
            hint = found.hint
        else:
            hint = arithmetic.compute(target, *map(hinted, args))
        return RecordedNumber(self._repeated(node, args, {}), hint)

    def _computed(self, node: Node, args: list[Any], found: Any) -> Any:
        """A size that the program computes: by the same call, unless a node has it."""
        if isinstance(found, SymValue) and not any(found is each for each in args):
            self.recorder.size_nodes.repeat(found, lambda: self._repeated(node, args, {}))
        return found

    def _in_place(self, number: Any) -> Any:
        """A size, whose node stands where the program computes it, not where it is read first."""
        if isinstance(number, SymValue):
            self.recorder.argument(number)
        return number

    def _repeated(self, node: Node, args: list[Any], kwargs: dict[str, Any]) -> Node:
        """The same call on what its arguments are in the new graph."""
        assert isinstance(node.target, Target)
        made = self.recorder.number(
            node.target, tuple([self._argument(each) for each in args]), node.meta.get("val")
        )
        made.kwargs = {key: self._argument(each) for key, each in kwargs.items()}
        return made

    def _argument(self, value: Any) -> Argument:
        if isinstance(value, FunctionalTensor):
            return self.recorder.node_of(value.value)
        if isinstance(value, SymValue | RecordedNumber):
            return self.recorder.argument(value)
        return value

    def _kept(self, node: Node, args: list[Any], kwargs: dict[str, Any]) -> None:
        """A check. Those of dtypes are told by constants, which are taken from the node."""
        if "metadata" in str(node.target):
            self._repeated_metadata(node, args[0])
        elif isinstance(args[0], FunctionalTensor | SymValue | RecordedNumber):
            self._repeated(node, args, kwargs)

    def _repeated_metadata(self, node: Node, tensor: Any) -> None:
        """A check of the form of a tensor: size, stride and dtype are told in their places."""
        made = self._repeated(node, [tensor], {})
        options = {**dict(zip(_FORM, node.args[1:])), **node.kwargs}
        told = [options.pop(name, None) for name in _FORM]
        while told and told[-1] is None:
            told.pop()
        made.args, made.kwargs = (*made.args, *told), options
