"""Constants of a source text: the expressions that it assigns outside of functions, evaluated by the compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tsc.compiler.emit.classes.defined_types import DefinedType
from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.names.module_constants import NotConstant, evaluate_constant
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.tree_views import Assign, Expr, Select, Var
from tsc.compiler.source import SourceRange
from tsc.compiler.types import EnumMember, EnumType

ClassAt = Callable[[str, SourceRange], "DefinedType | None"]
"""The class that a path stands for."""

FindElsewhere = Callable[[str, SourceRange], "tuple[object] | None"]
"""The constant that a path leads to in another text; None if there is none."""


class SourceConstants:
    """Evaluates constants of one text, and those of others that it uses."""

    __slots__ = ("_class_at", "_evaluating", "_find_elsewhere", "_known", "_names", "_refused")

    def __init__(
        self, names: ModuleNames, class_at: ClassAt, find_elsewhere: FindElsewhere
    ) -> None:
        self._names = names
        self._class_at = class_at
        self._find_elsewhere = find_elsewhere
        self._evaluating: list[str] = []
        self._known: dict[str, tuple[Assign, object]] = {}
        self._refused: dict[str, tuple[Assign, SourceRange]] = {}

    def evaluate(self, tree: Expr) -> object:
        """The value of a constant expression. Raises NotConstant for any other."""
        return self.evaluate_with(tree, {})

    def evaluate_with(self, tree: Expr, local: Mapping[str, object]) -> object:
        """The value of a constant expression, in which ``local`` names have these values."""

        def lookup(tree: Expr) -> object:
            if isinstance(tree, Var) and tree.name.name in local:
                return local[tree.name.name]
            return self._constant_of(tree)

        return evaluate_constant(tree, lookup, self._names.path_of)

    def assigned(self, name: str, assign: Assign) -> object:
        """The value that an assignment gives to a name. Raises NotConstant if it is none."""
        known = self._known.get(name)
        if known is not None and known[0] is assign:
            return known[1]
        refused = self._refused.get(name)
        if refused is not None and refused[0] is assign:
            raise NotConstant(refused[1])
        if assign.rhs is None or name in self._evaluating:
            raise NotConstant(assign.range)
        self._evaluating.append(name)
        try:
            value = self.evaluate(assign.rhs)
        except NotConstant as reason:
            self._refused[name] = (assign, reason.range)
            raise
        finally:
            self._evaluating.pop()
        self._known[name] = (assign, value)
        return value

    def find(self, path: str, range: SourceRange) -> tuple[object] | None:
        """The constant that a path leads to, in this text or in another one; None if there is none."""
        self._names.refuse_unknown(path, range)
        binding = self._names.bindings.get(path)
        if isinstance(binding, Assign):
            return (self.assigned(path, binding),)
        return self._find_elsewhere(path, range)

    def _constant_of(self, tree: Expr) -> object:
        path = self._names.path_of(tree)
        if path in known.CONSTANTS:
            return known.CONSTANTS[path]
        if path is None:
            raise NotConstant(tree.range)
        constant = self._of_enum(tree) if isinstance(tree, Select) else None
        if constant is not None:
            return constant
        found = self.find(path, tree.range)
        if found is None:
            raise NotConstant(tree.range)
        return found[0]

    def _of_enum(self, tree: Select) -> object:
        """``Color.RED``, ``Color.RED.name`` or ``Color.RED.value``; None for anything else."""
        owner, name = self._names.path_of(tree.value), tree.selector.name
        defined = None if owner is None else self._class_at(owner, tree.range)
        if isinstance(defined, EnumType):
            return defined.member(name)
        if name not in ("name", "value") or not isinstance(tree.value, Select):
            return None
        member = self._of_enum(tree.value)
        return getattr(member, name) if isinstance(member, EnumMember) else None
