"""The tensors in objects of Python, by names: those that the state_dict of a module has, or the way to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.runtime.serialization.errors import HOSTILE, ArchiveError
from tsc.runtime.serialization.records import (
    AnyTensorRecord,
    ContainerRecord,
    PythonRecord,
    RecordValue,
)

_MOST_VALUES = 4_000_000
"""That are looked at: what is shared is looked at wherever it is met."""
_MOST_NAMES, _LONGEST_NAMES = 400_000, 16 << 20
"""Of containers and tensors, and letters in all of their names."""
_PARTS_OF_MODULE = ("_parameters", "_buffers", "_modules")
_PLAIN_KEYS = (str, int, float, bool, type(None))
_LEAVES = (str, bytes, int, float, complex, type(None))


def named_tensors(root: Any) -> dict[str, AnyTensorRecord]:
    """All tensors that can be reached from a value, in order.

    Of a module these are its parameters, its persistent buffers and those of its modules, under the names that
    its state_dict has. Behind them all comes what modules have as plain attributes, as far as it has no name yet:
    tensors, and those in other containers and objects. Buffers that are not saved are left out. What is in containers
    and other objects is named by keys, numbers and attributes. A tensor that is reached twice has two names, as in a
    state_dict.

    Raises:
        ArchiveError: there are more names than any model has.
    """
    return _Walk().run(root)


class _Leave:
    """The end of what is inside of a value."""

    def __init__(self, value: Any) -> None:
        self.value = value


class _Walk:
    def __init__(self) -> None:
        self.found: dict[str, AnyTensorRecord] = {}
        self._twice: dict[str, int] = {}
        self._inside: set[int] = set()
        self._met: dict[int, Any] = {}
        self._attributes: list[tuple[str, dict[str, Any]]] = []
        self._values = self._names = self._letters = 0

    def run(self, root: Any) -> dict[str, AnyTensorRecord]:
        self._walk("", root, {})
        for name, attributes in self._attributes:  # which grow by those of modules in attributes
            self._walk(name, attributes, self._met)
        return self.found

    def _walk(self, root_name: str, root: Any, without: dict[int, Any]) -> None:
        """Find the tensors in a value, but in nothing that is in `without`, by its identity."""
        pending: list[tuple[str, Any]] = [(root_name, root)]
        while pending:
            name, value = pending.pop()
            if isinstance(value, _Leave):
                self._inside.discard(id(value.value))
            elif isinstance(value, _LEAVES) or id(value) in without:
                continue
            elif isinstance(value, AnyTensorRecord):
                self._met[id(value)] = value
                self._add(name or "tensor", value)
            elif id(value) not in self._inside:
                self._inside.add(id(value))
                self._met[id(value)] = value
                self._attributes += ((name, each) for each in _plain_attributes(value))
                pending.append((name, _Leave(value)))
                pending += self._charged(name, value)[::-1]

    def _charged(self, name: str, value: RecordValue) -> list[tuple[str, Any]]:
        prefix = f"{name}." if name else ""
        inner: list[tuple[str, Any]] = []
        for key, each in _inside(value):
            self._values += 1
            if isinstance(each, _LEAVES):
                continue
            inner.append((f"{prefix}{key}" if key else name, each))
            self._names += 1
            self._letters += len(inner[-1][0])
            if self._names > _MOST_NAMES or self._letters > _LONGEST_NAMES:
                raise _too_many()
        if self._values > _MOST_VALUES:
            raise _too_many()
        return inner

    def _add(self, name: str, record: AnyTensorRecord) -> None:
        """A name that is taken gets a number: keys of different types may be spelled alike."""
        while name in self.found:
            self._twice[name] = count = self._twice.get(name, 1) + 1
            name = f"{name}#{count}"
        self.found[name] = record


def _too_many() -> ArchiveError:
    return ArchiveError("the objects of the pickle have too many names", hint=HOSTILE)


def _inside(value: RecordValue) -> Iterator[tuple[str, Any]]:
    """The names and values in a container or object; an empty name for what its own name stands for."""
    if isinstance(value, dict):
        for number, (key, each) in enumerate(value.items()):
            yield str(key if isinstance(key, _PLAIN_KEYS) else number), each
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((str(number), each) for number, each in enumerate(value))
    elif isinstance(value, ContainerRecord):
        yield "", value.value
    elif isinstance(value, PythonRecord):
        yield from _inside_object(value)


def _inside_object(record: PythonRecord) -> Iterator[tuple[str, Any]]:
    state: RecordValue = record.state
    if isinstance(state, dict) and is_module(state):
        kept: RecordValue = state.get("_non_persistent_buffers_set")
        unsaved: set[Any] = kept if isinstance(kept, set) else set()
        buffers = state["_buffers"].items()
        yield "", state["_parameters"]
        yield "", {name: each for name, each in buffers if name not in unsaved}
        yield "", state["_modules"]
        return
    yield from _inside(record.arguments)
    states = state if isinstance(state, tuple) else (state,)
    yield from (("", each) for each in states)
    yield from (("", each) for each in (record.items, record.pairs))


def _plain_attributes(value: RecordValue) -> Iterator[dict[str, Any]]:
    """What a module has beside its parameters, buffers and modules; nothing of another value."""
    state: RecordValue = value.state if isinstance(value, PythonRecord) else None
    if isinstance(state, dict) and is_module(state):
        yield {name: each for name, each in state.items() if name not in _PARTS_OF_MODULE}


def is_module(state: dict[Any, Any]) -> bool:
    """Whether attributes are those of an ``nn.Module``."""
    return all(isinstance(state.get(part), dict) for part in _PARTS_OF_MODULE)
