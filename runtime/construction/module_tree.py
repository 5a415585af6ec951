"""Walking a tree of modules: submodules, parameters and buffers with their dotted names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from tsc.compiler.budget import charge_step
from tsc.runtime.construction.values.modules import ModuleInstance, Parameter
from tsc.runtime.values.tensor import Tensor

_DEEPEST: Final = 1000  # as deep as Python's calls go


def named_children(module: ModuleInstance) -> Iterator[tuple[str, ModuleInstance]]:
    """The submodules of a module itself, each once."""
    seen: set[int] = set()
    for name, child in module.modules.items():
        if child is not None and id(child) not in seen:
            seen.add(id(child))
            yield name, child


def named_modules(
    module: ModuleInstance,
    prefix: str = "",
    remove_duplicate: bool = True,
    seen: set[int] | None = None,
) -> Iterator[tuple[str, ModuleInstance]]:
    """A module and all below it, before their submodules, by their dotted names."""
    seen = set() if seen is None else seen
    pending = [(prefix, module, 0)]
    while pending:
        path, each, depth = pending.pop()
        if id(each) in seen:
            continue
        if depth > _DEEPEST:
            raise RecursionError("maximum recursion depth exceeded: modules are nested too deep")
        charge_step()
        if remove_duplicate:
            seen.add(id(each))
        yield path, each
        pending += [
            (joined(path, name), child, depth + 1)
            for name, child in reversed(each.modules.items())
            if child is not None
        ]


def joined(prefix: str, name: str) -> str:
    """A dotted name."""
    return f"{prefix}.{name}" if prefix else name


def named_parameters(
    module: ModuleInstance, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
) -> Iterator[tuple[str, Parameter]]:
    """The parameters of a module and those below it, each once."""
    return _members(module, lambda each: each.parameters, prefix, recurse, remove_duplicate)


def named_buffers(
    module: ModuleInstance, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
) -> Iterator[tuple[str, Tensor]]:
    """The buffers of a module and those below it, each once."""
    return _members(module, lambda each: each.buffers, prefix, recurse, remove_duplicate)


def _members(
    module: ModuleInstance,
    members: Callable[[ModuleInstance], dict[str, Any]],
    prefix: str,
    recurse: bool,
    remove_duplicate: bool,
) -> Iterator[tuple[str, Any]]:
    seen: set[int] = set()
    below = named_modules(module, prefix, remove_duplicate) if recurse else [(prefix, module)]
    for path, each in below:
        for name, value in members(each).items():
            if value is None or id(value) in seen:
                continue
            if remove_duplicate:
                seen.add(id(value))
            yield joined(path, name), value


def submodule(module: ModuleInstance, path: str) -> ModuleInstance:
    """``module.get_submodule("a.b")``"""
    for name in path.split(".") if path else ():
        if name not in module.modules:
            if name in {**module.attributes, **module.parameters, **module.buffers}:
                raise AttributeError(f"`{name}` is not an nn.Module")
            raise AttributeError(f"{module.cls.name} has no attribute `{name}`")
        found = module.modules[name]
        if found is None:
            raise AttributeError(f"`{name}` is not an nn.Module")
        module = found
    return module


def member_of(module: ModuleInstance, path: str, kind: str) -> Tensor:
    """``module.get_parameter("a.weight")`` and ``module.get_buffer(...)``; `kind` says which."""
    owner, _, name = path.rpartition(".")
    found = submodule(module, owner)
    values: dict[str, Any] = found.parameters if kind == "parameter" else found.buffers
    if values.get(name) is None:
        if name in {**found.attributes, **found.parameters, **found.buffers, **found.modules}:
            what = "an nn.Parameter" if kind == "parameter" else "a buffer"
            raise AttributeError(f"`{name}` is not {what}")
        raise AttributeError(f"{found.cls.name} has no attribute `{name}`")
    return values[name]


def convert_tensors(module: ModuleInstance, convert: Callable[[Tensor], Tensor]) -> None:
    """Put what `convert` makes of them in the place of all tensors; parameters stay the same objects."""
    for _, each in named_modules(module):
        for parameter in each.parameters.values():
            if parameter is not None:
                parameter.array = convert(parameter).array
        for name, buffer in each.buffers.items():
            if buffer is not None:
                each.buffers[name] = convert(buffer)
