"""Running `prim::FusionGroup` nodes: by native code where it pays; otherwise a group gives nothing.

Then its operators run, which stand behind it (`guard_fusion_groups`), until they have taken about as long as it takes
to make code. So they do for arguments that there is no code for, and where one of them refuses its
arguments: that tells the error as the program would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from math import prod
from typing import Any, Final
from weakref import WeakValueDictionary

from tsc.compiler.analysis.effects import may_write_statistics
from tsc.compiler.ir import Graph, Node, Value, is_constant, prim
from tsc.compiler.ir.graph_function import function_of_graph
from tsc.compiler.passes.canonicalize import canonicalize
from tsc.compiler.passes.erase_shape_information import erase_shape_information
from tsc.compiler.passes.fuse_graph import fuse_graph
from tsc.compiler.passes.guard_fusion_groups import guard_fusion_groups, is_guarded
from tsc.compiler.passes.subgraphs import size_of, subgraph_of
from tsc.compiler.passes.written_parts import take_parts_out
from tsc.compiler.printing.graph_printer import print_graph
from tsc.compiler.types import BOOL, ListType, TypeKind
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.context.gradient_state import leaves, watched
from tsc.runtime.context.hooks import group_launches
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.execution.graph_executor import GraphExecutor, executor_of
from tsc.runtime.execution.part_operators import PART_OPERATORS
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.native.code import object_code
from tsc.runtime.native.code.background import BACKGROUND, Making
from tsc.runtime.native.expressions.expression_lowering import has_lowering
from tsc.runtime.native.expressions.pointwise_nodes import (
    expression_of,
    expression_of_operator,
    new_tensor_form,
    writes_elements,
)
from tsc.runtime.native.fusion.composites import is_composite
from tsc.runtime.native.fusion.copies import joins
from tsc.runtime.native.fusion.group_schedule import is_costly
from tsc.runtime.native.fusion.in_place import Relation, relations, written_inputs
from tsc.runtime.native.fusion.memory_steps import memory_step
from tsc.runtime.native.fusion.refused import Refused
from tsc.runtime.native.fusion.row_operators import is_on_rows, may_be_tensor
from tsc.runtime.native.fusion.shaping_inputs import shaping_inputs
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

_NUMBERS: Final = frozenset({TypeKind.IntType, TypeKind.FloatType})
_SECONDS_OF_NODE: Final = 1.5e-6
_NODES_OF_STEP: Final = 8
"""A product, a sum of rows or a function takes as long as so many more pointwise operators, even of small tensors."""
_SECONDS_OF_ELEMENT: Final = 0.5e-9
_WORTH_COMPILING: Final = 0.02
"""Seconds in operators after which code is made: that takes about as long."""
_MADE: Final = "group"
"""What is noted of a group and a kind of arguments, once there is code."""
_SHARE_OF_KIND: Final = 0.1
"""Of these seconds, with arguments of one kind: other sizes most often take the same code."""
_MOST_KINDS: Final = 64
"""Kinds of arguments of one group that are remembered."""
_MOST_SHAPINGS: Final = 16
"""Kinds of a group that integers tell apart, before it is divided into groups that do not depend on them."""
_MOST_TRIED: Final = 8
"""Whose code is tried before it is looked up what kind arguments are of."""
_BETWEEN_LOOKS: Final = 1e-3
"""Seconds in operators between two looks at the arguments, as long as there is no code: a look takes some 2 µs."""
_MOST_SKIPPED: Final = 64
"""Calls between two looks."""
_PLAIN: Final = PlanKey(optimized=False)


class _Spending:
    """Seconds in the operators of groups that are alike, as those of the layers of a network are."""

    __slots__ = ("__weakref__", "seconds")

    def __init__(self) -> None:
        self.seconds = 0.0

    @property
    def is_hot(self) -> bool:
        """Whether it has taken as long as it takes to make code."""
        return self.seconds >= _WORTH_COMPILING


_SPENDINGS: Final[WeakValueDictionary[Any, _Spending]] = WeakValueDictionary()
"""By the kinds of nodes, as long as there are such groups."""


def is_fusible(node: Node) -> bool:
    """Whether a node computes a new tensor, and can be native code for some dtypes and shapes."""
    if memory_step(node) is not None:
        return all(map(_is_read_in_step, node.inputs))
    if is_composite(node):
        return True
    return joins(node) or _is_in_loops(node)


def _is_read_in_step(value: Value) -> bool:
    return _is_operand(value) or value.type == BOOL or isinstance(value.type, ListType)


def _is_in_loops(node: Node) -> bool:
    return is_on_rows(node) or is_pointwise(node) or _writes_given(node)


def _writes_given(node: Node) -> bool:
    """Whether it writes, element by element, to a tensor that it is given."""
    if not writes_elements(node):
        return False
    form = new_tensor_form(node)
    expression = None if form is None else expression_of_operator(form)
    if expression is None or not all(map(_is_operand, node.inputs)):
        return False
    return has_lowering(expression) and (
        node.kind != "aten::fill_"
        or is_constant(node.inputs[1])  # numbers that do not fit are refused
    )


def _takes_long(node: Node) -> bool:
    if memory_step(node) is not None or is_composite(node) or is_on_rows(node):
        return True
    return is_costly(expression_of(node))


def _has_own_step(node: Node) -> bool:
    return memory_step(node) is not None or joins(node) or is_composite(node)


def is_pointwise(node: Node) -> bool:
    """Whether it is computed element by element."""
    expression = expression_of(node)
    if expression is None or len(node.outputs) != 1 or node.schema is None:
        return False
    if node.schema.is_mutable or node.output.type.kind is not TypeKind.TensorType:
        return False
    if _is_in_training(node):
        return False
    if any(each.alias_info is not None for each in node.schema.returns):
        return False
    operands = [each for each in node.inputs if each.type != BOOL]
    return has_lowering(expression) and all(map(_is_operand, operands))


def _is_in_training(node: Node) -> bool:
    """Whether a normalization always updates its statistics. What may do so is in groups while it does not."""
    return may_write_statistics(node) and is_constant(node.inputs[5])


def _is_operand(value: Value) -> bool:
    return value.node.kind == prim.Constant or value.type.kind in _NUMBERS or may_be_tensor(value)


def fusion_group(node: Node, *, recording: bool) -> Callable[..., Any]:
    """What runs a group; with `recording`, operator by operator where gradients are asked for."""
    group = FusionGroup(node, recording=recording)
    return group.run if is_guarded(node) else group.run_always


class FusionGroup:
    """A group, and the native code for the kinds of arguments that it was called with."""

    __slots__ = (
        *("_before", "_divided", "_function", "_graph", "_known_launches", "_launch", "_launches"),
        *("_nodes", "_nothing", "_recording", "_shaping", "_skipped", "_spending", "_spent"),
        *("_texts", "_until_look", "_written"),
    )

    def __init__(self, node: Node, *, recording: bool) -> None:
        self._graph = subgraph_of(node).copy()
        erase_shape_information(self._graph)
        self._function = function_of_graph(self._graph, "fused")
        self._nothing = None if len(node.outputs) == 1 else (None,) * len(node.outputs)
        self._recording = recording
        self._nodes = size_of(node) + _NODES_OF_STEP * sum(map(_takes_long, self._graph.nodes()))
        self._written = written_inputs(self._graph)
        self._shaping = shaping_inputs(self._graph)
        self._divided: GraphExecutor | None = None
        self._launch: Any = None
        self._before: Any = None
        self._known_launches: tuple[Any, ...] = ()
        self._launches: dict[Any, Any] = {}
        self._spent: dict[Any, float] = {}
        self._texts: dict[Any, str] = {}
        kinds = tuple([each.kind for each in self._graph.nodes()])
        self._spending = _SPENDINGS.setdefault(kinds, _Spending())
        self._skipped = self._until_look = 0

    def run(self, *inputs: Any) -> Any:
        """The single output, or a tuple of several; None for each where there is no code for such inputs."""
        launch = self._launch
        if launch is not None:
            found = launch.results(inputs)
            if found is not None:
                self._before = launch
                self._launch = launch.following
                return found
        elif self._until_look > 0:
            self._until_look -= 1
            return self._nothing
        return self._otherwise(inputs)

    def run_always(self, *inputs: Any) -> Any:
        """The same; by the operators, where there is no code."""
        found = self.run(*inputs)
        if found is not self._nothing:
            return found
        recording = self._recording and bool(leaves) and bool(watched or is_grad_enabled())
        key = _PLAIN._replace(recording=recording)
        return executor_of(self._function).plan(key).run(inputs)

    def _otherwise(self, inputs: tuple[Any, ...]) -> Any:
        """By the code for another kind of arguments, or of smaller groups; nothing where there is none yet."""
        if self._launch is not None:
            for each in self._known_launches:
                found = each.results(inputs)
                if found is not None:
                    self._follow(each)
                    return found
        kind = self._kind_of(inputs)
        if kind is None or (self._recording and self._is_noted(inputs)):
            self._look_again_after(_MOST_SKIPPED)
            return self._nothing
        launch: Any = self._launches.get(kind)
        is_first = kind not in self._spent
        if launch is None and self._has_many_shapings():
            self._divide(is_fusible)
        elif launch is None and self._pays(kind, inputs):
            launch = self._launches[kind] = self._begun(kind, inputs)
        if isinstance(launch, Making) and launch.is_over:
            launch = self._launches[kind] = self._known(launch.made)
        if launch and not isinstance(launch, Making):
            found = launch.results(inputs)
            if found is not None:
                self._follow(launch)
                return found
        if self._divided is not None:
            return self._divided.plan(_PLAIN).run(inputs)
        pause = 0 if is_first else int(_BETWEEN_LOOKS / self._cost(_elements(inputs)))
        self._look_again_after(pause)
        return self._nothing

    def _is_noted(self, inputs: Sequence[Any]) -> bool:
        """Whether gradients have to do with the inputs, or would have to hear of what is written."""
        return _are_noted(inputs) or bool(self._written and (watched or is_grad_enabled()))

    def _has_many_shapings(self) -> bool:
        """Whether integers tell the group again and again that its tensors are others."""
        return bool(self._shaping) and len(self._spent) >= _MOST_SHAPINGS

    def _kind_of(self, inputs: Sequence[Any]) -> Any:
        """What code is made for; None where there can be none."""
        kind = _kind_of(inputs)
        if kind is None:
            return None
        if self._shaping:
            kind = (*kind, *(inputs[number] for number in self._shaping))
        if not self._written:
            return kind
        related = [each.kind for each in relations(inputs, self._written)]
        return None if Relation.OVERLAPPING in related else (*kind, *related)

    def _follow(self, launch: Any) -> None:
        """What came after what before is expected to do so again: parameters of a network come in one order."""
        if self._before is not None:
            self._before.following = launch
        self._before = launch
        self._launch = launch.following

    def _look_again_after(self, calls: int) -> None:
        """For so many calls, nothing is asked."""
        most = 0 if MODE.plan == "native" else _MOST_SKIPPED
        self._skipped = self._until_look = min(calls, most)

    def _cost(self, elements: int) -> float:
        """Seconds that the operators take, about."""
        return self._nodes * (_SECONDS_OF_NODE + _SECONDS_OF_ELEMENT * elements)

    def _pays(self, kind: Any, inputs: Sequence[Any]) -> bool:
        if len(self._spent) > _MOST_KINDS:
            self._spent.clear()
            self._launches.clear()
            self._texts.clear()
        elements = _elements(inputs)
        cost = self._cost(elements) * (1 + self._skipped)
        before = self._spent.get(kind, 0.0)
        spent = self._spent[kind] = before + cost
        self._spending.seconds += cost
        if elements == 0:
            return False
        pays = self._spending.is_hot and spent >= _SHARE_OF_KIND * _WORTH_COMPILING
        return pays or MODE.plan == "native" or self._was_made(kind, before)

    def _was_made(self, kind: Any, before: float) -> bool:
        """Whether an earlier process has made the code; that is asked at the second call."""
        if before == 0.0 or kind in self._texts:
            return False
        text = self._texts[kind] = f"{self._graph_text()}\n{kind}\n{self._recording}"
        return object_code.found(_MADE, text) is not None

    def _graph_text(self) -> str:
        """The same for groups that compute the same, wherever they stand."""
        graph = self._graph.copy()
        canonicalize(graph, keep_unique_names=False)
        return print_graph(graph, source_comments=False)

    def _begun(self, kind: Any, inputs: Sequence[Any]) -> Making[Any]:
        """Have code made for arguments such as these, which the program may change meanwhile."""
        alike = [Tensor(each.array) if isinstance(each, Tensor) else each for each in inputs]
        make = partial(self._made, self._texts.get(kind), alike)
        return BACKGROUND.begin(make, at_once=MODE.plan == "native" or not self._spending.is_hot)

    def _made(self, text: str | None, inputs: Sequence[Any]) -> Any:
        """The code, and a note for later processes that it was made."""
        made = group_launches().launch_of(self._graph, inputs, recording=self._recording)
        if text is not None and not isinstance(made, Refused):
            object_code.kept(_MADE, text, bytes)
        return made

    def _known(self, launch: Any) -> Any:
        """The code; False if there is none."""
        if launch is None or isinstance(launch, Refused):
            self._divide_refused(None if launch is None else launch.kind)
            return False
        self._known_launches = (launch, *self._known_launches)[:_MOST_TRIED]
        return launch

    def _divide_refused(self, kind: str | None) -> None:
        """Into groups that need each other; else without the nodes of a kind that there is no code for, or without all
        that there may be none for.
        """
        if self._divided is not None:
            return
        parts = self._parts(is_fusible, beside=False)
        if len(parts.find_all_nodes(prim.FusionGroup)) > 1:
            self._run_by(parts)
        elif any(node.kind == kind and is_fusible(node) for node in self._graph.nodes()):
            self._divide(lambda node: node.kind != kind and is_fusible(node))
        elif any(map(_has_own_step, self._graph.nodes())):
            self._divide(_is_in_loops)
        elif any(map(is_on_rows, self._graph.nodes())):
            self._divide(is_pointwise)

    def _divide(self, is_left: Callable[[Node], bool]) -> None:
        """Smaller groups are to run in place of operators; integers do not tell them anything."""
        if self._divided is None:
            self._run_by(self._parts(is_left, with_given=False))

    def _parts(self, left: Callable[[Node], bool], **options: bool) -> Graph:
        """The group's graph with groups of the nodes that are `left` in it."""
        parts, known = self._graph.copy(), load()
        take_parts_out(parts, known)
        fuse_graph(
            parts, is_fusible=left, part_operators=PART_OPERATORS, operators=known, **options
        )
        return parts

    def _run_by(self, parts: Graph) -> None:
        guard_fusion_groups(parts, operators=load())
        self._divided = executor_of(function_of_graph(parts, "fused"))


def _elements(inputs: Sequence[Any]) -> int:
    """Of a tensor that is as large as the largest ones along each dimension: results may be."""
    shapes = [reversed(each.array.shape) for each in inputs if isinstance(each, Tensor)]
    return prod(map(max, zip_longest(*shapes, fillvalue=1)))


def _kind_of(inputs: Sequence[Any]) -> tuple[Any, ...] | None:
    """What code is made for: dtypes, shapes and strides, whether something holds or is not there; None where there is
    a tensor of another kind.
    """
    kind: list[Any] = []
    for each in inputs:
        if each.__class__ is Tensor:
            a = each.array
            kind.append((a.dtype, a.shape, a.strides))
        elif each is None or isinstance(each, bool):
            kind.append(each)
        elif isinstance(each, int | float):
            kind.append(each.__class__)
        else:
            return None
    return tuple(kind)


def _are_noted(inputs: Sequence[Any]) -> bool:
    """Whether a tensor among the inputs has to do with gradients."""
    return any(isinstance(each, Tensor) and each.autograd is not None for each in inputs)
