"""Functions that share a name: refused, but for the overloads that ``torch.jit._overload`` declares."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from tsc.compiler.emit.names.decorators import Role, has_no_effect, role_of
from tsc.compiler.emit.names.module_names import ModuleNames, set_again
from tsc.compiler.frontend.tree_views import Apply, Assign, Decl, Def, Ident, Var
from tsc.compiler.ir import MANGLED
from tsc.compiler.source import CompileError, Note, Problems, SourceRange, codes


def resolve_overloads(
    definitions: Iterable[Def], names: ModuleNames, problems: Problems | None = None
) -> list[Def]:
    """The definitions to compile, each name once. A function with overloads is compiled once for
    each of their signatures; the second and further ones are told apart as in PyTorch, by
    ``___torch_mangle_0.`` and so on in front of the name.

    A definition too many, or an overload that does not fit, is one of the ``problems``; without
    them the last definition of the name counts, and is refused when it is compiled.
    """
    overloads: dict[str, list[Def]] = {}
    bodies: list[Def] = []
    for definition in definitions:
        role = role_of(definition, names)
        if role is Role.OVERLOAD:
            overloads.setdefault(definition.name.name, []).append(definition)
        elif role is not Role.STUB:
            bodies.append(definition)
    first: dict[str, Def] = {}
    resolved: list[Def] = []
    for definition in bodies:
        name = definition.name.name
        own = overloads.get(name, ())
        errors = [_other_parameters(definition, each) for each in own if not _fit(definition, each)]
        if first.setdefault(name, definition) is not definition:
            errors.insert(0, _redefinition(definition, first[name]))
        place = names.unsure.get(name) or _replaced(name, names)
        if place is not None:
            errors.append(set_again(name, place, definition.name.range))
        resolved += _variants(_refused(definition, errors, problems), own)
    return (
        resolved if problems is not None else [*{_name(each): each for each in resolved}.values()]
    )


def _replaced(name: str, names: ModuleNames) -> SourceRange | None:
    """Where an assignment gives the name of a function to something else: ``f = wrapped(f)``."""
    binding = names.bindings.get(name)
    if not isinstance(binding, Assign):
        return None
    value = binding.rhs
    if isinstance(value, Apply) and has_no_effect(names.path_of(value.callee)):
        value = value.inputs[0] if value.inputs else None
    is_itself = isinstance(value, Var) and value.name.name == name
    return None if is_itself else binding.range


def _name(definition: Def) -> str:
    return definition.name.name


def _refused(definition: Def, errors: Sequence[CompileError], problems: Problems | None) -> Def:
    if problems is None:
        return (
            replace(definition, refusals=(*errors, *definition.refusals)) if errors else definition
        )
    for error in errors:
        problems.report(error)
    return definition


def overload_names(name: str, functions: Container[str]) -> list[str]:
    """The names under which the overloads of a function are compiled, in their order."""
    found, number = [name], 0
    while (mangled := _mangled(name, number)) in functions:
        found.append(mangled)
        number += 1
    return found


def _mangled(name: str, number: int) -> str:
    return f"{MANGLED}{number}.{name}"


def _redefinition(definition: Def, known: Def) -> CompileError:
    return CompileError(
        f"function '{known.name.name}' already defined",
        definition.name.range,
        code=codes.REDEFINED_FUNCTION,
        notes=[Note("defined here:", known.name.range)],
        hint="rename one of them, or delete the one that is not wanted",
    )


def _variants(definition: Def, overloads: Sequence[Def]) -> list[Def]:
    fitting = [each for each in overloads if _fit(definition, each)]
    variants = [_variant(definition, overload, i) for i, overload in enumerate(fitting)]
    return variants or [definition]


def _fit(definition: Def, overload: Def) -> bool:
    return _parameter_names(overload) == _parameter_names(definition)


def function_variants(definition: Def, overloads: Iterable[Def]) -> list[Def]:
    """A function once for each signature that its overloads give it, under its own name."""
    names = _parameter_names(definition)
    found: list[Def] = []
    for overload in overloads:
        if _parameter_names(overload) != names:
            raise _other_parameters(definition, overload)
        found.append(_variant(definition, overload, 0))
    return found


def method_variants(definition: Def, overloads: Iterable[Def]) -> list[Def]:
    """A method once for each signature that its overloads give it: ``forward__0``, ``forward__1``, …"""
    name = definition.name
    return [
        replace(variant, name=Ident(name.range, f"{name.name}__{number}"))
        for number, variant in enumerate(function_variants(definition, overloads))
    ]


def _parameter_names(definition: Def) -> list[str]:
    return [param.name for param in definition.decl.params]


def _other_parameters(definition: Def, overload: Def) -> CompileError:
    return CompileError(
        f"the parameters of this overload are not those of the function '{definition.name.name}'",
        overload.decl.range,
        code=codes.REDEFINED_FUNCTION,
        notes=[Note("the function is defined here:", definition.name.range)],
        hint="an overload has the same parameters as the function, with other types",
    )


def _variant(definition: Def, overload: Def, number: int) -> Def:
    """The body of the definition and the defaults that fit, with the types of an overload."""
    name = definition.name
    if number > 0:
        name = Ident(name.range, _mangled(name.name, number - 1))
    params = definition.decl.params
    typed = [
        replace(param, type=other.type, is_of_overload=True)
        for param, other in zip(params, overload.decl.params)
    ]
    decl = Decl(definition.decl.range, typed, overload.decl.return_type)
    return replace(definition, name=name, decl=decl)
