"""Traces of what PyTorch's tensors do, of users who have it: PyTorch runs the function, tsc listens.

PyTorch tells a function mode of every function that is called with tensors. What PyTorch's own Python asks
to know whether a trace runs, and which module's ``forward`` it is in, is answered for the time of a trace.
PyTorch is never imported: it is there already if its tensors are.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import FunctionType, ModuleType
from typing import Any, Final

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.schema import Operator
from tsc.compiler.types import Device, TensorType
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME, DTYPE_OF_NUMPY, bfloat16
from tsc.runtime.context import trace_state
from tsc.runtime.live.torch_tensors import shared_tensor
from tsc.runtime.tracing.bindings import Bindings
from tsc.runtime.tracing.errors import TracerWarning, TracingError
from tsc.runtime.tracing.forks import TracedFuture
from tsc.runtime.tracing.modules import function_scripted_by_pytorch
from tsc.runtime.tracing.recorder import Recorder
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.tensor_operators import SELF_SECOND

_OPERATOR_GETTERS: Final = ("T", "H", "mT", "mH", "real", "imag")
_OVERRIDABLE: Final = (
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
)


def torch_module() -> Any:
    return sys.modules["torch"]


class TorchTensors:
    """PyTorch's tensors."""

    def __init__(self) -> None:
        self._class = torch_module().Tensor

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self._class)

    def describe(self, tensor: Any) -> TensorType:
        with trace_state.paused():
            return TensorType(
                dtype=DTYPE_OF_NAME[str(tensor.dtype).removeprefix("torch.")].scalar_name,
                sizes=tuple(tensor.shape),
                strides=tuple(tensor.stride()),
                device=str(tensor.device),
                requires_grad=bool(tensor.requires_grad),
            )

    def as_constant(self, tensor: Any) -> Tensor:
        with trace_state.paused():
            return shared_tensor(tensor.resolve_conj().resolve_neg())

    def number(self, value: int) -> Any:
        with trace_state.paused():
            return torch_module().tensor(value)

    def alias(self, tensor: Any) -> Any:
        with trace_state.paused():
            return tensor.view_as(tensor)

    def program_value(self, value: Any) -> Any:
        if self.is_tensor(value):
            return shared_tensor(value)
        if isinstance(value, list | tuple):
            items = [self.program_value(each) for each in value]
            return items if isinstance(value, list) else tuple(items)
        if isinstance(value, dict):
            return {key: self.program_value(each) for key, each in value.items()}
        return value

    def from_program(self, value: Any, *, requires_grad: bool) -> Any:
        if isinstance(value, Tensor):
            made = torch_tensor(value)
            torch = torch_module()
            floating = made.is_floating_point() or made.is_complex()
            if requires_grad and floating and torch.is_grad_enabled():
                return made.requires_grad_().clone()
            return made
        if isinstance(value, list | tuple):
            items = [self.from_program(each, requires_grad=requires_grad) for each in value]
            return items if isinstance(value, list) else tuple(items)
        if isinstance(value, dict):
            return {
                key: self.from_program(each, requires_grad=requires_grad)
                for key, each in value.items()
            }
        return value

    def run(self, operator: Operator, values: Sequence[Any]) -> Any:
        """By PyTorch's own table of operators."""
        packet = getattr(torch_module().ops.aten, operator.name.removeprefix("aten::"))
        function = getattr(packet, operator.overload_name or "default")
        schema = operator.schema.arguments
        named = {a.name: _for_torch(each) for a, each in zip(schema, values) if a.kwarg_only}
        plain = [_for_torch(each) for a, each in zip(schema, values) if not a.kwarg_only]
        return function(*plain, **named)

    def note_result(self, operator: Operator, values: Sequence[Any], result: Any) -> None:
        pass


def torch_tensor(tensor: Tensor) -> Any:
    """A tensor of PyTorch that shares the memory."""
    torch = torch_module()
    array = tensor.array
    if DTYPE_OF_NUMPY[array.dtype] is bfloat16:
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)


def _for_torch(value: Any) -> Any:
    if isinstance(value, Device):
        return torch_module().device(str(value))
    return value


class _Sizes(tuple[Any, ...]):
    """What stands for ``torch.Size`` while a trace runs: its elements are tensors."""

    __slots__ = ()

    def numel(self) -> int:
        count = 1
        for each in self:
            count *= int(each)
        return count


class Listener:
    """Hears of PyTorch's functions, and has the recorder of this thread record them."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.mode: Any = None
        self._running: list[Any] = []
        self._converted: dict[int, tuple[Tensor, Any]] = {}
        recorder.bindings = Bindings(recorder, _constant_of, _tensor_of, _number_tensor)

    def hear(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """A call of one of PyTorch's functions. Tensors of tsc are constants to it."""
        args = [self._torch_value(each) for each in args]
        kwargs = {key: self._torch_value(each) for key, each in kwargs.items()}
        if isinstance(func, FunctionType):
            base = getattr(torch_module()._C.TensorBase, func.__name__, None)
            if func not in self._running or base is None:
                return self._run_python(func, args, kwargs)
            func = base
        name = getattr(func, "__name__", "")

        def run() -> Any:
            with trace_state.paused():
                return func(*args, **kwargs)

        if name == "__get__":
            return self._hear_getter(func.__self__.__name__, args[0], run)
        if name == "__set__":
            return run()
        if name in ("size", "numel", "nelement") and self._is_own_method(func):
            return self._hear_size(name, args, kwargs, run)
        if name in SELF_SECOND and self._is_own_method(func):
            return self._bindings.hear(name, (args[1], args[0], *args[2:]), kwargs, run)
        return self._bindings.hear(name, args, kwargs, run)

    def _torch_value(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            known = self._converted.get(id(value))
            if known is None:
                with trace_state.paused():
                    known = self._converted[id(value)] = value, torch_tensor(value)
            return known[1]
        if type(value) in (list, tuple) and any(isinstance(each, Tensor) for each in value):
            return type(value)(map(self._torch_value, value))
        return value

    def _run_python(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """PyTorch's Python calls other functions. If it calls its own name, that of its base is meant."""
        self._running.append(func)
        try:
            with self.mode:
                return func(*args, **kwargs)
        finally:
            self._running.pop()

    @property
    def _bindings(self) -> Bindings:
        return self.recorder.bindings

    def _is_own_method(self, func: Any) -> bool:
        return type(func).__name__ == "method_descriptor"

    def _hear_getter(self, name: str, tensor: Any, run: Callable[[], Any]) -> Any:
        if name == "shape":
            return self._sizes(tensor)
        if name in _OPERATOR_GETTERS:
            return self._bindings.hear(name, (tensor,), {}, run)
        return run()

    def _hear_size(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], run: Callable[[], Any]
    ) -> Any:
        if name != "size":
            return self.recorder.number_of_elements(args[0], run())
        dim = args[1] if len(args) > 1 else kwargs.get("dim")
        return self._sizes(args[0]) if dim is None else self.recorder.size(args[0], dim, run())

    def _sizes(self, tensor: Any) -> _Sizes:
        with trace_state.paused():
            extents = tuple(tensor.shape)
        return _Sizes([self.recorder.size(tensor, dim, each) for dim, each in enumerate(extents)])

    # -- What PyTorch asks the state of its own tracer for -----------------------------------------

    def push_scope(self, path: str) -> None:
        self.recorder.push_scope(path)

    def pop_scope(self) -> None:
        self.recorder.pop_scope()


def _constant_of(value: Any) -> Any:
    """dtypes, layouts and memory formats as the numbers they are in graphs."""
    kind = type(value).__name__
    if type(value).__module__ != "torch" or kind == "Tensor":
        return value.item() if type(value).__module__ == "numpy" else value
    if kind == "device":
        return Device.parse(str(value))
    return known.CONSTANTS.get(str(value), value)


def _tensor_of(value: Any, like: Any = None) -> Any:
    torch = torch_module()
    with trace_state.paused():
        if like is not None:
            return torch.tensor(value, dtype=like.dtype)
        return torch.tensor(value)


def _number_tensor(value: Any) -> Any:
    torch = torch_module()
    dtypes = {float: torch.float64, complex: torch.complex128}
    with trace_state.paused():
        return torch.tensor(value, dtype=dtypes.get(type(value)))


_ONE_AT_A_TIME = threading.RLock()
"""What is replaced in PyTorch for one trace is put back before the next one."""

# -- Listening ---------------------------------------------------------------------------------


@contextmanager
def listening(recorder: Recorder, paths: Mapping[Any, str]) -> Iterator[None]:
    """Record what PyTorch's functions do in this thread. `paths` are those of submodules."""
    listener = Listener(recorder)
    mode = listener.mode = _mode(listener)
    with _ONE_AT_A_TIME, ExitStack() as stack:
        for owner, name, value in _answers(listener, paths):
            stack.enter_context(_replaced(owner, name, value))
        stack.enter_context(mode)
        yield


def _mode(listener: Listener) -> Any:
    base = sys.modules["torch.overrides"].TorchFunctionMode

    def __torch_function__(
        self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        named = kwargs or {}
        if trace_state.current() is not listener.recorder:
            return func(*args, **named)
        return listener.hear(func, args, named)

    return type("Listening", (base,), {"__torch_function__": __torch_function__})()


def _answers(listener: Listener, paths: Mapping[Any, str]) -> Iterator[tuple[Any, str, Any]]:
    """What is replaced where, for the time of the trace."""
    torch = torch_module()
    core, tracer = torch._C, sys.modules["torch.jit._trace"]

    def is_recording() -> bool:
        return trace_state.current() is listener.recorder

    state, is_tracing = core._get_tracing_state, core._is_tracing
    yield core, "_get_tracing_state", lambda: listener if is_recording() else state()
    yield core, "_is_tracing", lambda: is_recording() or is_tracing()
    yield tracer, "_trace_module_map", paths
    yield torch.jit, "TracerWarning", TracerWarning
    yield sys.modules["torch._tensor_str"], "_str", _unheard(sys.modules["torch._tensor_str"]._str)
    yield core.ScriptFunction, "__call__", _compiled(listener, core.ScriptFunction, _function)
    yield core.ScriptMethod, "__call__", _compiled(listener, core.ScriptMethod, _method(paths))
    yield core, "fork", _forked(listener, core.fork)
    yield core, "wait", _waited(core.wait)
    yield torch, "from_numpy", _heard(listener, "from_numpy", torch.from_numpy)
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType) and module.__name__.startswith("torch."):
            for name in _OVERRIDABLE:
                known = vars(module).get(name)
                if known is not None and module.__name__ != "torch._C":
                    yield module, name, _not_while(is_recording, known)


def _unheard(function: Any) -> Any:
    """A function that computes with tensors for the eyes only."""

    def call(*args: Any, **kwargs: Any) -> Any:
        with trace_state.paused():
            return function(*args, **kwargs)

    return call


def _compiled(listener: Listener, owner: Any, convert: Callable[[Any], Any]) -> Any:
    """Calls of what ``torch.jit`` compiled are recorded as calls of the same, loaded here."""
    call = owner.__call__
    made: dict[int, tuple[Any, Any]] = {}

    def hear(compiled: Any, *args: Any, **kwargs: Any) -> Any:
        if trace_state.current() is not listener.recorder:
            return call(compiled, *args, **kwargs)
        if id(compiled) not in made:
            with trace_state.paused():
                made[id(compiled)] = compiled, convert(compiled)
        return made[id(compiled)][1](*args, **kwargs)

    return hear


def _function(compiled: Any) -> Any:
    return function_scripted_by_pytorch(compiled)


def _method(paths: Mapping[Any, Any]) -> Callable[[Any], Any]:
    def convert(compiled: Any) -> Any:
        name = compiled.name
        for module, made in scripted.items():
            if vars(module).get(name) is compiled:
                return getattr(made, name)
        raise TracingError(
            f"Tried to trace the method '{name}' of a module that is not part of the active trace. "
            "Modules that are called during a trace must be registered as submodules of the thing "
            "being traced."
        )

    scripted = getattr(paths, "scripted", {})
    return convert


def _heard(listener: Listener, name: str, function: Any) -> Any:
    """A function of which modes are not told."""

    def hear(*args: Any) -> Any:
        if trace_state.current() is not listener.recorder:
            return function(*args)
        return listener.recorder.hear(name, *args, run=lambda: function(*args))

    return hear


def _forked(listener: Listener, function: Any) -> Any:
    def fork(called: Any, *args: Any, **kwargs: Any) -> Any:
        if trace_state.current() is not listener.recorder:
            return function(called, *args, **kwargs)
        return listener.recorder.fork(called, args, kwargs)

    return fork


def _waited(function: Any) -> Any:
    return lambda future: future.wait() if isinstance(future, TracedFuture) else function(future)


def _not_while(is_recording: Callable[[], bool], known: Any) -> Any:
    """PyTorch's Python functions ask whether to hand over to a mode: here they run, and what they call is heard."""
    return lambda *args: False if is_recording() else known(*args)


@contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
