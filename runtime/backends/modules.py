"""Modules and functions with a backend: they are called as before, and a backend computes what it takes."""

from __future__ import annotations

from typing import Any

from tsc.runtime.backends.backend import backend_named
from tsc.runtime.backends.calls import BackendFunction, State
from tsc.runtime.backends.program_calls import call_of
from tsc.runtime.python_api.module_state import IncompatibleKeys
from tsc.runtime.python_api.script_module import ModuleMethod, ScriptModule


def with_backend(program: ScriptModule, backend: str) -> BackendModule:
    """The same module, whose methods a backend computes as far as it can.

    Raises `UsageError` for a backend that is not known, and `BackendError` for one that is not installed.
    """
    backend_named(backend)
    return BackendModule(program, backend)


class BackendModule(ScriptModule):
    """A module whose methods are captured when they are called, once for each kind of arguments.

    Results have no gradients, unless an argument requires them: such calls run here. Parameters are handed over as they
    are: what changes them afterwards other than the methods of this object (its submodules, a tensor that is written
    to) does not show.
    """

    def __init__(self, module: ScriptModule, backend: str) -> None:
        super().__init__(module.script_object)
        self.__dict__["backend"] = backend
        self.__dict__["_state"] = State()

    def _method(self, name: str) -> ModuleMethod:
        methods = self.__dict__["_methods"]
        if name not in methods:
            plain = super()._method(name)
            methods[name] = _BackendMethod(self, plain, self.__dict__["_state"])
        return methods[name]

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        self.__dict__["_state"].changes += 1

    def train(self, mode: bool = True) -> ScriptModule:
        self.__dict__["_state"].changes += 1
        return super().train(mode)

    def load_state_dict(self, state: Any, strict: bool = True) -> IncompatibleKeys:
        self.__dict__["_state"].changes += 1
        return super().load_state_dict(state, strict)


class _BackendMethod(ModuleMethod):
    """A method of a module with a backend."""

    def __init__(self, module: BackendModule, plain: ModuleMethod, state: State) -> None:
        self._module, self._function, self._overloads = module, plain._function, plain._overloads
        self.__dict__["__name__"] = plain.name
        self._calls = BackendFunction(plain, module.__dict__["backend"], state)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._calls(*args, **kwargs)

    def report(self, *args: Any, **kwargs: Any) -> str:
        """What of a call with such arguments the backend computes, and what not and why."""
        return self._calls.report(*args, **kwargs)


__all__ = ["BackendModule", "call_of", "with_backend"]
