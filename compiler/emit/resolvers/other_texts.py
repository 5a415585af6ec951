"""Where a name of a text may stand if the text does not define it: the one place that says in which order.

Texts compiled before come first, the last one before the others; then the files that imports lead to, where
a name that no import tells of may stand in any that is imported with a star.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.names.module_names import ImportedModule, ModuleNames

Found = TypeVar("Found")


class NamedText(Protocol):
    """A text, of which the names are known that it binds."""

    @property
    def names(self) -> ModuleNames: ...


Text = TypeVar("Text", bound=NamedText)

LoadModule = Callable[[str, int], Text | None]
"""Gives another source file, by dotted path and the level of a relative import."""


class OtherTexts(Generic[Text]):
    """What a text sees of others; ``earlier`` are those compiled before it."""

    __slots__ = ("_following", "_load", "_names", "earlier")

    def __init__(
        self, names: ModuleNames, earlier: Sequence[Text], load: LoadModule[Text] | None
    ) -> None:
        self._names = names
        self.earlier = tuple(earlier)
        self._load = load
        self._following: set[str] = set()

    def file(self, module: ImportedModule) -> Text | None:
        """The source file that an import names; None if there is none."""
        return self._load and self._load(module.path, module.level)

    def find(
        self,
        sort: str,
        path: str,
        in_text: Callable[[Text, str], Found | None],
        in_known: Callable[[ImportedModule, str], Found | None] = lambda _module, _name: None,
    ) -> Found | None:
        """What a path that the text itself does not define leads to, of one sort of thing.

        ``in_text`` looks in one text, for a path as it is known there; ``in_known`` in a module
        that has no file, for a name.
        """
        earlier = self._earlier_with(path)
        if earlier is not None:
            return in_text(earlier, path)
        with self.follow(f"{sort} {path}") as is_new:
            if not is_new:
                return None
            module, name = ImportedModule.holding(path)
            for each in [module] if str(module) else self._names.star_imports:
                if is_known(each):
                    found = in_known(each, name)
                else:
                    file = self.file(each)
                    found = None if file is None else in_text(file, file.names.path_of_name(name))
                if found is not None:
                    return found
        return None

    @contextmanager
    def follow(self, name: str) -> Generator[bool]:
        """Whether a name is not being looked up already: files may import it from each other."""
        is_new = name not in self._following
        self._following.add(name)
        try:
            yield is_new
        finally:
            if is_new:
                self._following.remove(name)

    def _earlier_with(self, name: str) -> Text | None:
        """The text compiled before, the last one first, that binds a name."""
        return next((each for each in reversed(self.earlier) if name in each.names.bindings), None)


def is_known(module: ImportedModule) -> bool:
    """Whether the names of a module are known without a file of its own."""
    is_known = module.level == 0 and module.path in known.MODULES
    return is_known and module.path not in known.LIBRARY_FILES
