"""What ``torch.jit`` has for programs to be written with, for Python to run: decorators and functions.

They mean the same to Python as PyTorch's do, so that a function also works when it is not compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from tsc.runtime.context import trace_state
from tsc.runtime.values.futures import Future

_T = TypeVar("_T")

NAMES: Final = (
    *("annotate", "export", "fork", "ignore", "interface", "is_scripting", "is_tracing"),
    *("unused", "wait", "Final", "Future"),
)
MODIFIER: Final = "_torchscript_modifier"
INTERFACE: Final = "__torch_script_interface__"


def annotate(the_type: Any, the_value: _T) -> _T:
    """``annotate(List[int], [])``: the value; the compiler gives it the type."""
    return the_value


def is_scripting() -> bool:
    """True in compiled code; Python gets False."""
    return False


def is_tracing() -> bool:
    """Whether `tsc.trace` records what runs. In compiled code False."""
    return bool(trace_state.running) and trace_state.current() is not None


def _marked(function: Any, modifier: str) -> Any:
    target = function.fget if type(function) is property else function
    setattr(target, MODIFIER, modifier)
    return function


def modifier_of(value: Any) -> str:
    """What a decorator asked for: ``ignore``, ``unused``, ``export``, or nothing."""
    return str(getattr(value, MODIFIER, "")).partition(" ")[0]


def export(fn: _T) -> _T:
    """Compile a method of a module, though nothing calls it."""
    return _marked(fn, "export")


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Leave a function to Python. ``ignore(drop=True)`` is `unused`."""
    if callable(drop):
        return _marked(drop, "ignore")
    is_dropped = drop or kwargs.get("drop_on_export", False)
    return lambda fn: _marked(fn, "unused" if is_dropped else "ignore")


def unused(fn: _T) -> _T:
    """Do not compile a function: calls of it compile, and raise when they are reached."""
    return _marked(fn, "unused")


def interface(cls: _T) -> _T:
    """Make a class an interface: its methods are what other classes must have."""
    setattr(cls, INTERFACE, True)
    return cls


def fork(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Future[Any]:
    """Call a function, whose result ``wait`` gives. Python calls it at once, as PyTorch's does; programs do not."""
    recorder = trace_state.current()
    if recorder is not None:
        return recorder.fork(func, args, kwargs)
    ended: Future[Any] = Future()
    ended.set_result(func(*args, **kwargs))
    return ended


def wait(future: Any) -> Any:
    """The result of a future."""
    return future.wait()
