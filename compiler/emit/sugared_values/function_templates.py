"""Functions that are compiled for each way in which they are called: nested ones, lambdas, and those
that take functions.

What such a function takes from around it becomes parameters in front of its own; a parameter that
stands for a function disappears, and its name stands for that function in the body. What is left is
a plain definition, which is compiled like any other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tsc.compiler.emit.calls.builtin_calls import insert_call, schema_of_callee
from tsc.compiler.emit.calls.schema_matching import match_schema
from tsc.compiler.emit.protocols import (
    Emitter,
    Environment,
    GivenArgument,
    NamedValue,
    Resolver,
    SugaredValue,
)
from tsc.compiler.emit.sugared_values import BuiltinFunction, FunctionValue, SimpleValue, TupleValue
from tsc.compiler.emit.sugared_values.bound_resolver import BoundResolver, find_bound
from tsc.compiler.emit.sugared_values.function_value import no_function_value
from tsc.compiler.frontend.annotations import KnownType
from tsc.compiler.frontend.free_names import bound_names, free_names
from tsc.compiler.frontend.function_types import is_function_type
from tsc.compiler.frontend.tree_views import Decl, Def, Expr, Ident, Param, Select, Var
from tsc.compiler.ir import Function, Value, inline_function_call
from tsc.compiler.source import CompileError, Note, SourceRange, codes, extensions
from tsc.compiler.types import NONE, Type, without_shapes


@dataclass(slots=True, eq=False)
class Template:
    """A definition that is not compiled by itself, but for calls of it.

    The parameters of a lambda have the types of what they are given. ``defaults`` are the variables
    around the definition that hold the defaults of parameters. ``made`` grows by what is compiled.
    """

    definition: Def
    resolver: Resolver
    full_name: str
    is_lambda: bool = False
    defaults: Mapping[str, str] = field(default_factory=dict[str, str])
    compiled: dict[Hashable, Function] = field(default_factory=dict["Hashable", "Function"])
    made: list[Function] = field(default_factory=list["Function"])

    @property
    def name(self) -> str:
        return self.definition.name.name

    @property
    def params(self) -> Sequence[Param]:
        return self.definition.decl.params

    def free_names(self) -> tuple[str, ...]:
        """What the body uses from around the definition."""
        return free_names(self.definition.decl, self.definition.statements)

    def taken_names(self) -> set[str]:
        """The names that mean something in the body already."""
        taken = {param.name for param in self.params}
        return taken.union(self.free_names(), bound_names(self.definition.statements))


class TemplateValue(SugaredValue):
    """A template, and where its free names are found: ``captures`` gives the variables of the
    function that is using it. In the one that defines it, at ``home``, they have their own names.
    """

    __slots__ = ("captures", "home", "template")

    def __init__(
        self,
        template: Template,
        *,
        home: Environment | None = None,
        captures: Mapping[str, str] | None = None,
    ) -> None:
        self.template = template
        self.home = home
        self.captures = captures

    @property
    def kind(self) -> str:
        return "lambda" if self.template.is_lambda else "function"

    @property
    def is_independent(self) -> bool:
        return True

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        raise no_function_value(self.kind, range)

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        given = [
            GivenArgument(SimpleValue(argument.value), argument.range, argument.name)
            for argument in (*args, *kwargs)
        ]
        return self.apply(range, emitter, given)

    def apply(
        self, range: SourceRange, emitter: Emitter, given: Sequence[GivenArgument]
    ) -> SugaredValue:
        """Emit a call, whose arguments may be functions."""
        if self.home is not None and not self.template.is_lambda:
            refusal = "function definitions aren't supported inside of a function"
            place = self.template.definition.head
            emitter.acceptance.use(extensions.NESTED_FUNCTIONS, place, refusal)
        return _Specialization(self, range, emitter).call(given)

    def variable(self, name: str) -> str | None:
        """Where the function at hand finds what a name stands for around the definition."""
        return name if self.captures is None else self.captures.get(name)

    def inlined(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        """The body of a function without parameters, in the place of a call."""
        call = _Specialization(self, range, emitter).call([]).as_value(range, emitter).node
        constant = call.inputs[0].node
        function = self.template.made.pop()
        (result,) = inline_function_call(call, function)
        constant.destroy()
        self.template.resolver.discard(function)
        return SimpleValue(result)

    def found_names(self, range: SourceRange, emitter: Emitter) -> Iterator[tuple[str, str]]:
        """The free names that stand for something, with the variables of the function at hand."""
        for name in self.template.free_names():
            variable = self.variable(name)
            if variable is None or find_bound(emitter, variable) is None:
                continue
            if self.home is not None and emitter.environment.is_hidden(variable, self.home):
                raise CompileError(
                    f"a comprehension hides the variable '{variable}', which "
                    f"'{self.template.name}' uses",
                    range,
                    code=codes.REASSIGNED_NAME,
                    hint="give the variable of the comprehension another name",
                )
            yield name, variable


class _Specialization:
    """One call of a template, and the definition that is compiled for it.

    ``variables`` are those of the caller that the definition needs, with their names in it;
    ``inputs`` are the ones among them that are passed, ``bindings`` the names of functions.
    """

    def __init__(self, value: TemplateValue, range: SourceRange, emitter: Emitter) -> None:
        self.value = value
        self.template = value.template
        self.range = range
        self.emitter = emitter
        self.taken = self.template.taken_names()
        self.variables: dict[str, str] = {}
        self.inputs: list[NamedValue] = []
        self.bindings: dict[str, SugaredValue] = {}

    def call(self, given: Sequence[GivenArgument]) -> SugaredValue:
        for name, variable in self.value.found_names(self.range, self.emitter):
            self._capture(variable, name)
        args, kwargs = self._arguments(given)
        kwargs += self._defaults(args, kwargs)
        function = self._compiled(self._definition(args, kwargs))
        schema = schema_of_callee(function, self.range, self.emitter)
        own_arguments = schema.arguments[len(self.inputs) :]
        schema = replace(schema, name=self.template.name, arguments=own_arguments)
        matched = match_schema(schema, self.range, self.emitter, args, kwargs)
        inputs = [*(captured.value for captured in self.inputs), *matched.inputs]
        type = matched.return_types[0]
        return SimpleValue(insert_call(self.emitter.graph, function, inputs, type, self.range))

    def _compiled(self, definition: Def) -> Function:
        """The function for this call; its errors tell of the call."""
        function = self._function(definition)
        try:
            if not function.is_being_defined:
                function.ensure_defined()
        except CompileError as error:
            raise error.noting(Note("it is compiled for this call:", self.range)) from None
        return function

    # -- What is captured --------------------------------------------------------------------

    def _capture(self, variable: str, name: str | None = None) -> str:
        """Make a variable of the caller known to the definition; its name there."""
        if variable in self.variables:
            return self.variables[variable]
        inner = self.variables[variable] = name or self._fresh_name(variable)
        meaning = find_bound(self.emitter, variable)
        assert meaning is not None
        if meaning.is_independent:
            self.bindings[inner] = self._closed(meaning)
        else:
            self.inputs.append(self._input(inner, variable, meaning))
        return inner

    def _input(self, inner: str, variable: str, meaning: SugaredValue) -> NamedValue:
        if not isinstance(meaning, SimpleValue | TupleValue):
            raise CompileError(
                f"'{variable}' is a {meaning.kind}, which a function in a function cannot use",
                self.range,
                code=codes.NOT_A_VALUE,
                hint="pass the values that it needs as arguments",
            )
        return NamedValue(meaning.as_value(self.range, self.emitter), self.range, inner)

    def _closed(self, meaning: SugaredValue) -> SugaredValue:
        """A function as the definition knows it, with what it captures."""
        if not isinstance(meaning, TemplateValue):
            return meaning
        captures: dict[str, str] = {}
        closed = TemplateValue(meaning.template, captures=captures)
        for name, variable in meaning.found_names(self.range, self.emitter):
            captures[name] = self._capture(variable)
        for name in meaning.template.defaults.values():
            variable = meaning.variable(name)
            assert variable is not None
            captures[name] = self._capture(variable)
        return closed

    def _fresh_name(self, variable: str) -> str:
        base = variable.lstrip("$")
        name, number = base, 0
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        self.taken.add(name)
        return name

    # -- Arguments ---------------------------------------------------------------------------

    def _arguments(
        self, given: Sequence[GivenArgument]
    ) -> tuple[list[NamedValue], list[NamedValue]]:
        """The arguments that are values, by position and by keyword; functions become bindings."""
        args: list[NamedValue] = []
        kwargs: list[NamedValue] = []
        positional = iter([param for param in self.template.params if not param.kwarg_only])
        for argument in given:
            param = next(positional, None) if argument.name is None else self._param(argument.name)
            if param is not None and argument.sugared.is_independent:
                self.bindings[param.name] = self._closed(argument.sugared)
                continue
            value = argument.sugared.as_value(argument.range, self.emitter)
            values = args if argument.name is None else kwargs
            values.append(NamedValue(value, argument.range, argument.name))
        return args, kwargs

    def _param(self, name: str) -> Param | None:
        return next((param for param in self.template.params if param.name == name), None)

    def _defaults(
        self, args: Sequence[NamedValue], kwargs: Sequence[NamedValue]
    ) -> list[NamedValue]:
        """What parameters that are given nothing take from variables; functions become bindings."""
        given = {param.name for param, _ in zip(self._value_params(), args)}
        given.update(keyword.name or "" for keyword in kwargs)
        values: list[NamedValue] = []
        for param in self._value_params():
            default = None if param.name in given else self._default(param)
            if default is not None and default.is_independent:
                self.bindings[param.name] = self._closed(default)
            elif default is not None:
                value = default.as_value(self.range, self.emitter)
                values.append(NamedValue(value, self.range, param.name))
        return values

    def _default(self, param: Param) -> SugaredValue | None:
        """A default that is not left to the definition: one that a variable holds, or a function."""
        if param.name in self.template.defaults:
            variable = self.value.variable(self.template.defaults[param.name])
            return None if variable is None else find_bound(self.emitter, variable)
        if is_function_type(param.type, self.template.resolver.qualified_name):
            return self._named(param.default)
        return None

    def _named(self, tree: Expr | None) -> SugaredValue | None:
        """What a name, dotted or not, means outside of functions."""
        if isinstance(tree, Select):
            owner = self._named(tree.value)
            name = tree.selector.name
            return owner and owner.attribute(tree.range, self.emitter, name)
        if not isinstance(tree, Var):
            return None
        resolver = self.template.resolver
        return resolver.resolve_value(tree.name.name, self.emitter, tree.range)

    def _value_params(self) -> list[Param]:
        return [param for param in self.template.params if param.name not in self.bindings]

    # -- The definition ----------------------------------------------------------------------

    def _definition(self, args: Sequence[NamedValue], kwargs: Sequence[NamedValue]) -> Def:
        """A plain definition: captured variables, then the parameters that are no functions."""
        definition = self.template.definition
        ident_range = definition.name.range
        params = [
            _with_type(Param(ident_range, Ident(ident_range, each.name or "")), each.value.type)
            for each in self.inputs
        ]
        types = {keyword.name: keyword.value.type for keyword in kwargs}
        positional = iter(args)
        for param in self._value_params():
            argument = None if param.kwarg_only else next(positional, None)
            type = types.get(param.name) if argument is None else argument.value.type
            params.append(self._value_param(param, type))
        decl = Decl(definition.decl.range, params, definition.decl.return_type)
        return replace(definition, decl=decl, decorators=())

    def _value_param(self, param: Param, type: Type | None) -> Param:
        if param.name in self.template.defaults:
            param = replace(param, default=None)
        if is_function_type(param.type, self.template.resolver.qualified_name):
            if type not in (None, NONE):
                raise self._not_a_function(param, type)
            return _with_type(param, NONE)
        return _with_type(param, type) if self.template.is_lambda and type is not None else param

    def _not_a_function(self, param: Param, type: Type) -> CompileError:
        return CompileError(
            f"the parameter '{param.name}' of '{self.template.name}' takes a function, but is "
            f"given a value of type {type.message_text}",
            self.range,
            code=codes.WRONG_ARGUMENT,
            hint="pass a function by its name, or a lambda",
        )

    def _function(self, definition: Def) -> Function:
        compiled = self.template.compiled
        key = self._key(definition)
        if key not in compiled:
            resolver = BoundResolver(self.template.resolver, self.bindings)
            parts = [self.template.full_name, *map(_function_name, self._functions_given())]
            compiled[key] = self.template.resolver.derive("__".join(parts), definition, resolver)
            self.template.made.append(compiled[key])
        return compiled[key]

    def _functions_given(self) -> list[SugaredValue]:
        names = [param.name for param in self.template.params if param.name in self.bindings]
        return [self.bindings[name] for name in names]

    def _key(self, definition: Def) -> Hashable:
        params = tuple(
            (param.name, param.type.type if isinstance(param.type, KnownType) else None)
            for param in definition.decl.params
        )
        return params, tuple((name, _identity(value)) for name, value in self.bindings.items())


def function_with(template: Template, stand_in: SugaredValue) -> Function:
    """The function in which all parameters for functions are a stand-in."""
    resolver, definition = template.resolver, template.definition
    functions = {
        param.name: stand_in
        for param in template.params
        if is_function_type(param.type, resolver.qualified_name)
    }
    params = [param for param in template.params if param.name not in functions]
    decl = replace(definition.decl, params=params)
    bound = BoundResolver(resolver, functions)
    function = resolver.derive(template.full_name, replace(definition, decl=decl), bound)
    resolver.discard(function)
    return function


def _with_type(param: Param, type: Type) -> Param:
    return replace(param, type=KnownType(param.range, without_shapes(type)))


def _identity(value: SugaredValue) -> Hashable:
    """What tells a function from others."""
    if isinstance(value, TemplateValue):
        return value.template, tuple((value.captures or {}).items())
    if isinstance(value, FunctionValue):
        return value.functions
    if isinstance(value, BuiltinFunction):
        return value.name
    return value


def _function_name(value: SugaredValue) -> str:
    if isinstance(value, TemplateValue):
        return value.template.name
    if isinstance(value, FunctionValue):
        return value.functions[0].name
    return value.name.rpartition("::")[2] if isinstance(value, BuiltinFunction) else "function"
