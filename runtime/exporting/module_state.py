"""The tensors of a module by their paths, and what of its attributes a run has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tsc.compiler.exir import refusals
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.python_api.script_module import ScriptModule
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor


@dataclass(slots=True)
class ModuleState:
    """What a module holds before it runs.

    `paths` are those of the objects of modules; `attributes` are all that tensors are in, with what they held;
    `containers` are the lists and dicts that can be reached, with copies.
    """

    module: ScriptModule
    paths: Mapping[int, str]
    named: dict[str, tuple[str, Tensor]]
    attributes: list[tuple[ScriptObject, str, Tensor]]
    containers: list[tuple[Any, Any]]

    @staticmethod
    def of(module: ScriptModule) -> ModuleState:
        """The state of a module."""
        modules = list(module.named_modules())
        parameters = module.named_parameters(remove_duplicate=False)
        named = {path: ("p", each) for path, each in parameters}
        buffers = module.named_buffers(remove_duplicate=False)
        named |= {path: ("b", each) for path, each in buffers}
        state = ModuleState(module, {id(m.script_object): p for p, m in modules}, named, [], [])
        known = {id(each) for _, each in named.values()}
        for path, each in modules:
            for name, value in each.script_object.script_attributes.items():
                prefix = f"{path}.{name}" if path else name
                if isinstance(value, Tensor):
                    state.attributes.append((each.script_object, name, value))
                state._add(prefix, value, known)
        return state

    def _add(self, path: str, value: Any, known: set[int]) -> None:
        """Tensors that are no parameters or buffers, wherever attributes lead to them."""
        if id(value) in known or (isinstance(value, ScriptObject) and value.script_type.is_module):
            return
        if isinstance(value, Tensor):
            known.add(id(value))
            self.named[path] = ("c", value)
        elif isinstance(value, list | tuple):
            known.add(id(value))
            self._note_container(value)
            for place, each in enumerate(cast("list[Any]", value)):
                self._add(f"{path}.{place}", each, known)
        elif isinstance(value, dict):
            known.add(id(value))
            self._note_container(value)
            for key, each in cast("dict[Any, Any]", value).items():
                self._add(f"{path}.{key}", each, known)
        elif isinstance(value, ScriptObject):
            known.add(id(value))
            for name, each in value.script_attributes.items():
                self._add(f"{path}.{name}", each, known)

    def _note_container(self, value: Any) -> None:
        if not isinstance(value, tuple):
            self.containers.append((value, value.copy()))

    # -- Tensors ---------------------------------------------------------------------------------

    def named_tensors(self) -> Iterator[tuple[str, tuple[str, Tensor]]]:
        """Paths, with "p", "b" or "c" for parameters, buffers and other tensors."""
        yield from self.named.items()

    def tensors(self) -> Iterator[tuple[str, str, Tensor]]:
        """Path, letter and tensor: parameters first, then buffers, then others."""
        for path, (letter, tensor) in self.named.items():
            yield path, letter, tensor

    # -- Changes ---------------------------------------------------------------------------------

    def assigned(self) -> Iterator[tuple[Tensor, Tensor]]:
        """What attributes held before, and hold now, where that is another tensor."""
        for owner, name, before in self.attributes:
            after = owner.script_attributes[name]
            if after is not before:
                if not isinstance(after, Tensor):
                    raise ExportError(
                        f"the tensor {name} of a module is replaced by something else",
                        hint="keep a tensor in it",
                        refusal=refusals.ATTRIBUTE,
                    )
                yield before, after

    def refuse_changes(self) -> None:
        """Raise `ExportError` where a list or dict of the module has other elements than before."""
        for container, before in self.containers:
            if not _same(container, before):
                raise ExportError(
                    f"the program changes a {type(container).__name__} that is an attribute of a module",
                    hint="keep what it holds in buffers, which programs write to",
                    refusal=refusals.CONTAINER,
                )

    def restore(self) -> None:
        """Give lists and dicts what they held."""
        for container, before in self.containers:
            if not _same(container, before):
                container.clear()
                (container.extend if isinstance(container, list) else container.update)(before)


def _same(first: Any, second: Any) -> bool:
    """Whether two containers hold the same objects in the same order."""
    if len(first) != len(second):
        return False
    if isinstance(first, dict):
        items = zip(cast("dict[Any, Any]", first).items(), second.items(), strict=True)
        return all(a == b and _same_object(x, y) for (a, x), (b, y) in items)
    return all(map(_same_object, first, second))


def _same_object(first: Any, second: Any) -> bool:
    plain = isinstance(first, bool | int | float | complex | str)
    return type(first) is type(second) and first == second if plain else first is second
