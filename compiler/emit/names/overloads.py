"""Functions that share a name: refused, but for the overloads that ``torch.jit._overload`` declares."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from tsc.compiler.emit.names.decorators import Role, role_of
from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.tree_views import Decl, Def, Ident
from tsc.compiler.ir import MANGLED
from tsc.compiler.source import CompileError, Note, Problems, codes


def resolve_overloads(
    definitions: Iterable[Def], names: ModuleNames, problems: Problems | None = None
) -> list[Def]:
    """The definitions to compile, each name once. A function with overloads is compiled once for
    each of their signatures; the second and further ones are told apart as in PyTorch, by
    ``___torch_mangle_0.`` and so on in front of the name.

    A definition too many is an error, raised, or else reported as one of the ``problems``.
    """
    definitions = [each for each in definitions if role_of(each, names) is not Role.STUB]
    overloads = [each for each in definitions if role_of(each, names) is Role.OVERLOAD]
    first: dict[str, Def] = {}
    resolved: list[Def] = []
    for definition in definitions:
        if definition in overloads:
            continue
        name = definition.name.name
        if first.setdefault(name, definition) is not definition:
            _refuse(_redefinition(definition, first[name]), problems)
        own = [overload for overload in overloads if overload.name.name == name]
        resolved += _variants(definition, own, problems)
    return resolved


def overload_names(name: str, functions: Container[str]) -> list[str]:
    """The names under which the overloads of a function are compiled, in their order."""
    found, number = [name], 0
    while (mangled := _mangled(name, number)) in functions:
        found.append(mangled)
        number += 1
    return found


def _mangled(name: str, number: int) -> str:
    return f"{MANGLED}{number}.{name}"


def _refuse(error: CompileError, problems: Problems | None) -> None:
    if problems is None:
        raise error
    problems.report(error)


def _redefinition(definition: Def, known: Def) -> CompileError:
    return CompileError(
        f"function '{known.name.name}' already defined",
        definition.name.range,
        code=codes.REDEFINED_FUNCTION,
        notes=[Note("defined here:", known.name.range)],
        hint="rename one of them, or delete the one that is not wanted",
    )


def _variants(definition: Def, overloads: Sequence[Def], problems: Problems | None) -> list[Def]:
    names = _parameter_names(definition)
    for overload in overloads:
        if _parameter_names(overload) != names:
            _refuse(_other_parameters(definition, overload), problems)
    fitting = [each for each in overloads if _parameter_names(each) == names]
    variants = [_variant(definition, overload, i) for i, overload in enumerate(fitting)]
    return variants or [definition]


def method_variants(definition: Def, overloads: Iterable[Def]) -> list[Def]:
    """A method once for each signature that its overloads give it: ``forward__0``, ``forward__1``, …"""
    names = _parameter_names(definition)
    found: list[Def] = []
    for number, overload in enumerate(overloads):
        if _parameter_names(overload) != names:
            raise _other_parameters(definition, overload)
        name = Ident(definition.name.range, f"{definition.name.name}__{number}")
        found.append(replace(_variant(definition, overload, 0), name=name))
    return found


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
