"""The classes of modules that `tsc check` meets, and how they are constructed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tsc.compiler.source import UsageError
from tsc.runtime.programs.unread_code import LeftOut


@dataclass
class ModuleClasses:
    """The classes of modules in the checked texts.

    `inits` are expressions that construct modules, by class; `found` the classes that were seen;
    `not_typed` those whose methods were not typed, each with its place and the reason.
    """

    inits: Mapping[str, str] = field(default_factory=dict)
    found: set[str] = field(default_factory=set)
    not_typed: dict[str, LeftOut] = field(default_factory=dict)

    def check_used(self) -> None:
        """Raise UsageError if a module is to be constructed that no text has."""
        for name, init in self.inits.items():
            if name not in self.found:
                known = f"; there are {', '.join(sorted(self.found))}" if self.found else ""
                raise UsageError(f"--init {init!r}: there is no module class '{name}'{known}")
