"""What a module holds by its paths, and what of it a run has changed.

Tensors are inputs of the program. What is no tensor is a constant of it, unless the program changes it: numbers and
tensors that a run has changed are lifted, which is to say that the program is captured again with buffers for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.python_api.script_module import ScriptModule
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor

_KEEP = "keep what it holds in buffers, which programs write to"


class UnliftedStateError(Exception):
    """A run changes what it has taken for constants: at these paths there have to be buffers."""

    def __init__(self, paths: frozenset[str]) -> None:
        super().__init__(", ".join(sorted(paths)))
        self.paths = paths


@dataclass(frozen=True, slots=True)
class _Slot:
    """An attribute of an object, and what it held before the run, with copies of its lists and dicts."""

    owner: ScriptObject
    name: str
    path: str
    before: Any

    @property
    def now(self) -> Any:
        return self.owner.script_attributes[self.name]


@dataclass(slots=True)
class ModuleState:
    """What a module holds before it runs, with the tensors at the `lifted` paths as buffers.

    `paths` are those of the objects of modules; `named` are the letters and tensors by path: "p", "b" or "c" for
    parameters, buffers and other tensors.
    """

    module: ScriptModule
    paths: Mapping[int, str]
    lifted: frozenset[str]
    named: dict[str, tuple[str, Tensor]]
    _known: dict[int, str] = field(default_factory=dict[int, str])
    """Paths of tensors, and of what else has been walked, by identity."""
    _slots: list[_Slot] = field(default_factory=list[_Slot])
    _containers: list[tuple[Any, Any]] = field(default_factory=list[tuple[Any, Any]])
    _replaced: list[tuple[ScriptObject, str, Any]] = field(
        default_factory=list[tuple[ScriptObject, str, Any]]
    )
    _changes: dict[tuple[int, str], SourceRange] = field(
        default_factory=dict[tuple[int, str], SourceRange]
    )
    """Where attributes and containers were changed last."""

    @staticmethod
    def of(module: ScriptModule, lifted: frozenset[str] = frozenset()) -> ModuleState:
        """The state of a module, whose numbers at the `lifted` paths are numbers in buffers from now on."""
        modules = list(module.named_modules())
        parameters = module.named_parameters(remove_duplicate=False)
        named = {path: ("p", each) for path, each in parameters}
        buffers = module.named_buffers(remove_duplicate=False)
        named |= {path: ("b", each) for path, each in buffers}
        state = ModuleState(module, {id(m.script_object): p for p, m in modules}, lifted, named)
        state._known = {id(each): path for path, (_, each) in named.items()}
        for path, each in modules:
            state._walk_object(path, each.script_object)
        state._order()
        return state

    def _walk_object(self, path: str, owner: ScriptObject) -> None:
        for name, value in list(owner.script_attributes.items()):
            prefix = f"{path}.{name}" if path else name
            if isinstance(value, ScriptObject) and value.script_type.is_module:
                continue
            lifted = self._walk(prefix, value)
            if lifted is not value:
                self._replaced.append((owner, name, value))
                owner.script_attributes[name] = lifted
            self._slots.append(_Slot(owner, name, prefix, _copied(lifted)))

    def _walk(self, path: str, value: Any) -> Any:
        """Name the tensors that a value leads to; the value with numbers in buffers at the lifted paths."""
        if isinstance(value, bool | int | float):
            return self._lifted(path, value) if path in self.lifted else value
        if isinstance(value, tuple):
            parts = cast("tuple[Any, ...]", value)
            found = [self._walk(f"{path}.{place}", each) for place, each in enumerate(parts)]
            same = all(a is b for a, b in zip(found, parts))
            return value if same else _tuple_like(parts, found)
        if id(value) in self._known:
            return value
        if isinstance(value, Tensor):
            self._known[id(value)] = path
            self.named[path] = ("b" if path in self.lifted else "c", value)
        elif isinstance(value, list | dict):
            self._known[id(value)] = path
            self._containers.append((value, value.copy()))
            for key, each in _items(value):
                value[key] = self._walk(f"{path}.{key}", each)
        elif isinstance(value, ScriptObject) and not value.script_type.is_module:
            self._known[id(value)] = path
            self._walk_object(path, value)
        return value

    def _lifted(self, path: str, number: bool | float) -> DataNumber | Condition:
        """A number as what a buffer holds."""
        tensor = Tensor(np.array(number))
        self.named[path] = ("b", tensor)
        self._known[id(tensor)] = path
        if isinstance(number, bool):
            return Condition(tensor, 0)
        return DataNumber(tensor, type(number))

    def _order(self) -> None:
        """Parameters first, then buffers, then others, as inputs of programs are."""
        items = sorted(self.named.items(), key=lambda each: "pbc".index(each[1][0]))
        self.named = dict(items)

    # -- Tensors ---------------------------------------------------------------------------------

    def named_tensors(self) -> Iterator[tuple[str, tuple[str, Tensor]]]:
        """Paths, with "p", "b" or "c" for parameters, buffers and other tensors."""
        yield from self.named.items()

    def tensors(self) -> Iterator[tuple[str, str, Tensor]]:
        """Path, letter and tensor: parameters first, then buffers, then others."""
        for path, (letter, tensor) in self.named.items():
            yield path, letter, tensor

    # -- Changes ---------------------------------------------------------------------------------

    def note_assignment(self, owner: ScriptObject, name: str, place: SourceRange) -> None:
        """Where an attribute is assigned."""
        self._changes[id(owner), name] = place

    def note_change(self, container: Any, place: SourceRange) -> None:
        """Where a list or dict is changed."""
        self._changes[id(container), ""] = place

    def writes(self) -> list[tuple[Tensor, Any, SourceRange]]:
        """The tensors that have to be written at the end, what with, and where that was assigned.

        Raises `UnliftedStateError` where one of them is no buffer yet, `ExportError` where no buffer could hold it.
        """
        found: list[tuple[Tensor, Any, SourceRange]] = []
        unlifted: set[str] = set()
        for slot in self._slots:
            place = self._place(slot)
            for path, before, after in self._differences(slot.path, slot.before, slot.now, place):
                tensor = before.tensor if isinstance(before, DataNumber | Condition) else before
                if isinstance(tensor, Tensor) and self.named[self._known[id(tensor)]][0] != "c":
                    found.append((tensor, after, place))
                else:
                    unlifted.add(self._known.get(id(before), path))
        self.refuse_unlifted(unlifted)
        self._refuse_parted(found)
        return found

    def _refuse_parted(self, writes: Sequence[tuple[Tensor, Any, SourceRange]]) -> None:
        """Raise `ExportError` where attributes that held one tensor hold several afterwards: they have one buffer."""
        for tensor, value, place in writes:
            if any(now is not value for now in self._held_instead(tensor)):
                raise ExportError(
                    f"the tensor {self._known[id(tensor)]} of the module has several names, one of which is assigned",
                    place,
                    hint="give each of them a tensor of its own: clone() it",
                    refusal=refusals.ATTRIBUTE,
                )

    def _held_instead(self, tensor: Tensor) -> Iterator[Any]:
        """What is held now wherever a tensor was held before."""
        for slot in self._slots:
            yield from _in_the_place_of(tensor, slot.before, slot.now)

    def refuse_unlifted(self, paths: set[str]) -> None:
        """Raise `UnliftedStateError` if there are any."""
        if paths:
            assert not paths <= self.lifted, "what is lifted is a buffer"
            raise UnliftedStateError(self.lifted | paths)

    def _place(self, slot: _Slot) -> SourceRange:
        """Where an attribute, or what it holds, was changed last."""
        own = self._changes.get((id(slot.owner), slot.name))
        if own is not None:
            return own
        places = (self._changes.get((id(each), "")) for each in _containers_in(slot.now))
        return next(filter(None, places), UNKNOWN_RANGE)

    def _differences(
        self, path: str, before: Any, after: Any, place: SourceRange
    ) -> Iterator[tuple[str, Any, Any]]:
        """The leaves that have changed, with their paths. Raises `ExportError` for those of another kind."""
        if before is after or _same_plain(before, after):
            return
        if isinstance(before, list | tuple | dict):
            if not _alike(before, after):
                raise _resized(path, before, after, place)
            for key, each in _items(before):
                yield from self._differences(f"{path}.{key}", each, after[key], place)
            return
        _refuse_other_kind(path, before, after, place)
        yield path, before, after

    def restore(self) -> None:
        """Give lists, dicts and attributes what they held."""
        for container, before in self._containers:
            container.clear()
            (container.extend if isinstance(container, list) else container.update)(before)
        for owner, name, value in reversed(self._replaced):
            owner.script_attributes[name] = value


def _in_the_place_of(tensor: Tensor, before: Any, after: Any) -> Iterator[Any]:
    if before is tensor:
        yield after
    elif isinstance(before, list | tuple | dict) and before is not after:
        for key, each in _items(before):
            yield from _in_the_place_of(tensor, each, after[key])


def _items(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(cast("dict[Any, Any]", value).items())
    return list(enumerate(cast("Sequence[Any]", value)))


def _copied(value: Any) -> Any:
    """The same leaves in containers of their own."""
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        parts = [_copied(each) for each in cast("Sequence[Any]", value)]
        return parts if isinstance(value, list) else tuple(parts)
    return value


def _tuple_like(model: tuple[Any, ...], parts: list[Any]) -> tuple[Any, ...]:
    make = getattr(type(model), "_make", tuple)
    return cast("tuple[Any, ...]", make(parts))


def _containers_in(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple | dict):
        yield value
        for _, each in _items(value):
            yield from _containers_in(each)


def _same_plain(before: Any, after: Any) -> bool:
    plain = isinstance(before, bool | int | float | complex | str)
    return plain and type(before) is type(after) and before == after


def _alike(before: Any, after: Any) -> bool:
    """Whether containers have the same keys in the same order, or the same length."""
    kinds = (list, tuple, dict)
    same = any(isinstance(before, kind) and isinstance(after, kind) for kind in kinds)
    return same and [key for key, _ in _items(before)] == [key for key, _ in _items(after)]


def _resized(path: str, before: Any, after: Any, place: SourceRange) -> ExportError:
    is_same_kind = isinstance(after, list | tuple | dict)
    word = "list" if isinstance(before, list) else "dict" if isinstance(before, dict) else "tuple"
    told = "has other elements or keys afterwards" if is_same_kind else "is replaced"
    return ExportError(
        f"the {word} {path} of the module {told}",
        place,
        hint=f"{_KEEP}, or build the {word} in the method",
        refusal=refusals.CONTAINER,
    )


def _refuse_other_kind(path: str, before: Any, after: Any, place: SourceRange) -> None:
    """Raise `ExportError` unless a buffer can hold both."""
    if isinstance(before, Tensor) and isinstance(after, Tensor):
        if before.array.shape == after.array.shape and before.array.dtype == after.array.dtype:
            return
        raise ExportError(
            f"the tensor {path} of the module is assigned a {after.dtype} of {list(after.array.shape)}, and it "
            f"was a {before.dtype} of {list(before.array.shape)}",
            place,
            hint="keep its size and dtype, and write to it with copy_",
            refusal=refusals.ATTRIBUTE,
        )
    kind = _kind_of_number(before)
    if kind is not None and _kind_of_number(after) is kind:
        return
    raise ExportError(
        f"the attribute {path} of the module is {_word(before)} before and {_word(after)} afterwards",
        place,
        hint="keep a number, or a tensor of one size, from the beginning",
        refusal=refusals.ATTRIBUTE,
    )


def _kind_of_number(value: Any) -> type[Any] | None:
    if isinstance(value, bool | int | float):
        return type(value)
    if isinstance(value, Condition):
        return bool
    hint = getattr(value, "hint", None)  # of numbers that data or sizes decide
    return None if hint is None else type(hint)


def _word(value: Any) -> str:
    if isinstance(value, str | None):
        return repr(value)
    kind = _kind_of_number(value)
    if kind is not None:
        return f"a {kind.__name__}"
    return "a tensor" if isinstance(value, Tensor) else f"a {type(value).__name__}"
