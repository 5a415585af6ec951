"""The resolver of an archive's program: classes and functions by their qualified names, in many files.

``__torch__.a.b.Name`` stands in the file of its qualifier, ``__torch__.a.b``. Files are parsed when a name
in them is first needed, and once; methods and functions are compiled when they are first called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from tsc.compiler.emit.acceptance import Acceptance, Reading
from tsc.compiler.emit.classes.archive_classes import make_type
from tsc.compiler.emit.classes.defined_types import DefinedType, class_value
from tsc.compiler.emit.classes.script_classes import ClassScope
from tsc.compiler.emit.ir_emitter import IREmitter
from tsc.compiler.emit.names.module_constants import NotConstant, evaluate_constant
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.emit.protocols import Emitter, Evaluate, Resolver, SugaredValue
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.emit.statements.default_arguments import evaluate_default
from tsc.compiler.emit.statements.definitions import argument_of, declared_return_type, schema_of
from tsc.compiler.emit.sugared_values import NO_GRAD, FunctionNamespace, FunctionValue
from tsc.compiler.emit.sugared_values.class_value import ClassValue
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.outline import parse_outline
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import (
    ClassDef,
    Const,
    Def,
    Expr,
    FalseLiteral,
    Ident,
    TrueLiteral,
    Var,
)
from tsc.compiler.ir import Function, Value
from tsc.compiler.schema import FunctionSchema, OperatorTable
from tsc.compiler.source import CompileError, Source, SourceRange, codes
from tsc.compiler.types import BOOL, FLOAT, INT, NONE, ClassType, Type

FindSource = Callable[[str], "Source | None"]
"""Gives the text of a qualifier, such as ``__torch__.torch.nn.modules.linear``."""

Declare = Callable[[str, Def, "ArchiveResolver"], Function]
"""Makes a function of a qualified name and a definition, which is compiled when it is needed."""

_ROOT = "__torch__"
_PLAIN_CLASSES: dict[Type, type] = {INT: int, FLOAT: float, BOOL: bool}
_LONGEST_PLAIN = 18  # digits: longer integers may not fit into 64 bits
_TORCHBIND = "__torch__.torch.classes"


class ArchiveFile:
    """One code file: its definitions by name, and what its class statements need."""

    def __init__(self, source: Source, resolver: ArchiveResolver) -> None:
        module = parse_outline(source)
        self.names = ModuleNames(module)
        self.definitions: dict[str, ClassDef | Def] = {
            each.name.name: each for each in module.statements if isinstance(each, ClassDef | Def)
        }
        self.scope = ClassScope(
            self.names,
            resolver.types,
            resolver,
            derive=lambda definition, user: user.derive(definition.name.name, definition, user),
            evaluate=lambda tree: resolver.constant(tree, {}),
            find_class=lambda _path: None,
            strict=True,
        )


class ArchiveResolver:
    """Resolves what the functions of one archive use. ``constants`` are its ``CONSTANTS``."""

    def __init__(
        self,
        find_source: FindSource,
        declare: Declare,
        operators: OperatorTable,
        evaluate: Evaluate,
        constants: Sequence[object] = (),
    ) -> None:
        self.types = ScriptTypeParser(self.resolve_type)
        self._find_source = find_source
        self._declare = declare
        self._operators = operators
        self._evaluate = evaluate
        self._builtins = SourceResolver(
            parse_source(Source("", "<archive>")), {}, lambda _name: None, constants=constants
        )
        self._files: dict[str, ArchiveFile | None] = {}
        self._types: dict[str, DefinedType] = {NO_GRAD.qualified_name: NO_GRAD}
        self._functions: dict[str, Function] = {}
        self._being_made: set[str] = set()
        self._derived = 0

    # -- What there is -----------------------------------------------------------------------

    def file(self, qualifier: str) -> ArchiveFile | None:
        """The file of a qualifier. Raises `CompileError` if it does not parse."""
        if qualifier not in self._files:
            source = self._find_source(qualifier)
            self._files[qualifier] = source and ArchiveFile(source, self)
        return self._files[qualifier]

    def type_named(self, name: str, range: SourceRange) -> DefinedType | None:
        """The class, interface, NamedTuple or enum of a qualified name."""
        if name in self._types:
            return self._types[name]
        definition, file = self._definition(name)
        if file is None or not isinstance(definition, ClassDef):
            _refuse_torchbind(name, range)
            return None
        if name in self._being_made:
            message = f"'{name}' is part of its own definition"
            raise CompileError(message, range, code=codes.INVALID_CLASS)
        self._being_made.add(name)
        try:
            made = self._types[name] = make_type(definition, name, file.scope, self)
        except CompileError:
            self._types.pop(name, None)
            raise
        finally:
            self._being_made.discard(name)
        return made

    def function_named(self, name: str) -> Function | None:
        """The function of a qualified name that belongs to no class, or is static there."""
        if name not in self._functions:
            definition, _file = self._definition(name)
            if not isinstance(definition, Def):
                return None
            self._functions[name] = self.declared(name, definition)
        return self._functions[name]

    def _definition(self, name: str) -> tuple[ClassDef | Def | None, ArchiveFile | None]:
        qualifier, _, last = name.rpartition(".")
        file = self.file(qualifier) if qualifier else None
        return (None, None) if file is None else (file.definitions.get(last), file)

    def remember(self, type: ClassType) -> None:
        """Make a class known before it is filled: it may use itself."""
        self._types[type.qualified_name] = type

    def declared(self, qualified_name: str, definition: Def) -> Function:
        return self._declare(qualified_name, definition, self)

    def schema_of(self, definition: Def, function: Function) -> FunctionSchema:
        """The schema that a definition declares. Nothing is compiled for it but its defaults."""
        emitter = self._emitter(function)
        arguments = tuple(argument_of(emitter, param) for param in definition.decl.params)
        return schema_of(function, arguments, declared_return_type(emitter, definition) or NONE)

    def _emitter(self, function: Function) -> IREmitter:
        acceptance = Acceptance(Reading.GENEROUS)
        return IREmitter(function, self, self._operators, self._evaluate, acceptance)

    # -- Constants ---------------------------------------------------------------------------

    def typed_constant(self, tree: Expr, type: Type) -> object:
        """The value of an expression made of constants; lists are tuples."""
        plain = _plain_value(tree)
        if plain is not None and _PLAIN_CLASSES.get(type) is plain.__class__:
            return plain
        return evaluate_default(self._emitter(Function("constant")), tree, type)

    def constant(self, tree: Expr, local: Mapping[str, object]) -> object:
        """The value of a literal, in which ``local`` names may be used."""

        def lookup(tree: Expr) -> object:
            if isinstance(tree, Var) and tree.name.name in local:
                return local[tree.name.name]
            raise NotConstant(tree.range)

        return evaluate_constant(tree, lookup, lambda _tree: None)

    # -- As a Resolver -----------------------------------------------------------------------

    def resolve_value(self, name: str, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        if name == _ROOT:
            return FunctionNamespace(_ROOT, lambda path: self._member(path, range))
        return self._builtins.resolve_value(name, emitter, range)

    def _member(self, path: str, range: SourceRange) -> SugaredValue | None:
        type = self.type_named(path, range)
        if isinstance(type, ClassType):
            return ArchiveClassValue(type, self)
        if type is not None:
            return class_value(type)
        function = self.function_named(path)
        return None if function is None else FunctionValue(function)

    def resolve_type(self, name: str, range: SourceRange) -> Type | None:
        return self.type_named(name, range) if name.startswith(f"{_ROOT}.") else None

    def qualified_name(self, name: str) -> str:
        return name

    def derive(self, name: str, definition: Def, resolver: Resolver) -> Function:
        self._derived += 1
        named = replace(definition, name=Ident(definition.name.range, f"{name}_{self._derived}"))
        return self.declared(f"{_ROOT}.{named.name.name}", named)

    def discard(self, function: Function) -> None:
        """Derived functions are not kept anywhere."""

    def sugared_self(self, value: Value) -> SugaredValue | None:
        return None

    def declared_attribute(self, name: str) -> Type | None:
        return None

    def sets_again(self, attribute: str) -> bool:
        return False

    def names_near(self, name: str) -> Iterable[str]:
        return self._builtins.names_near(name)


class ArchiveClassValue(ClassValue):
    """A class of an archive. Its static methods and hooks are functions in a file of its name."""

    __slots__ = ("resolver",)

    def __init__(self, type: ClassType, resolver: ArchiveResolver) -> None:
        super().__init__(type)
        self.resolver = resolver

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        path = f"{self.type.qualified_name}.{name}"
        found = None if name == "__new__" else self.resolver.function_named(path)
        if found is not None:
            return FunctionValue(found)
        inner = self.resolver.type_named(path, range) if name != "__new__" else None
        return super().attribute(range, emitter, name) if inner is None else class_value(inner)


def _plain_value(tree: Expr) -> bool | complex | None:
    """The value of what most attributes are printed as, for which no graph has to be made."""
    if isinstance(tree, TrueLiteral | FalseLiteral):
        return isinstance(tree, TrueLiteral)
    if not isinstance(tree, Const):
        return None
    value = tree.value
    return value if isinstance(value, float) or len(tree.text) <= _LONGEST_PLAIN else None


def _refuse_torchbind(name: str, range: SourceRange) -> None:
    if name.startswith(f"{_TORCHBIND}."):
        raise CompileError(
            f"'{name.removeprefix(f'{_TORCHBIND}.')}' is a class written in C++ (torchbind), "
            "which only PyTorch has",
            range,
            code=codes.UNKNOWN_SERIALIZED_NAME,
            hint="`tsc inspect` and `tsc print-code` show the program all the same; to run it here, save it with "
            "PyTorch without that object, as the model was before it was quantized",
        )
