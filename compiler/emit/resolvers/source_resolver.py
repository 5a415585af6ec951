"""The resolver of a source text: its functions, constants and imports, read but never executed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tsc.compiler.emit.classes.defined_types import DefinedType, DefinedTypes, class_value
from tsc.compiler.emit.classes.script_classes import ClassScope
from tsc.compiler.emit.names.decorators import (
    Role,
    as_compiled,
    functions_without_effect,
    is_scripted,
    role_of,
)
from tsc.compiler.emit.names.module_constants import NotConstant, insert_module_constant
from tsc.compiler.emit.names.module_names import (
    Binding,
    ImportedModule,
    ImportedName,
    ModuleNames,
    python_name,
)
from tsc.compiler.emit.names.overloads import overload_names, resolve_overloads
from tsc.compiler.emit.names.similar_names import NameIndex
from tsc.compiler.emit.protocols import Emitter, Resolver, SugaredValue
from tsc.compiler.emit.resolvers.chains import Chains
from tsc.compiler.emit.resolvers.closed_over_constants import note_constant, note_imported
from tsc.compiler.emit.resolvers.other_texts import LoadModule, OtherTexts, is_known
from tsc.compiler.emit.resolvers.outside import NOTHING, Outside, type_outside
from tsc.compiler.emit.resolvers.source_constants import SourceConstants
from tsc.compiler.emit.resolvers.unimported_names import without_import
from tsc.compiler.emit.sugared_values import (
    ConstantTable,
    ExceptionClass,
    FunctionNamespace,
    FunctionValue,
    LibraryProvider,
    NamespaceValue,
    SimpleValue,
    SourceModuleValue,
    UnknownModuleValue,
)
from tsc.compiler.emit.sugared_values.function_templates import (
    Template,
    TemplateValue,
    function_with,
)
from tsc.compiler.emit.sugared_values.python_builtins import (
    GLOBALS,
    exception_class,
    refuse_unsupported_builtin,
)
from tsc.compiler.emit.sugared_values.python_function import python_function
from tsc.compiler.emit.sugared_values.serialized_names import SERIALIZED_NAMES, SERIALIZED_NUMBERS
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.function_types import takes_functions
from tsc.compiler.frontend.tree_views import (
    Assign,
    ClassDef,
    Def,
    Expr,
    Ident,
    Module,
    Select,
    Var,
)
from tsc.compiler.ir import MANGLED, Function, Value
from tsc.compiler.source import CompileError, Problems, SourceRange, codes
from tsc.compiler.types import ClassType, Type

Derive = Callable[["Def", "Resolver"], "Function"]
"""Makes a function of a definition and the resolver that it uses."""


class SourceResolver:
    """Resolves what the functions of one source text use; ``functions`` are those that calls may name.

    What else ``earlier`` texts define is known too, ``outside`` is asked for the rest. ``prefix`` begins names of
    classes; ``constants`` are those of an archive.
    """

    def __init__(
        self,
        module: Module,
        functions: dict[str, Function],
        library: LibraryProvider,
        *,
        prefix: str = "__torch__.",
        derive: Derive | None = None,
        strict: bool = False,
        outside: Outside = NOTHING,
        earlier: Sequence[SourceResolver] = (),
        load_module: LoadModule[SourceResolver] | None = None,
        constants: Sequence[object] = (),
        problems: Problems | None = None,
    ) -> None:
        self.names = ModuleNames(module, strict=strict)
        self.prefix = prefix
        without_effect = functions_without_effect(module.definitions)
        definitions = [
            as_compiled(definition, self.names, without_effect)
            for definition in resolve_overloads(module.definitions, self.names, problems)
            if role_of(definition, self.names) is not Role.LEFT_TO_PYTHON
        ]
        self._templates = {
            definition.name.name: Template(definition, self, definition.name.name)
            for definition in definitions
            if not strict and takes_functions(definition, self.names.path_of_name)
        }
        self.definitions = [each for each in definitions if each.name.name not in self._templates]
        self._derive, self._outside = derive, outside
        self._functions = functions
        self._library = library
        self._serialized_constants = constants
        self._others = OtherTexts(self.names, earlier, load_module)
        self._type_parser = ScriptTypeParser(self.resolve_type, self.names.path_of_name)
        self._aliased_paths = Chains(self.names.path_behind)
        self._constants = SourceConstants(self.names, self._class_at, self._constant_elsewhere)
        scope = ClassScope(
            self.names,
            self._type_parser,
            self,
            derive=self.derived,
            evaluate=self._constants.evaluate,
            find_class=self.find_class,
            strict=strict,
        )
        self._classes = DefinedTypes(
            self.names, self._type_parser, self._constants.evaluate_with, prefix, scope
        )
        self._index: NameIndex | None = None

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        self.names.refuse_unknown(name, range)
        found = GLOBALS.get(name) or self._from_module(name, emitter, range)
        if found is None:
            found = without_import(name, emitter, range, self._library) or exception_class(name)
        if found is None:
            found = self._serialized_name(name, emitter, range)
            found = found or self._outside.resolve_value(name, emitter, range)
        if found is None:
            refuse_unsupported_builtin(name, range)
        return found

    def names_near(self, name: str) -> Iterable[str]:
        if self._index is None:
            earlier = [name for each in self._others.earlier for name in each.names.bindings]
            self._index = NameIndex([*self._functions, *self.names.bindings, *earlier, *GLOBALS])
        return self._index.near(name)

    def sugared_self(self, value: Value) -> SugaredValue | None:
        return None

    def declared_attribute(self, name: str) -> Type | None:
        return None

    def sets_again(self, attribute: str) -> bool:
        return attribute in self.names.reassigned_attributes

    def _from_module(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        binding = self.names.bindings.get(name)
        if binding is None and name in self._functions:
            return FunctionValue(self._functions[name])
        if binding is not None:
            with self._others.follow(name) as is_new:
                return self._bound(name, binding, emitter, range) if is_new else None

        def in_known(module: ImportedModule, name: str) -> SugaredValue | None:
            value = self._imported_module(module)
            is_there = value.has_attribute(range, emitter, name)
            return value.attribute(range, emitter, name) if is_there else None

        return self._others.find(
            "value", name, lambda text, name: text.resolve_value(name, emitter, range), in_known
        )

    def _bound(
        self, name: str, binding: Binding, emitter: Emitter, range: SourceRange
    ) -> SugaredValue:
        match binding:
            case Def():
                return self._function(binding)
            case ImportedModule():
                return self._imported_module(binding)
            case ImportedName():
                module = self._imported_module(binding.module)
                note_imported(name, f"{binding.module}.{binding.name}", emitter, range)
                return module.attribute(range, emitter, binding.name)
            case ClassDef() if self._classes.is_exception(binding):
                return ExceptionClass(python_name(binding))
            case ClassDef() if self._classes.is_module(binding):
                return self._classes.module_class(binding, range)
            case ClassDef() | Assign():
                defined = self._class_at(name, range)
                if defined is not None:
                    return class_value(defined)
                assert isinstance(binding, Assign)
                return self._module_constant(name, binding, emitter, range)

    def _function(self, definition: Def) -> SugaredValue:
        name = definition.name.name
        role = role_of(definition, self.names)
        if name in self._templates:
            return TemplateValue(self._templates[name])
        if role is Role.COMPILED:
            names = overload_names(name, self._functions)
            return FunctionValue(*(self._functions[each] for each in names))
        is_ignored = role is Role.LEFT_TO_PYTHON
        types = self._type_parser.parse_type
        return python_function(name, definition.decl, types, is_ignored=is_ignored)

    def _module_constant(
        self, name: str, assign: Assign, emitter: Emitter, range: SourceRange
    ) -> SugaredValue:
        try:
            constant = self._constants.assigned(name, assign)
        except NotConstant as reason:
            aliased = self._aliased(assign.rhs, emitter, range)
            if aliased is not None:
                return aliased
            raise CompileError(
                f"python value '{name}' cannot be used as a value. Perhaps it is a closed over "
                "global variable?",
                range,
                code=codes.GLOBAL_NOT_CONSTANT,
                notes=[f"Its definition is not a constant expression: {reason.range.text}"],
                hint="pass it in as an argument or use a local variable instead",
            ) from None
        note_constant(constant, emitter, range)
        type = None if assign.type is None else self._type_parser.parse_type(assign.type)
        return SimpleValue(insert_module_constant(emitter.graph, constant, range, type))

    def _aliased(
        self, tree: Expr | None, emitter: Emitter, range: SourceRange
    ) -> SugaredValue | None:
        """The function or module that an expression names, as in ``relu = torch.relu``."""
        found = None
        if isinstance(tree, Var):
            found = self.resolve_value(tree.name.name, emitter, range)
        elif isinstance(tree, Select):
            owner = self._aliased(tree.value, emitter, range)
            name = tree.selector.name
            is_module = isinstance(owner, NamespaceValue | SourceModuleValue)
            if is_module and owner.has_attribute(range, emitter, name):
                found = owner.attribute(range, emitter, name)
        return None if isinstance(found, SimpleValue) else found

    def _imported_module(self, module: ImportedModule) -> SugaredValue:
        if is_known(module):
            return NamespaceValue(module.path, self._library)
        return self._source_module(module) or UnknownModuleValue(str(module))

    @property
    def earlier(self) -> Sequence[SourceResolver]:
        """The resolvers of the texts compiled before, whose names are known here too."""
        return self._others.earlier

    def imported_file(self, module: ImportedModule) -> SourceResolver | None:
        """The resolver of another source file that an import names; None if there is none."""
        return self._others.file(module)

    def _source_module(self, module: ImportedModule) -> SourceModuleValue | None:
        loaded = self.imported_file(module)
        if loaded is None:
            return None
        return SourceModuleValue(
            str(module), loaded, lambda name: self._source_module(module.submodule(name))
        )

    def _serialized_name(
        self, name: str, emitter: Emitter, range: SourceRange
    ) -> SugaredValue | None:
        if name == "__torch__" or name.startswith(MANGLED):
            return FunctionNamespace(name, lambda path: self._qualified(path, range))
        if name == "CONSTANTS":
            return ConstantTable(self._serialized_constants)
        if name in SERIALIZED_NUMBERS:
            number = SERIALIZED_NUMBERS[name]
            return SimpleValue(emitter.graph.insert_constant(number, range=range))
        return SERIALIZED_NAMES.get(name)

    def _qualified(self, qualified_name: str, range: SourceRange) -> SugaredValue | None:
        """A function or class by its full name."""
        name = qualified_name.removeprefix("__torch__.")
        printed = name.replace(".", "_") if name.startswith(MANGLED) else name
        function = self._functions.get(name) or self._functions.get(printed)
        function = function or self._library(qualified_name)
        if function is not None:
            return FunctionValue(function)
        defined = self._class_at(name, range)
        return None if defined is None else class_value(defined)

    def functions_of_templates(self, stand_in: SugaredValue) -> list[Function]:
        """The functions that take functions, compiled with a stand-in for what they are given."""
        return [function_with(template, stand_in) for template in self._templates.values()]

    def derive(self, name: str, definition: Def, resolver: Resolver) -> Function:
        """A new function of this text, called ``name`` or nearly so."""
        assert self._derive is not None
        unique, number = name, 0
        while unique in self._functions or unique in self.names.bindings:
            number += 1
            unique = f"{name}_{number}"
        named = replace(definition, name=Ident(definition.name.range, unique))
        function = self._functions[unique] = self._derive(named, resolver)
        return function

    def derived(self, definition: Def, resolver: Resolver) -> Function:
        """A function of this text that its names do not tell of: a method."""
        assert self._derive is not None
        return self._derive(definition, resolver)

    def static_method(self, definition: Def) -> Function:
        """The function of a static method of a class of modules, always the same one."""
        return self._classes.static_method(definition)

    def find_class(self, path: str) -> tuple[ClassDef, ClassScope] | None:
        """The class statement that a path leads to, in this text, an earlier one or another file."""
        binding = self.names.bindings.get(path)
        if isinstance(binding, ClassDef):
            return binding, self._classes.scope
        return self._others.find("base", path, lambda text, path: text.find_class(path))

    def discard(self, function: Function) -> None:
        self._functions.pop(function.name, None)

    # -- Types -------------------------------------------------------------------------------

    @property
    def class_names(self) -> list[str]:
        """The names of the class statements of this text."""
        return [name for name, each in self.names.bindings.items() if isinstance(each, ClassDef)]

    def is_module(self, name: str) -> bool:
        """Whether a name of this text is a class of modules."""
        binding = self.names.bindings.get(name)
        return isinstance(binding, ClassDef) and self._classes.is_module(binding)

    def use_declared_classes(self) -> None:
        """Make the classes that the text asks for by a decorator, ``@torch.jit.script``."""
        for name, binding in self.names.bindings.items():
            if isinstance(binding, ClassDef) and is_scripted(binding, self.names):
                self._class_at(name, binding.name.range)

    @property
    def script_classes(self) -> list[ClassType]:
        """The classes that were used so far."""
        return self._classes.script_classes

    def class_type(self, name: str) -> DefinedType | None:
        """The type that a class of this text is; None if there is no class of that name."""
        binding = self.names.bindings.get(name)
        is_class = isinstance(binding, ClassDef | Assign)
        return self._class_at(name, binding.range) if is_class else None

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        self.names.refuse_unknown(name, range)
        name = name.removeprefix("__torch__.")
        binding = self.names.bindings.get(name)
        if isinstance(binding, ClassDef | Assign):
            defined = self._classes.find(name, range)
            if defined is not None or isinstance(binding, ClassDef):
                return defined
            return self._type_alias(name, binding)
        path = self.names.path_of_name(name)
        found = self._others.find("type", path, lambda text, path: text.resolve_type(path, range))
        return found or type_outside(self._outside, self.names, name, range)

    def _class_at(self, path: str, range: SourceRange) -> DefinedType | None:
        """The class that a name, dotted or not, stands for: here, in an earlier text or file."""
        path = path.removeprefix("__torch__.")
        binding = self.names.bindings.get(path)
        if isinstance(binding, ClassDef | Assign):
            return self._classes.find(path, range) or self._class_alias(path, range)
        return self._others.find("class", path, lambda text, path: text._class_at(path, range))

    def _constant_elsewhere(self, path: str, range: SourceRange) -> tuple[object] | None:
        """The constant of another text that a path leads to."""
        return self._others.find(
            "constant", path, lambda text, path: text._constants.find(path, range)
        )

    def _class_alias(self, name: str, range: SourceRange) -> DefinedType | None:
        """``Colour = Color``"""
        path = self._aliased_paths.end_of(name)
        if path is None:
            return None
        with self._others.follow(f"alias {path}") as is_new:
            return self._class_at(path, range) if is_new else None

    def qualified_name(self, name: str) -> str:
        return self.names.path_of_name(name)

    def _type_alias(self, name: str, assign: Assign) -> Type | None:
        """``Shape = List[int]``"""
        with self._others.follow(f"type alias {name}") as is_new:
            return self._type_parser.parse_type(assign.rhs) if assign.rhs and is_new else None
