"""Evaluated modules, and what they do with what is assigned to them: parameters, buffers, submodules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.instances import Instance
from tsc.runtime.construction.values.protocol import MISSING, Evaluator
from tsc.runtime.construction.values.value import type_name
from tsc.runtime.values.tensor import Tensor


class Parameter(Tensor):
    """A tensor that a module registers as a parameter when it is assigned to an attribute."""

    __slots__ = ()

    def __init__(self, data: Tensor, requires_grad: bool = True) -> None:
        super().__init__(data.array)
        self.requires_grad = requires_grad

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"


class Buffer(Tensor):
    """A tensor that a module registers as a buffer when it is assigned to an attribute."""

    __slots__ = ("persistent",)

    def __init__(self, data: Tensor, persistent: bool = True) -> None:
        super().__init__(data.array)
        self.persistent = persistent


class ModuleClass(ClassObject):
    """``nn.Module`` or a class derived from it.

    `qualified_name` is PyTorch's: ``__torch__.M`` for a class of the compiled file,
    ``__torch__.torch.nn.modules.linear.Linear`` for one of the library.
    """

    __slots__ = ()

    @property
    def constants(self) -> tuple[str, ...]:
        """The names in ``__constants__``."""
        found = self.find("__constants__")
        return tuple(found) if isinstance(found, list | tuple | set | frozenset) else ()


@dataclass(slots=True, eq=False, repr=False)
class Hook:
    """A hook of a module: any callable, with what ``register_*_hook`` said of it."""

    function: Any
    with_kwargs: bool = False


@dataclass(slots=True, eq=False, repr=False)
class ModuleInstance(Instance):
    """An evaluated module: what ``__init__`` left in it, in the order of creation.

    `attributes` are the plain ones; a parameter, buffer or submodule may be None. The containers
    (`Sequential`, `ModuleList`, `ModuleDict`) have their elements in `modules`, `ParameterList` and
    `ParameterDict` theirs in `parameters`. `initialized` is false until ``nn.Module.__init__`` ran.
    """

    cls: ClassObject
    attributes: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Parameter | None] = field(default_factory=dict)
    buffers: dict[str, Tensor | None] = field(default_factory=dict)
    non_persistent: set[str] = field(default_factory=set)
    modules: dict[str, ModuleInstance | None] = field(default_factory=dict)
    training: bool = True
    forward_pre_hooks: list[Hook] = field(default_factory=list)
    forward_hooks: list[Hook] = field(default_factory=list)
    initialized: bool = False

    @property
    def places(self) -> tuple[dict[str, Any], ...]:
        """Where what is assigned to the module is held, in the order in which it is looked for."""
        return self.attributes, self.parameters, self.buffers, self.modules

    # -- What it answers

    @property
    def is_callable(self) -> bool:
        return True

    def own_attribute(self, name: str) -> Any:
        if name == "training":
            return self.training
        return next((each[name] for each in self.places if name in each), MISSING)

    def special_attribute(self, name: str) -> Any:
        special = _SPECIAL.get(name)
        found = super(ModuleInstance, self).special_attribute(name)
        return found if special is None else special(self)

    def delete_attribute(self, evaluator: Evaluator, name: str) -> None:
        place = next((each for each in reversed(self.places) if name in each), None)
        if place is None:
            raise AttributeError(self.no_attribute(evaluator, name))
        del place[name]
        self.non_persistent.discard(name)

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """Run the hooks and ``forward``."""
        evaluator.step()
        for hook in self.forward_pre_hooks:
            extra = [keywords] if hook.with_kwargs else []
            changed = evaluator.call(hook.function, [self, tuple(arguments), *extra])
            if changed is None:
                continue
            if hook.with_kwargs:
                arguments, keywords = list(changed[0]), dict(changed[1])
            else:
                arguments = list(changed) if isinstance(changed, tuple) else [changed]
        forward = evaluator.get_attribute(self, "forward")
        result = evaluator.call(forward, arguments, keywords)
        for hook in self.forward_hooks:
            extra = [keywords] if hook.with_kwargs else []
            changed = evaluator.call(hook.function, [self, tuple(arguments), *extra, result])
            result = result if changed is None else changed
        return result

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        made = known[id(self)] = ModuleInstance(
            self.cls,
            training=self.training,
            non_persistent=set(self.non_persistent),
            initialized=self.initialized,
        )
        for place, own in zip(made.places, self.places):
            place.update((name, copied(each)) for name, each in own.items())
        for hooks, own in (
            (made.forward_pre_hooks, self.forward_pre_hooks),
            (made.forward_hooks, self.forward_hooks),
        ):
            hooks.extend(Hook(copied(each.function), each.with_kwargs) for each in own)
        return made

    def shallow_copy(self) -> Any:
        made = ModuleInstance(
            self.cls,
            training=self.training,
            non_persistent=set(self.non_persistent),
            forward_pre_hooks=list(self.forward_pre_hooks),
            forward_hooks=list(self.forward_hooks),
            initialized=self.initialized,
        )
        for place, own in zip(made.places, self.places):
            place.update(own)
        return made

    def __repr__(self) -> str:
        return self.answer("__repr__")

    # -- What is assigned to it

    def store(self, name: str, item: Any) -> None:
        """``module.name = item``"""
        if isinstance(item, Parameter):
            self._check_initialized("parameters")
            self._forget(name, self.attributes, self.buffers, self.modules)
            self.register_parameter(name, item)
        elif name in self.parameters:
            _check_none(item, "parameter", name, "torch.nn.Parameter or None")
            self.register_parameter(name, None)
        elif isinstance(item, ModuleInstance):
            self._check_initialized("module")
            self._forget(name, self.attributes, self.parameters, self.buffers)
            self.modules[name] = item
        elif name in self.modules:
            _check_none(item, "child module", name, "torch.nn.Module or None")
            self.modules[name] = None
        elif isinstance(item, Buffer) or name in self.buffers:
            self._store_buffer(name, item)
        elif name == "training":
            self.training = item
        else:
            self.attributes[name] = item

    def _store_buffer(self, name: str, item: Any) -> None:
        if not isinstance(item, Tensor):
            _check_none(item, "buffer", name, "torch.nn.Buffer, torch.Tensor or None")
        if isinstance(item, Buffer):
            _remove(name, self.attributes, self.parameters, self.modules)
            self.register_buffer(name, item, item.persistent)
        else:
            self.buffers[name] = item

    def register_parameter(self, name: Any, value: Any) -> None:
        """``module.register_parameter(name, value)``"""
        self._check_initialized("parameter")
        self._check_name(name, "parameter", self.parameters)
        if value is not None and not isinstance(value, Parameter):
            raise TypeError(
                f"cannot assign '{full_type_name(value)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        self.parameters[name] = value

    def register_buffer(self, name: Any, value: Any, persistent: bool = True) -> None:
        """``module.register_buffer(name, value, persistent)``"""
        self._check_initialized("buffer")
        self._check_name(name, "buffer", self.buffers)
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"cannot assign '{full_type_name(value)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self.buffers[name] = value
        if persistent:
            self.non_persistent.discard(name)
        else:
            self.non_persistent.add(name)

    def register_module(self, name: Any, value: Any) -> None:
        """``module.add_module(name, value)``"""
        if value is not None and not isinstance(value, ModuleInstance):
            raise TypeError(f"{full_type_name(value)} is not a Module subclass")
        self._check_initialized("module")
        self._check_name(name, "module", self.modules)
        self.modules[name] = value

    def _forget(self, name: str, *places: dict[str, Any]) -> None:
        _remove(name, *places)
        self.non_persistent.discard(name)

    def _check_initialized(self, what: str) -> None:
        if not self.initialized:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")

    def _check_name(self, name: Any, what: str, own: Mapping[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {full_type_name(name)}")
        if "." in name:
            got = f", got: {name}" if what == "module" else ""
            raise KeyError(f'{what} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        is_known = self.own_attribute(name) is not MISSING or self.cls.find(name) is not MISSING
        if name not in own and is_known:
            raise KeyError(f"attribute '{name}' already exists")


_SPECIAL: dict[str, Callable[[ModuleInstance], Any]] = {
    "_parameters": lambda module: module.parameters,
    "_buffers": lambda module: module.buffers,
    "_modules": lambda module: module.modules,
    "_non_persistent_buffers_set": lambda module: module.non_persistent,
    "_forward_hooks": lambda module: dict(enumerate(module.forward_hooks)),
    "_forward_pre_hooks": lambda module: dict(enumerate(module.forward_pre_hooks)),
}


def new_module(
    _evaluator: Evaluator, cls: ModuleClass, /, *_arguments: Any, **_keywords: Any
) -> ModuleInstance:
    """``nn.Module.__new__(cls)``"""
    return ModuleInstance(cls)


def _check_none(value: Any, what: str, name: str, expected: str) -> None:
    if value is not None:
        raise TypeError(
            f"cannot assign '{full_type_name(value)}' as {what} '{name}' ({expected} expected)"
        )


def full_type_name(value: Any) -> str:
    """The name of a type as messages of PyTorch have it: ``torch.FloatTensor``, ``str``."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return f"torch.{value.dtype.scalar_name}Tensor"
    if isinstance(value, ModuleInstance):
        return value.cls.qualified_name.removeprefix("__torch__.")
    return type_name(value)


def _remove(name: str, *places: dict[str, Any]) -> None:
    for each in places:
        each.pop(name, None)
