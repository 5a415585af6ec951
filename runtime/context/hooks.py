"""What lower rooms ask of higher ones, whom they cannot import: each a hook, declared here by what it has to do.

`tsc.runtime`, of which every room is a part, hangs them all up when it is imported. So a hook is in place by whatever
door one comes in, and what hangs on it is loaded when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

_T = TypeVar("_T")


class Hook(Generic[_T]):
    """A place for one thing of a higher room; calling the hook gives it."""

    __slots__ = ("_load", "_thing")

    def __init__(self) -> None:
        self._load: Callable[[], _T] | None = None
        self._thing: _T | None = None

    def provide(self, load: Callable[[], _T]) -> Callable[[], _T]:
        """Hang up what `load` gives; it is called when somebody first asks."""
        self._load, self._thing = load, None
        return load

    def __call__(self) -> _T:
        if self._thing is None:
            assert self._load is not None, "nothing hangs on this hook"
            self._thing = self._load()
        return self._thing


class EagerOperators(Protocol):
    """Operators by their names, on the values of Python."""

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Run ``aten::<name>``. Raises `ScriptError`."""
        ...

    def has_operator(self, name: str) -> bool: ...

    def has_attribute(self, name: str) -> bool:
        """Whether tensors of programs have an attribute of that name."""
        ...

    def attribute(self, name: str, tensor: Any) -> Any: ...

    def no_attribute(self, name: str) -> str:
        """What to say of an attribute that tensors have not."""
        ...

    def tensor_or_number(self, value: Any) -> Any:
        """An operand of a Python operator; NotImplemented for what cannot be one."""
        ...


class TensorIndexing(Protocol):
    """``tensor[key]`` and ``tensor[key] = value``, by the rules of Python."""

    def get_item(self, tensor: Any, key: Any) -> Any: ...

    def set_item(self, tensor: Any, key: Any, value: Any) -> None: ...


class ObjectFace(Protocol):
    """What Python sees of an object of a script class."""

    def bound_method(self, owner: Any, function: Any) -> Callable[..., Any]:
        """A method of the object, which takes the values of Python."""
        ...

    def converted_attribute(self, name: str, type: Any, value: Any) -> Any:
        """A value of Python for an attribute of that type. Raises `ScriptError` for a wrong one."""
        ...


class ForeignTensors(Protocol):
    """Tensors, dtypes and devices of the PyTorch that the user has imported."""

    def own_value(self, value: Any) -> Any:
        """The same as a value of tsc, a tensor with its memory shared; others as they are. Raises `ScriptError`."""
        ...


class TorchFunctions(Protocol):
    """Functions of the user's PyTorch that are called with tensors of tsc."""

    def torch_function(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any: ...


class Tape(Protocol):
    """The gradients of tensors: what `Tensor` asks of the room that computes them."""

    def requires(self, tensor: Any) -> bool:
        """Whether a view requires a gradient: what it looks into may have been written to since it was made."""
        ...

    def history(self, view: Any) -> Any:
        """The step that made a view, after what was written to its base."""
        ...

    def backward(
        self,
        tensors: Sequence[Any],
        gradients: Sequence[Any] | None,
        retain_graph: bool | None,
        create_graph: bool,
        inputs: Any = None,
    ) -> None:
        """Sum up gradients in leaves, or in `inputs`. Raises `ScriptError`."""
        ...

    def grad(
        self,
        outputs: Sequence[Any],
        inputs: Sequence[Any],
        gradients: Sequence[Any] | None,
        retain_graph: bool | None,
        create_graph: bool,
        allow_unused: bool | None,
    ) -> list[Any]:
        """The gradients of `inputs`. Raises `ScriptError`."""
        ...

    def set_gradient(self, tensor: Any, gradient: Any) -> None: ...

    def register_hook(self, tensor: Any, hook: Callable[[Any], Any]) -> Any: ...

    def retain_grad(self, tensor: Any) -> None: ...


class GradientFunctions(Protocol):
    """Formulas of gradients, which are TorchScript, as functions."""

    def compiled(self, name: str, parameters: Sequence[tuple[str, str]], body: str) -> Any:
        """The compiled function of that body: what runs it, and runs it so that it is recorded, too."""
        ...


class DifferentiableGraphs(Protocol):
    """Groups of nodes with a graph of their gradients."""

    def differentiable_graph(self, node: Any) -> Callable[..., Any]:
        """What runs such a node."""
        ...


class FusionGroups(Protocol):
    """Groups of pointwise operators, which become native code."""

    def is_fusible(self, node: Any) -> bool:
        """Whether a node may be in a group."""
        ...

    def fusion_group(self, node: Any, *, recording: bool) -> Callable[..., Any]:
        """What runs such a group; with `recording`, operator by operator where gradients are asked for.

        Of one that is guarded it gives None for each output where there is no code.
        """
        ...


class GroupLaunches(Protocol):
    """Native code of groups of pointwise operators."""

    def launch_of(self, graph: Any, inputs: Sequence[Any], *, recording: bool) -> Any:
        """The code for such arguments; what tells a `kind`, that of a node without code, or None, if there is none."""
        ...


class NativeCode(Protocol):
    """What of a program runs as machine code."""

    def is_native(self, graph: Any) -> bool:
        """Whether a graph has all it takes to be native code."""
        ...

    def native_group(self, node: Any) -> Callable[..., Any]:
        """What runs such a group of nodes."""
        ...


class NativeReport(Protocol):
    """Native code for people to read."""

    def explanation(self, function: Any) -> str:
        """What of a function is native, and why the rest is not."""
        ...

    def code_text(self, function: Any, stage: str, *, has_run: bool = False) -> str:
        """The code, at the stage "llvm" or "assembly"; if the function `has_run`, that for its arguments too."""
        ...


class CodeMaking(Protocol):
    """LLVM."""

    def module(self, text: str) -> Any:
        """A module by its text, which has object code."""
        ...

    def region(self, graph: Any, tensors: Any) -> tuple[str, Any]:
        """The text of a graph's module for tensors of some dtypes and ranks, and where it may be left. Raises where a
        graph cannot be native.
        """
        ...

    def library(self, code: bytes, symbols: Mapping[str, int]) -> Any:
        """Object code in memory, with the addresses of what it calls."""
        ...


class Saving(Protocol):
    """Modules and functions as archives."""

    def save(
        self, m: Any, f: Any, _extra_files: Mapping[str, bytes | str] | None = None
    ) -> None: ...


class Loading(Protocol):
    """Archives as modules."""

    def load(self, f: Any) -> Any: ...


class Backends(Protocol):
    """Modules whose methods other runtimes compute."""

    def with_backend(self, program: Any, backend: str) -> Any: ...

    def call_of(self, program: Any, backend: str) -> Any: ...


class DefinedMethods(Protocol):
    """Texts as methods of modules that exist already."""

    def define_text(self, type: Any, text: str, names: Any, caller: Any) -> None:
        """Add methods to a module's class. Raises `CompileError`, and adds none then."""
        ...


eager_operators: Hook[EagerOperators] = Hook()
"""For the Python operators and methods of tensors, which are in `values`."""

tensor_indexing: Hook[TensorIndexing] = Hook()
"""For the subscripts of tensors; apart, since it takes more operators to load."""

torch_functions: Hook[TorchFunctions] = Hook()
"""For PyTorch's protocol ``__torch_function__``, which tensors have."""

object_face: Hook[ObjectFace] = Hook()
"""For the methods and attributes of script objects, which are in `values`."""

foreign_tensors: Hook[ForeignTensors] = Hook()
"""For arguments from Python, which `python_api` converts."""

saving: Hook[Saving] = Hook()
"""For ``save`` of modules and functions, which are in `python_api`."""

defined_methods: Hook[DefinedMethods] = Hook()
"""For ``define`` of modules, which are in `python_api`."""

loading: Hook[Loading] = Hook()
"""For pickles of modules: they are archives."""

backends: Hook[Backends] = Hook()
"""For ``load`` of archives, whose modules may have a backend."""

tape: Hook[Tape] = Hook()
"""For the gradients of tensors, which are in `values`."""

differentiable_graphs: Hook[DifferentiableGraphs] = Hook()
"""For the kernels of nodes, which what compiles graphs stands on."""

fusion_groups: Hook[FusionGroups] = Hook()
"""For the plans of functions, which what makes native code stands on."""

group_launches: Hook[GroupLaunches] = Hook()
"""For groups that have run often enough, which those of few programs have."""

native_code: Hook[NativeCode] = Hook()
"""For the plans of functions; there is none where llvmlite is absent."""

native_report: Hook[NativeReport] = Hook()
"""For the command line; there is nothing to tell where llvmlite is absent."""

code_making: Hook[CodeMaking] = Hook()
"""For code that was not made before; apart, since it loads LLVM."""

gradient_functions: Hook[GradientFunctions] = Hook()
"""For the tape, which computes gradients by compiled functions."""
