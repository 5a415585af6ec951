"""The names that a source text binds outside of its functions, and where its imports lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath

from tsc.compiler.emit.names.later_definitions import LaterDefinitions
from tsc.compiler.frontend.free_names import set_attributes
from tsc.compiler.frontend.set_by_the_way import changed_by_the_way, set_by_the_way
from tsc.compiler.frontend.tree_views import (
    Assign,
    BrokenStmt,
    ClassDef,
    Def,
    Expr,
    Import,
    ImportFrom,
    Module,
    Select,
    Stmt,
    Var,
)
from tsc.compiler.source import CompileError, FollowUp, Note, SourceRange, codes
from tsc.compiler.value_classes import value_class


@value_class
class ImportedModule:
    """``import path``; ``level`` counts the leading dots of a relative import."""

    path: str
    level: int = 0

    def submodule(self, name: str) -> ImportedModule:
        return ImportedModule(f"{self.path}.{name}" if self.path else name, self.level)

    @staticmethod
    def holding(path: str) -> tuple[ImportedModule, str]:
        """The module in ``path``, and the name in it: ``..shapes.SIZE`` is ``SIZE`` of ``..shapes``."""
        dotted = path.lstrip(".")
        module, _, name = dotted.rpartition(".")
        return ImportedModule(module, len(path) - len(dotted)), name

    def __str__(self) -> str:
        return "." * self.level + self.path


@value_class
class ImportedName:
    """``from module import name``."""

    module: ImportedModule
    name: str


_SCRIPT = frozenset(("torch.jit.script", "tsc.script"))
Binding = ImportedModule | ImportedName | Def | ClassDef | Assign


class ModuleNames:
    """Every name bound at the top of a module, the last binding counting as in Python.

    ``broken`` are the names that lines with syntax errors may bind; ``unsure`` those that a statement
    sets or changes which is not executed, after they were bound. If they are ``strict``, what is under
    ``@torch.jit.script`` knows no names from below.
    """

    __slots__ = (
        *(
            "_later",
            "_reassigned",
            "bindings",
            "is_strict",
            "broken",
            "module",
            "star_imports",
            "unsure",
        ),
    )

    def __init__(self, module: Module, *, strict: bool = False) -> None:
        self.bindings: dict[str, Binding] = {}
        self.broken: set[str] = set()
        self.unsure: dict[str, SourceRange] = {}
        self.star_imports: list[ImportedModule] = []
        self.module = module
        self._reassigned: frozenset[str] | None = None
        for statement in module.statements:
            if isinstance(statement, BrokenStmt):
                self.broken.update(statement.names)
            for name, binding in self._bound_by(statement):
                self.bindings[name] = binding
                self.unsure.pop(name, None)
            for name in set_by_the_way(statement):
                if isinstance(self.bindings.get(name), Def | ClassDef | Assign):
                    self.unsure.setdefault(name, statement.range)
            for name in changed_by_the_way(statement):
                if isinstance(self.bindings.get(name), ClassDef | Assign):
                    self.unsure.setdefault(name, statement.range)
        self.is_strict = strict
        self._later = self._later_definitions() if strict else None

    def _later_definitions(self) -> LaterDefinitions:
        first: dict[str, int] = {}
        scripted: list[Def | ClassDef] = []
        for statement in self.module.statements:
            for name, _ in self._bound_by(statement):
                first.setdefault(name, statement.range.start)
            if isinstance(statement, Def | ClassDef):
                paths = map(self.path_of, statement.decorators)
                scripted += [statement] if not _SCRIPT.isdisjoint(paths) else []
        return LaterDefinitions(scripted, first)

    @property
    def reassigned_attributes(self) -> frozenset[str]:
        """The names of attributes that the text sets in more than one place."""
        if self._reassigned is None:
            counts = Counter(set_attributes(self.module))
            self._reassigned = frozenset(name for name, count in counts.items() if count > 1)
        return self._reassigned

    def class_statement(self, name: str) -> ClassDef:
        """The statement of a class of that name, which there is."""
        binding = self.bindings[name]
        assert isinstance(binding, ClassDef)
        return binding

    def refuse_unknown(self, name: str, range: SourceRange) -> None:
        """Raise CompileError for a name, dotted or not, that is `unsure`.

        Nothing is said of one that a syntax error keeps from being known.
        """
        first = name.partition(".")[0]
        if self._later is not None:
            self._later.refuse(first, range)
        if first in self.broken:
            raise FollowUp
        if first in self.unsure:
            raise set_again(first, self.unsure[first], range)

    def path_behind(self, name: str) -> str | None:
        """What a name stands for that is another name for something; None for any other."""
        binding = self.bindings.get(name)
        tree = binding.rhs if isinstance(binding, Assign) else None
        return self.path_of(tree) if isinstance(tree, Var | Select) else None

    def path_of(self, tree: Expr) -> str | None:
        """The full path of a dotted name: ``F.relu`` is ``torch.nn.functional.relu``."""
        selectors: list[str] = []
        while isinstance(tree, Select):
            selectors.append(tree.selector.name)
            tree = tree.value
        if not isinstance(tree, Var):
            return None
        return ".".join([self.path_of_name(tree.name.name), *reversed(selectors)])

    def path_of_name(self, name: str) -> str:
        """The same for a name given as text, dotted or not."""
        first, dot, rest = name.partition(".")
        binding = self.bindings.get(first)
        if isinstance(binding, ImportedModule):
            first = str(binding)
        elif isinstance(binding, ImportedName):
            first = str(binding.module.submodule(binding.name))
        return first + dot + rest

    def _bound_by(self, statement: Stmt) -> Iterator[tuple[str, Binding]]:
        if isinstance(statement, Def | ClassDef):
            yield statement.name.name, statement
        elif isinstance(statement, Import):
            for alias in statement.names:
                path = alias.name.name if alias.asname is not None else alias.bound_name
                yield alias.bound_name, ImportedModule(path)
        elif isinstance(statement, ImportFrom):
            yield from self._imported_names(statement)
        elif isinstance(statement, Assign) and statement.rhs is not None:
            for target in statement.lhs_list:
                if isinstance(target, Var):
                    yield target.name.name, statement

    def _imported_names(self, statement: ImportFrom) -> Iterator[tuple[str, Binding]]:
        module = ImportedModule(statement.module.name, statement.level)
        for alias in statement.names:
            if alias.name.name == "*":
                self.star_imports.append(module)
            else:
                yield alias.bound_name, ImportedName(module, alias.name.name)


def python_name(definition: ClassDef) -> str:
    """The full name that Python has for a class: ``errors.TooLarge``, in a file called errors.py."""
    path = PurePath(definition.range.source.filename)
    module = path.stem if path.suffix == ".py" else "__torch__"
    return f"{module}.{definition.name.name}"


def set_again(name: str, place: SourceRange, range: SourceRange) -> CompileError:
    """The error for a name, used at ``range``, that the statement at ``place`` sets or changes."""
    first_line = place.source.range(place.start, place.start + len(place.text.partition("\n")[0]))
    return CompileError(
        f"python value '{name}' cannot be used as a value: a statement that is not executed sets it again",
        range,
        code=codes.GLOBAL_NOT_CONSTANT,
        notes=[Note("it is set or changed here:", first_line)],
        hint="a source file is read, not executed: set it once, with the value that is meant",
    )
