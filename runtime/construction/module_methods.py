"""``nn.Module``: its methods, over `ModuleInstance`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tsc.compiler.types import Device
from tsc.runtime.arrays import dtypes
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.construction import module_tree
from tsc.runtime.construction import state_dict as states
from tsc.runtime.construction.module_printing import module_text
from tsc.runtime.construction.python_types import OBJECT
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import NativeFunction
from tsc.runtime.construction.values.instances import InstanceObject
from tsc.runtime.construction.values.modules import Hook, ModuleClass, ModuleInstance, new_module
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.python_api.eager import call as run_operator
from tsc.runtime.values.tensor import Tensor


def _create(
    evaluator: Evaluator, cls: ClassObject, /, *arguments: Any, **keywords: Any
) -> ModuleInstance:
    assert isinstance(cls, ModuleClass)
    instance = ModuleInstance(cls)
    instance.initialize(evaluator, list(arguments), keywords)
    return instance


def _initialize(
    _evaluator: Evaluator, module: ModuleInstance, /, *arguments: Any, **keywords: Any
) -> None:
    if arguments or keywords:
        given = f"but {len(arguments) + 1} were given" if arguments else f"got {list(keywords)}"
        raise TypeError(f"{module.cls.name}.__init__() takes 1 positional argument {given}")
    module.training = True
    module.initialized = True


def _forward(_evaluator: Evaluator, module: ModuleInstance, *_inputs: Any) -> Any:
    raise NotImplementedError(
        f'Module [{module.cls.name}] is missing the required "forward" function'
    )


def _call(evaluator: Evaluator, module: ModuleInstance, /, *inputs: Any, **keywords: Any) -> Any:
    return evaluator.call(module, inputs, keywords)


# -- Registration --------------------------------------------------------------------------------


def _register_buffer(
    _evaluator: Evaluator, module: ModuleInstance, name: Any, tensor: Any, persistent: bool = True
) -> None:
    module.register_buffer(name, tensor, persistent)


def _register_parameter(
    _evaluator: Evaluator, module: ModuleInstance, name: Any, param: Any
) -> None:
    module.register_parameter(name, param)


def _add_module(_evaluator: Evaluator, module: ModuleInstance, name: Any, child: Any) -> None:
    module.register_module(name, child)


def _handle(hooks: list[Hook], hook: Hook) -> InstanceObject:
    """What registering a hook gives: ``remove()`` takes it back."""

    def remove(_evaluator: Evaluator, _handle: InstanceObject) -> None:
        if hook in hooks:
            hooks.remove(hook)

    methods = {"remove": NativeFunction("remove", remove)}
    return InstanceObject(ClassObject("RemovableHandle", "RemovableHandle", (OBJECT,), methods))


def _registered(hooks: list[Hook], hook: Hook, prepend: bool) -> InstanceObject:
    hooks.insert(0 if prepend else len(hooks), hook)
    return _handle(hooks, hook)


def _register_forward_hook(
    _evaluator: Evaluator,
    module: ModuleInstance,
    hook: Any,
    *,
    prepend: bool = False,
    with_kwargs: bool = False,
) -> InstanceObject:
    return _registered(module.forward_hooks, Hook(hook, with_kwargs), prepend)


def _register_forward_pre_hook(
    _evaluator: Evaluator,
    module: ModuleInstance,
    hook: Any,
    *,
    prepend: bool = False,
    with_kwargs: bool = False,
) -> InstanceObject:
    return _registered(module.forward_pre_hooks, Hook(hook, with_kwargs), prepend)


# -- The tree ------------------------------------------------------------------------------------


def _children(_evaluator: Evaluator, module: ModuleInstance) -> Iterator[Any]:
    return (child for _, child in module_tree.named_children(module))


def _modules(_evaluator: Evaluator, module: ModuleInstance) -> Iterator[Any]:
    return (each for _, each in module_tree.named_modules(module))


def _named_modules(
    _evaluator: Evaluator,
    module: ModuleInstance,
    memo: Any = None,
    prefix: str = "",
    remove_duplicate: bool = True,
) -> Iterator[Any]:
    return module_tree.named_modules(module, prefix, remove_duplicate)


def _parameters(
    _evaluator: Evaluator, module: ModuleInstance, recurse: bool = True
) -> Iterator[Any]:
    return (each for _, each in module_tree.named_parameters(module, recurse=recurse))


def _buffers(_evaluator: Evaluator, module: ModuleInstance, recurse: bool = True) -> Iterator[Any]:
    return (each for _, each in module_tree.named_buffers(module, recurse=recurse))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that needs no evaluator."""
    return lambda _evaluator, module, *arguments, **keywords: function(
        module, *arguments, **keywords
    )


def _apply(evaluator: Evaluator, module: ModuleInstance, function: Any) -> ModuleInstance:
    for _, child in module_tree.named_children(module):
        evaluator.call_method(child, "apply", function)
    evaluator.call(function, [module])
    return module


# -- Modes and dtypes ----------------------------------------------------------------------------


def _train(evaluator: Evaluator, module: ModuleInstance, mode: Any = True) -> ModuleInstance:
    if not isinstance(mode, bool):
        raise ValueError("training mode is expected to be boolean")
    module.training = mode
    for _, child in module_tree.named_children(module):
        evaluator.call_method(child, "train", mode)
    return module


def _eval(evaluator: Evaluator, module: ModuleInstance) -> ModuleInstance:
    return evaluator.call_method(module, "train", False)


def _requires_grad(
    _evaluator: Evaluator, module: ModuleInstance, requires_grad: bool = True
) -> ModuleInstance:
    for _, each in module_tree.named_parameters(module):
        each.requires_grad = requires_grad
    return module


def _converted_to(dtype: DType) -> Callable[..., ModuleInstance]:
    def convert(_evaluator: Evaluator, module: ModuleInstance) -> ModuleInstance:
        module_tree.convert_tensors(module, lambda each: _floating_to(each, dtype))
        return module

    return convert


def _floating_to(tensor: Tensor, dtype: DType) -> Tensor:
    if not (tensor.dtype.is_floating_point or tensor.dtype.is_complex):
        return tensor
    return run_operator("to", tensor, dtype)


def _to(
    _evaluator: Evaluator,
    module: ModuleInstance,
    *arguments: Any,
    device: Any = None,
    dtype: Any = None,
    non_blocking: bool = False,
    memory_format: Any = None,
) -> ModuleInstance:
    for each in (*arguments, device, dtype):
        if isinstance(each, Tensor):
            each = each.dtype
        if isinstance(each, DType):
            _converted_to(each)(_evaluator, module)
        elif isinstance(each, str | Device) and str(each) != "cpu":
            raise RuntimeError(f"there is no device '{each}' here: tsc computes on the CPU")
    return module


def _cuda(_evaluator: Evaluator, _module: ModuleInstance, *_arguments: Any) -> None:
    raise RuntimeError("there is no CUDA device here: tsc computes on the CPU")


def _same(_evaluator: Evaluator, module: ModuleInstance, *_arguments: Any, **_keywords: Any) -> Any:
    return module


# -- State ---------------------------------------------------------------------------------------


def _state_dict(
    _evaluator: Evaluator,
    module: ModuleInstance,
    *,
    prefix: str = "",
    keep_vars: bool = False,
) -> dict[str, Tensor]:
    return states.state_dict(module, prefix, keep_vars)


def _nothing(_evaluator: Evaluator, _module: ModuleInstance, *_arguments: Any, **_: Any) -> None:
    """``zero_grad``: no gradients are recorded."""


def _dir_text(_evaluator: Evaluator, _module: ModuleInstance) -> str:
    return ""


METHODS: dict[str, Callable[..., Any]] = {
    "__new__": new_module,
    "__init__": _initialize,
    "__call__": _call,
    "forward": _forward,
    "register_buffer": _register_buffer,
    "register_parameter": _register_parameter,
    "add_module": _add_module,
    "register_module": _add_module,
    "register_forward_hook": _register_forward_hook,
    "register_forward_pre_hook": _register_forward_pre_hook,
    "get_submodule": _plain(module_tree.submodule),
    "get_parameter": lambda _e, module, path: module_tree.member_of(module, path, "parameter"),
    "get_buffer": lambda _e, module, path: module_tree.member_of(module, path, "buffer"),
    "children": _children,
    "named_children": _plain(module_tree.named_children),
    "modules": _modules,
    "named_modules": _named_modules,
    "parameters": _parameters,
    "named_parameters": _plain(module_tree.named_parameters),
    "buffers": _buffers,
    "named_buffers": _plain(module_tree.named_buffers),
    "apply": _apply,
    "train": _train,
    "eval": _eval,
    "requires_grad_": _requires_grad,
    "to": _to,
    "float": _converted_to(dtypes.float32),
    "double": _converted_to(dtypes.float64),
    "half": _converted_to(dtypes.float16),
    "bfloat16": _converted_to(dtypes.bfloat16),
    "cpu": _same,
    "cuda": _cuda,
    "zero_grad": _nothing,
    "state_dict": _state_dict,
    "load_state_dict": _plain(states.load_state_dict),
    "extra_repr": _dir_text,
    "_get_name": lambda _evaluator, module: module.cls.name,
    "__repr__": lambda _evaluator, module: module_text(module),
}

MODULE = ModuleClass(
    "Module",
    "__torch__.torch.nn.modules.module.Module",
    (OBJECT,),
    {name: NativeFunction(name, function) for name, function in METHODS.items()},
    create=_create,
)
"""``nn.Module``"""


def container(
    name: str, methods: dict[str, Callable[..., Any]], base: ModuleClass = MODULE
) -> ModuleClass:
    """A class of ``torch.nn.modules.container``."""
    return ModuleClass(
        name,
        f"__torch__.torch.nn.modules.container.{name}",
        (base,),
        {key: NativeFunction(key, function) for key, function in methods.items()},
    )
