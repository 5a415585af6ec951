"""``tsc.export``: a function or a method becomes an exported program by what it does with example arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from tsc.compiler.budget import budget
from tsc.compiler.exir import refusals
from tsc.compiler.exir.exported_program import CallSpec, RangeConstraint
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.pytrees import TreeSpec, tree_flatten
from tsc.compiler.exir.signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
)
from tsc.compiler.exir.symbols.sym_values import SymBool, SymFloat, SymInt
from tsc.compiler.exir.targets import operator_target
from tsc.compiler.ir import Function
from tsc.compiler.outer_net import foreseen
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange, UsageError
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.late_texts import LateText
from tsc.runtime.exporting.control_flow.wide_numbers import tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber, TensorArray
from tsc.runtime.exporting.errors import ExportError, located
from tsc.runtime.exporting.hooks import Run, run_with_hooks
from tsc.runtime.exporting.interpreter import Interpreter
from tsc.runtime.exporting.module_state import ModuleState, UnliftedStateError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.python_api.script_function import ScriptFunction, converted_arguments
from tsc.runtime.python_api.script_module import ModuleMethod, ScriptModule
from tsc.runtime.values.objects import method_of
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.typed_containers import without_types

if TYPE_CHECKING:
    from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes

_DIALECT: Final = "TRAINING"
"""PyTorch's name for programs that were captured and not decomposed: operators may write."""
_COPY: Final = operator_target("aten::copy_")
_KINDS: Final = {"p": InputKind.PARAMETER, "b": InputKind.BUFFER, "c": InputKind.CONSTANT_TENSOR}


@foreseen()
def export(
    program: ScriptModule | ModuleMethod | ScriptFunction,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    method: str = "forward",
    dynamic_shapes: Any = None,
    strict: bool = False,
) -> LoadedProgram:
    """The program that a method of a module, or a function, is for arguments like these.

    It is run once on `args` and `kwargs`; the module and the arguments are what they were afterwards. All arguments
    that are no tensors become part of the program, and so do the sizes of the tensors but those that `dynamic_shapes`
    says: for each argument, by name or in order, a dict or tuple of `Dim`, `Dim.AUTO`, a number or None by dimension.
    `strict` refuses effects that would be lost, such as prints.

    Raises:
        ExportError: something in it has no place in an exported program; says where, and what would have.
        ConstraintViolationError: the program is for fewer sizes than `dynamic_shapes` declares; says which, and why.
        ScriptError: the arguments do not fit, or the program fails on them.
    """
    function, owner = _method(program, method, args, kwargs or {})
    given = (*args,) if owner is None else (owner.script_object, *args)
    values = converted_arguments(function, given, dict(kwargs or {}))
    own = values if owner is None else values[1:]
    is_called = isinstance(program, ScriptModule) and method == "forward"

    def captured(lifted: frozenset[str]) -> LoadedProgram:
        capture = _Capture(function.function, owner, own, strict, is_called, lifted)
        capture.given = (*capture.names[: len(args)], *(kwargs or {}))
        if dynamic_shapes is not None:
            capture.declare(dynamic_shapes)
        try:
            capture.run(tuple(args), dict(kwargs or {}))
            return capture.program()
        finally:
            capture.recorder.forget()

    with budget(), deep_recursion():
        return _with_lifted_state(captured)


def _with_lifted_state(captured: Callable[[frozenset[str]], LoadedProgram]) -> LoadedProgram:
    """Capture, until all that the program changes of a module is in buffers."""
    lifted: frozenset[str] = frozenset()
    while True:
        try:
            return captured(lifted)
        except UnliftedStateError as error:
            lifted = error.paths


def _method(
    program: Any, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[ScriptFunction, ScriptModule | None]:
    """What is to be run. Raises `UsageError` for what cannot be exported, and methods that are not there."""
    if isinstance(program, ScriptModule):
        if method in program.methods:
            return ScriptFunction(method_of(program.script_object, method)), program
        if f"{method}__0" in program.methods:
            return getattr(program, method).check_arguments(*args, **kwargs), program
        there = ", ".join(program.methods) or "none"
        raise UsageError(f"the module has no method {method}; its methods are: {there}")
    if isinstance(program, ModuleMethod):
        return _method(program.module, program.name, args, kwargs)
    if isinstance(program, ScriptFunction):
        return program, None
    raise UsageError(
        f"export takes a compiled function or module, not {type(program).__name__}: tsc.script makes one"
    )


@dataclass(slots=True)
class _Capture:
    """One run: what goes in, what is recorded, and the program that it makes."""

    function: Function
    owner: ScriptModule | None
    values: list[Any]
    strict: bool
    is_called: bool
    """Whether it is the call of a module, with its hooks."""
    lifted: frozenset[str] = frozenset()
    """The paths of what the program changes of the module, other than buffers."""
    recorder: Recorder = field(default_factory=Recorder)
    inputs: list[InputSpec] = field(default_factory=list[InputSpec])
    outputs: list[OutputSpec] = field(default_factory=list[OutputSpec])
    examples: Any = None
    given: tuple[str, ...] = ()
    """The names of the arguments that are given."""
    in_spec: TreeSpec | None = None
    out_spec: TreeSpec | None = None
    state: ModuleState | None = None
    module: GraphModule | None = None

    dynamic_shapes: Any = None

    def __post_init__(self) -> None:
        self.recorder.make_sizes = self._make_sizes

    @property
    def names(self) -> list[str]:
        """Of the arguments without the module."""
        names = [each.name for each in self.function.schema.arguments]
        return names[1:] if self.owner is not None else names

    def declare(self, dynamic_shapes: Any) -> None:
        """Have sizes that may change. Raises `UsageError` for what is declared of no argument."""
        self.dynamic_shapes = dynamic_shapes
        self.recorder.have_sizes()

    def _make_sizes(self) -> SymbolicSizes:
        from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes

        return SymbolicSizes(self.dynamic_shapes, self.names, self.given)

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Record the program, and put back what it changed."""
        given = self.values
        if self.owner is not None:
            self.state = ModuleState.of(self.owner, self.lifted)
            for path, letter, tensor in self.state.tensors():
                self.recorder.placeholder(f"{letter}_{path.replace('.', '_')}", tensor)
            given = [self.owner.script_object, *given]
        self._add_user_inputs(args, kwargs)
        paths = self.state.paths if self.state else {}
        interpreter = Interpreter(self.recorder, paths, self.state, strict=self.strict)
        try:
            with interpreter.running() as run:
                result = without_types(self._result(run, given, len(args)))
            self._add_outputs(result, self._final_writes())
        finally:
            self.recorder.undo_log.undo()
            if self.state is not None:
                self.state.restore()

    def _result(self, run: Run, values: list[Any], given: int) -> Any:
        if self.is_called:
            return run_with_hooks(run, self.function, values, given)
        return run(self.function, values)

    # -- Inputs ----------------------------------------------------------------------------------

    def _add_user_inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """The leaves of what was given; those behind defaults are constants of the program."""
        names = self.names
        by_name = dict(zip(names, self.values, strict=True))
        taken = tuple([by_name[name] for name in names[: len(args)]])
        named = {name: by_name[name] for name in kwargs}
        self.examples = (taken, named)
        _, self.in_spec = tree_flatten((args, kwargs))
        for name, value in (*zip(names, taken), *named.items()):
            declared = self._declared(name, value)
            for (path, leaf), (spec, source) in zip(_leaves(value, name), declared):
                self._add_user_input(path, leaf, spec, source)
        if self.recorder.sizes is not None:
            self.recorder.sizes.begin()
            self.recorder.sizes.note_inputs(self.recorder)

    def _declared(self, name: str, value: Any) -> Iterable[tuple[Any, str]]:
        """What is said of the sizes of each leaf, and where it is."""
        sizes = self.recorder.sizes
        return repeat((None, "")) if sizes is None else sizes.leaves(name, value)

    def _add_user_input(self, name: str, leaf: Any, spec: Any, source: str) -> None:
        if not isinstance(leaf, Tensor | bool | int | float | str | None):
            raise ExportError(
                f"the argument {name} is a {type(leaf).__name__}: exported programs take tensors, numbers, strings, "
                "None, and tuples, lists and dicts of these",
                hint="give its tensors as arguments",
                refusal=refusals.ARGUMENT,
            )
        if spec is not None and not isinstance(leaf, Tensor):
            raise UsageError(
                f"dynamic_shapes: {source} is no tensor, and has no sizes that may change: it is part of the program"
            )
        sizes, known = self.recorder.sizes, None
        if sizes is not None and isinstance(leaf, Tensor):
            known = sizes.of_input(leaf, spec, source)
        node = self.recorder.placeholder(name, leaf, of_user=True, known=known)
        constant = None if isinstance(leaf, Tensor) else ConstantArgument(leaf, node.name)
        if constant is not None:
            node.meta["val"] = leaf
        self.inputs.append(InputSpec(InputKind.USER_INPUT, node.name, constant=constant))

    # -- Outputs ---------------------------------------------------------------------------------

    def _final_writes(self) -> list[tuple[Tensor, Tensor]]:
        """Buffers that were assigned, and the tensors that they get: programs have no attributes."""
        state, recorder = self.state, self.recorder
        if state is None:
            return []
        state.refuse_unlifted(
            {
                path
                for path, letter, tensor in state.tensors()
                if letter == "c" and recorder.undo_log.is_written_since(0, tensor)
            }
        )
        found: list[tuple[Tensor, Tensor]] = []
        for buffer, value, place in state.writes():
            with located(place):
                found.append((buffer, tensor_of(recorder, value)))
        buffers = [buffer for buffer, _ in found]
        return [(buffer, self._apart(value, buffers)) for buffer, value in found]

    def _apart(self, value: Tensor, buffers: Sequence[Tensor]) -> Tensor:
        """What a tensor holds before these buffers are written."""
        if not any(np.may_share_memory(value.array, each.array) for each in buffers):
            return value
        return self.recorder.run("aten::clone", "", [value, None], value.array.copy())

    def _add_outputs(self, result: Any, writes: Sequence[tuple[Tensor, Tensor]]) -> None:
        """End the graph. Regions of it get graphs of their own, and so results other names."""
        leaves, self.out_spec = tree_flatten(_plain(result))
        recorder, buffers = self.recorder, [buffer for buffer, _ in writes]
        returned = [
            self._returned(self._apart(each, buffers) if isinstance(each, Tensor) else each)
            for each in leaves
        ]
        for buffer, value in writes:
            target, source = recorder.node_of(buffer), recorder.node_of(value)
            recorder.graph.call_function(_COPY, (target, source)).meta.update(target.meta)
        recorder.graph.output(tuple(returned))
        self.module = recorder.module()
        for each in self.module.graph.returned:
            told = each.name if isinstance(each, Node) else ConstantArgument(each)
            self.outputs.append(OutputSpec(OutputKind.USER_OUTPUT, told))

    def _returned(self, leaf: Any) -> Any:
        """What the graph returns for a leaf of the result."""
        if isinstance(leaf, Tensor | DataNumber | SymInt | SymFloat):
            return self.recorder.argument(leaf)
        if isinstance(leaf, bool | int | float | None):
            return leaf
        place = self._place_of_result()
        if isinstance(leaf, Condition | SymBool):
            word = "data decides" if isinstance(leaf, Condition) else "sizes decide"
            raise ExportError(
                f"a truth value that {word} is returned",
                place,
                hint="return a tensor: compare without bool(…)",
                refusal=refusals.RESULT,
            )
        if isinstance(leaf, LateText):
            raise ExportError(refusals.TEXT.summary, place, refusal=refusals.TEXT)
        if isinstance(leaf, TensorArray):
            raise ExportError(
                "a list is returned of which data tells how long it is",
                place,
                hint="return one tensor: torch.stack, torch.cat or torch.tensor of the list",
                refusal=refusals.RESULT,
            )
        raise ExportError(
            f"a {type(leaf).__name__} is returned: exported programs give tensors, numbers, None, and "
            "tuples, lists and dicts of these",
            place,
            hint="return what it holds as a tuple",
            refusal=refusals.RESULT,
        )

    def _place_of_result(self) -> SourceRange:
        """Where the result is made; of a list literal, which has no place of its own, where it is used first."""
        result = self.function.graph.outputs[0]
        found = [result.node.range, *[use.node.range for use in result.uses]]
        return next((each for each in found if each != UNKNOWN_RANGE), UNKNOWN_RANGE)

    # -- The program -----------------------------------------------------------------------------

    def program(self) -> LoadedProgram:
        """What was recorded."""
        assert self.in_spec is not None and self.out_spec is not None
        tensors = {} if self.state is None else dict(self.state.named_tensors())
        state = {path: each for path, (letter, each) in tensors.items() if letter != "c"}
        constants = {path: each for path, (letter, each) in tensors.items() if letter == "c"}
        assert self.module is not None
        return LoadedProgram(
            self.module,
            ExportGraphSignature([*self._lifted_inputs(), *self.inputs], self.outputs),
            CallSpec(self.in_spec, self.out_spec, self.given),
            state,
            self._ranges(self.module),
            (),
            constants | self.recorder.constants,
            dialect=_DIALECT,
            size_names=self._size_names(),
            guards=[] if self.recorder.sizes is None else self.recorder.sizes.guards(),
            example_inputs=self.examples,
        )

    def _size_names(self) -> dict[str, str]:
        sizes = self.recorder.sizes
        return {} if sizes is None else sizes.declared.names()

    def _ranges(self, module: GraphModule) -> dict[str, RangeConstraint]:
        sizes = self.recorder.sizes
        if sizes is None:
            return {name: RangeConstraint(None, None) for name in self.recorder.symbols}
        return sizes.finish(self.recorder, module)

    def _lifted_inputs(self) -> Iterator[InputSpec]:
        """What stands in front of the inputs of users: parameters, buffers, and constants."""
        named = [] if self.state is None else list(self.state.tensors())
        lifted = [(path, "c", each) for path, each in self.recorder.constants.items()]
        nodes = self.recorder.graph.placeholders
        for (path, letter, _), node in zip([*named, *lifted], nodes):
            yield InputSpec(_KINDS[letter], node.name, path, True if letter == "b" else None)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The leaves of an argument with the names that their inputs have: ``xs_0``, ``state_hidden``."""
    if isinstance(value, list | tuple):
        for place, each in enumerate(cast("Sequence[Any]", value)):
            yield from _leaves(each, f"{path}_{place}")
    elif isinstance(value, dict):
        for key, each in cast("dict[Any, Any]", value).items():
            yield from _leaves(each, f"{path}_{key}")
    else:
        yield path, value


def _plain(value: Any) -> Any:
    """Named tuples as tuples: the reader of a program does not know their classes."""
    if isinstance(value, tuple):
        return tuple([_plain(each) for each in cast("tuple[Any, ...]", value)])
    if isinstance(value, list):
        return [_plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in cast("dict[Any, Any]", value).items()}
    return value
