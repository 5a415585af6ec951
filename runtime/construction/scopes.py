"""The names of one file: its definitions and imports, evaluated when they are first asked for."""

from __future__ import annotations

import difflib
from typing import Any

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.names.absent_names import absent_member
from tsc.compiler.emit.names.module_names import Binding, ImportedModule, ImportedName
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.tree_views import Assign, ClassDef, Def, Var
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.runtime.construction import class_bodies, namespaces, statements
from tsc.runtime.construction.errors import ConstructionError
from tsc.runtime.construction.python_builtins import BUILTINS
from tsc.runtime.construction.values.functions import function_object
from tsc.runtime.construction.values.imported import Namespace, SourceModule, TypeForm
from tsc.runtime.construction.values.protocol import MISSING, Evaluator, Frame, Scope


class FileScope:
    """The global names of the file that `resolver` resolves."""

    def __init__(self, evaluator: Evaluator, resolver: SourceResolver) -> None:
        self.evaluator = evaluator
        self.resolver = resolver
        self.frame = Frame(self)
        self._being_made: set[str] = set()

    def value_of(self, name: str, range: SourceRange) -> Any:
        """The value of a global name or of a builtin one. Raises CompileError if there is none."""
        found = self.find(name, range)
        if found is MISSING:
            found = self._without_import(name)
        if found is MISSING:
            raise self._undefined(name, range)
        return found

    def find(self, name: str, range: SourceRange) -> Any:
        """The value of a name that this file binds, or `MISSING`."""
        values = self.frame.locals
        if name in values:
            return values[name]
        names = self.resolver.names
        names.refuse_unknown(name, range)
        binding = names.bindings.get(name)
        if binding is not None:
            values[name] = value = self._made(name, binding, range)
            return value
        for module in names.star_imports:
            found = self._member_of(module, name, range)
            if found is not MISSING:
                return found
        return self._earlier(name, range)

    def builtin(self, name: str) -> Any:
        return BUILTINS[name]

    def imported(self, module: ImportedModule, range: SourceRange) -> Any:
        """The module of an import. Raises CompileError for one that neither tsc nor a file is."""
        if module.level == 0 and module.path in namespaces.PATHS:
            return Namespace(module.path)
        found = self._file_value(module)
        if found is None:
            raise CompileError(
                f"the module '{module}' is not available",
                range,
                code=codes.UNAVAILABLE_MODULE,
                hint="tsc knows torch, math and a part of the standard library, and reads files "
                "beside the importing one",
                subject=str(module),
            )
        return found

    def imported_name(self, module: ImportedModule, name: str, range: SourceRange) -> Any:
        """``from module import name``"""
        found = self._member_of(module, name, range)
        if found is MISSING:
            found = self._submodule(module, name)
        if found is MISSING:
            absence = absent_member(module.path, name)
            raise CompileError(
                f"there is no '{name}' in the module '{module}' that tsc knows",
                range,
                code=codes.UNKNOWN_IMPORT,
                hint=None if absence is None else str(absence),
            )
        return found

    # -- How values are made -------------------------------------------------------------------

    def _made(self, name: str, binding: Binding, range: SourceRange) -> Any:
        if name in self._being_made:
            raise ConstructionError("NameError", f"name '{name}' is not defined yet")
        self._being_made.add(name)
        try:
            match binding:
                case ImportedModule():
                    return self.imported(binding, range)
                case ImportedName():
                    return self.imported_name(binding.module, binding.name, range)
                case Def():
                    return self._function(binding)
                case ClassDef():
                    return self._class(binding)
                case Assign():
                    return self._constant(name, binding)
        finally:
            self._being_made.remove(name)

    def _function(self, tree: Def) -> Any:
        function = function_object(self.evaluator, tree, tree.name.name, self.frame)
        with self.evaluator.entered(Frame(self, position=tree.range), "<module>"):
            return statements.decorated(self.evaluator, tree, function, self.frame)

    def _class(self, tree: ClassDef) -> Any:
        """The class is known before its decorators run: they may look at it."""
        with self.evaluator.entered(Frame(self, position=tree.range), "<module>"):
            made = class_bodies.make_class(self.evaluator, tree, self.frame)
            self.frame.locals[tree.name.name] = made
            return statements.decorated(self.evaluator, tree, made, self.frame)

    def _constant(self, name: str, tree: Assign) -> Any:
        assert tree.rhs is not None
        frame = Frame(self, position=tree.range)
        with self.evaluator.entered(frame, "<module>"):
            value = self.evaluator.evaluate(tree.rhs, frame)
        for target in tree.lhs_list:
            if isinstance(target, Var):
                self.frame.locals[target.name.name] = value
        return value

    # -- Other files ---------------------------------------------------------------------------

    def _file(self, module: ImportedModule) -> Scope | None:
        resolver = self.resolver.imported_file(module)
        if resolver is None:
            return None
        return self.evaluator.scope_of(resolver)

    def _member_of(self, module: ImportedModule, name: str, range: SourceRange) -> Any:
        if module.level == 0 and module.path in namespaces.PATHS:
            return namespaces.member(self.evaluator, module.path, name)
        file = self._file(module)
        return MISSING if file is None else file.find(name, range)

    def _submodule(self, module: ImportedModule, name: str) -> Any:
        found = self._file_value(module.submodule(name))
        return MISSING if found is None else found

    def _file_value(self, module: ImportedModule) -> SourceModule | None:
        file = self._file(module)
        if file is None:
            return None
        return SourceModule(
            str(module), file, lambda name: self._file_value(module.submodule(name))
        )

    def _earlier(self, name: str, range: SourceRange) -> Any:
        """What a text compiled before this one binds."""
        for resolver in reversed(self.resolver.earlier):
            if name in resolver.names.bindings:
                return self.evaluator.scope_of(resolver).find(name, range)
        return MISSING

    # -- Names without a definition ------------------------------------------------------------

    def _without_import(self, name: str) -> Any:
        if name in BUILTINS:
            return BUILTINS[name]
        path = known.CUSTOMARY_ALIASES.get(name, name)
        if path in namespaces.PATHS:
            return Namespace(path)
        module, _, member = path.rpartition(".")
        if module in namespaces.PATHS:
            return namespaces.member(self.evaluator, module, member)
        if name == "Tensor":
            return namespaces.member(self.evaluator, "torch", name)
        if name in known.TYPING_NAMES:
            return TypeForm(name)
        return MISSING

    def _undefined(self, name: str, range: SourceRange) -> CompileError:
        near = difflib.get_close_matches(
            name, [*self.frame.locals, *self.resolver.names.bindings, *BUILTINS], n=1
        )
        return CompileError(
            f"name '{name}' is not defined",
            range,
            code=codes.UNDEFINED_NAME,
            hint=f"did you mean '{near[0]}'?" if near else None,
            subject=name,
        )
