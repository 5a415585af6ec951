"""Script modules as Python sees them: a module's object, its methods, and its tree of submodules."""

from __future__ import annotations

import contextlib
import copy
import io
import sys
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast
from weakref import WeakValueDictionary

from tsc.compiler.ir import Function, Graph
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.types import ClassType, InterfaceType
from tsc.runtime.autograd.tape import zero_gradients
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.hooks import defined_methods, loading, saving
from tsc.runtime.operators.layout.tensor_conversion import copy_into
from tsc.runtime.python_api.module_conversion import ConvertibleModule
from tsc.runtime.python_api.module_state import IncompatibleKeys, fit
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.values.objects import ScriptObject, method_of
from tsc.runtime.values.tensor import Tensor

_WRAPPED: WeakValueDictionary[int, ScriptModule] = WeakValueDictionary()
_FORWARD = "forward"


def wrapped(value: Any) -> Any:
    """A module's object as a `ScriptModule`, always the same one; anything else as it is."""
    if isinstance(value, ScriptObject) and value.script_type.is_module:
        known = _WRAPPED.get(id(value))
        if known is None or known.script_object is not value:
            known = _WRAPPED[id(value)] = ScriptModule(value)
        return known
    return value


class ScriptModule(ConvertibleModule):
    """A module: calling it calls ``forward``; attributes, submodules and methods are attributes.

    Several threads may call one module at once, as long as none of them changes its attributes.
    """

    def __init__(self, script_object: ScriptObject) -> None:
        self.__dict__["script_object"] = script_object
        self.__dict__["_methods"] = {}

    # -- Attributes ------------------------------------------------------------------------------

    @property
    def _type(self) -> ClassType:
        return self.__dict__["script_object"].script_type

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if name in self._type.methods:
            return self._method(name)
        return wrapped(getattr(self.script_object, name))

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ScriptModule):
            value = value.script_object
        setattr(self.script_object, name, value)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *dir(self.script_object)]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        type = self._type
        if type.forward_pre_hooks or type.forward_hooks:
            return self._call_with_hooks(args, kwargs)
        return self._method(_FORWARD)(*args, **kwargs)

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Hooks see the positional arguments as a tuple; what they return, unless None, replaces them."""
        for name in self._type.forward_pre_hooks:
            changed = self._method(name)(args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        result = self._method(_FORWARD)(*args, **kwargs)
        for name in self._type.forward_hooks:
            changed = self._method(name)(args, result)
            result = result if changed is None else changed
        return result

    def _method(self, name: str) -> ModuleMethod:
        methods = self.__dict__["_methods"]
        if name not in methods:
            functions = list(self._overloads(name)) or [method_of(self.script_object, name)]
            methods[name] = ModuleMethod(self, *functions)
        return methods[name]

    def _overloads(self, name: str) -> Iterator[Function]:
        """What a method with overloads was compiled to: ``forward__0``, ``forward__1``, …"""
        number = 0
        while (function := self._type.methods.get(f"{name}__{number}")) is not None:
            yield cast("Function", function)
            number += 1

    @property
    def methods(self) -> list[str]:
        """The names of the methods that were compiled."""
        return list(self._type.methods)

    def define(self, source: str, names: Any = None) -> None:
        """Compile functions of a text, with ``self``, as methods of this module and of all others of its type.

        Names mean what they do in a `CompilationUnit`. All are added or none. Raises `CompileError`, also for the name
        of a method that there is.
        """
        defined_methods().define_text(self._type, source, names, sys._getframe(1))

    @property
    def original_name(self) -> str:
        """The name of the module's class."""
        return self._type.name

    # -- What forward is -------------------------------------------------------------------------

    @property
    def forward(self) -> ModuleMethod:
        return self._method(_FORWARD)

    @property
    def graph(self) -> Graph:
        return self.forward.graph

    @property
    def inlined_graph(self) -> Graph:
        return self.forward.inlined_graph

    @property
    def code(self) -> str:
        return self.forward.code

    @property
    def schema(self) -> FunctionSchema:
        return self.forward.schema

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        return self.forward.graph_for(*args, **kwargs)

    # -- The tree of modules ---------------------------------------------------------------------

    def named_children(self) -> Iterator[tuple[str, ScriptModule]]:
        for name, attribute in self._type.attributes.items():
            if isinstance(attribute.type, ClassType | InterfaceType):
                value = wrapped(self.script_object.script_attributes[name])
                if isinstance(value, ScriptModule):
                    yield name, value

    def children(self) -> Iterator[ScriptModule]:
        return (module for _, module in self.named_children())

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, ScriptModule]]:
        """The module itself and all below it, each once, with their dotted paths."""
        seen: set[int] = set()
        pending: list[tuple[str, ScriptModule]] = [(prefix, self)]
        while pending:
            path, module = pending.pop()
            if id(module.script_object) in seen:
                continue
            seen.add(id(module.script_object))
            yield path, module
            below = [(_joined(path, name), each) for name, each in module.named_children()]
            pending += reversed(below)

    def modules(self) -> Iterator[ScriptModule]:
        return (module for _, module in self.named_modules())

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        return self._named_tensors("is_parameter", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        return (tensor for _, tensor in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        return self._named_tensors("is_buffer", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

    def _named_tensors(
        self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Tensor]]:
        """Parameters or buffers that are there, each tensor once, or by all of its names."""
        seen: set[int] = set()
        modules = self.named_modules(prefix) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, tensor in module._own_tensors(kind):
                if id(tensor) not in seen or not remove_duplicate:
                    seen.add(id(tensor))
                    yield _joined(path, name), tensor

    def _own_tensors(self, kind: str) -> Iterator[tuple[str, Tensor]]:
        for name, attribute in self._type.attributes.items():
            value = self.script_object.script_attributes.get(name)
            if getattr(attribute, kind) and isinstance(value, Tensor):
                yield name, value

    # -- State -----------------------------------------------------------------------------------

    def state_dict(self, prefix: str = "") -> OrderedDict[str, Tensor]:
        """Every parameter and buffer by its path; the tensors share their memory with the module, but no history."""
        found: OrderedDict[str, Tensor] = OrderedDict()
        self._collect_state(found, prefix)
        return found

    def _collect_state(self, found: OrderedDict[str, Tensor], prefix: str) -> None:
        for kind in ("is_parameter", "is_buffer"):
            for name, tensor in self._own_tensors(kind):
                found[prefix + name] = tensor.detach() if tensor.requires_grad else tensor
        for name, module in self.named_children():
            module._collect_state(found, f"{prefix}{name}.")

    def load_state_dict(self, state: Mapping[str, Any], strict: bool = True) -> IncompatibleKeys:
        """Copy tensors into the parameters and buffers of the same names; tell which do not match.

        Raises `ScriptError` for shapes that differ and, if `strict`, for names that are missing or
        unknown; nothing is copied then.
        """
        own = self.state_dict()
        found = fit(own, state, strict=strict)
        if found.problems:
            raise ScriptError("RuntimeError", found.complaint(self.original_name))
        for name, array in found.arrays.items():
            copy_into(own[name].array, array)
        return found.keys

    def train(self, mode: bool = True) -> ScriptModule:
        """Set ``training`` in this module and all below it."""
        for module in self.modules():
            if "training" in module._type.attributes:
                module.script_object.script_attributes["training"] = bool(mode)
        return self

    def eval(self) -> ScriptModule:
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> ScriptModule:
        """Have all parameters require gradients, or none."""
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Take the gradients of all parameters away, or make them zeros."""
        zero_gradients(self.parameters(), set_to_none)

    def save(self, f: Any, _extra_files: Mapping[str, bytes | str] | None = None) -> None:
        """Write the module to a TorchScript archive; see `tsc.save`."""
        saving().save(self, f, _extra_files)

    # -- Containers ------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        self._require("__len__", "has no len()")
        return self._method("__len__")()

    def __iter__(self) -> Iterator[Any]:
        """The modules of a list, the keys of a dictionary."""
        self._require("__len__", "is not iterable")
        found = dict(self.named_children())
        return iter(found if "__contains__" in self._type.methods else list(found.values()))

    def __contains__(self, key: str) -> bool:
        self._require("__contains__", "is no dictionary of modules")
        return self._method("__contains__")(key)

    def __getitem__(self, index: int | str) -> ScriptModule:
        self._require("__len__", "is not subscriptable")
        found = dict(self.named_children())
        return found[index] if isinstance(index, str) else list(found.values())[index]

    def _require(self, method: str, complaint: str) -> None:
        if method not in self._type.methods:
            raise TypeError(f"the module '{self.original_name}' {complaint}")

    # -- Copies ----------------------------------------------------------------------------------

    def __copy__(self) -> ScriptModule:
        return wrapped(copy.copy(self.script_object))

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptModule:
        return wrapped(copy.deepcopy(self.script_object, memo))

    def __reduce__(self) -> tuple[Any, ...]:
        """A module is pickled as the archive that it is saved as."""
        archive = io.BytesIO()
        self.save(archive)
        return loading().load, (archive.getvalue(),)

    def __repr__(self) -> str:
        lines = [
            f"({name}): " + repr(child).replace("\n", "\n  ")
            for name, child in self.named_children()
        ]
        head = f"RecursiveScriptModule(original_name={self.original_name}"
        if not lines:
            return f"{head})"
        return (
            "\n  ".join([f"RecursiveScriptModule(\n  original_name={self.original_name}", *lines])
            + "\n)"
        )


def describe_methods(module: ScriptModule, originals: Mapping[str, object]) -> None:
    """For who made the module of another one: its methods get the docstrings of that one's."""
    for name, original in originals.items():
        module._method(name).__dict__["__doc__"] = getattr(original, "__doc__", None)


class ModuleMethod:
    """A method of a module, bound to it. A call of one with overloads is of the first that fits."""

    __slots__ = ("__dict__", "_function", "_module", "_overloads")

    def __init__(self, module: ScriptModule, function: Function, *overloads: Function) -> None:
        self._module = module
        self._function = ScriptFunction(function)
        self._overloads = [self._function, *map(ScriptFunction, overloads)]
        self.__dict__["__name__"] = function.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        *others, last = self._overloads
        for function in others:
            try:
                return wrapped(function(self._module.script_object, *args, **kwargs))
            except ScriptError as error:
                if error.stack:
                    raise
        return wrapped(last(self._module.script_object, *args, **kwargs))

    def check_arguments(self, *args: Any, **kwargs: Any) -> ScriptFunction:
        """The first overload that takes these arguments. Raises `ScriptError` if none does."""
        *others, last = self._overloads
        for function in others:
            with contextlib.suppress(ScriptError):
                function.check_arguments(self._module.script_object, *args, **kwargs)
                return function
        last.check_arguments(self._module.script_object, *args, **kwargs)
        return last

    @property
    def graph(self) -> Graph:
        return self._function.graph

    @property
    def inlined_graph(self) -> Graph:
        return self._function.inlined_graph

    @property
    def optimized_graph(self) -> Graph:
        return self._function.optimized_graph

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        return self._function.graph_for(self._module.script_object, *args, **kwargs)

    @property
    def schema(self) -> FunctionSchema:
        return self._function.schema

    @property
    def code(self) -> str:
        return self._function.code

    @property
    def bytecode(self) -> str:
        return self._function.bytecode

    @property
    def name(self) -> str:
        return self._function.name

    @property
    def module(self) -> ScriptModule:
        return self._module

    @property
    def function(self) -> Function:
        return cast("Function", self._function.function)

    def __repr__(self) -> str:
        return f"<method {self.schema}>"


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
