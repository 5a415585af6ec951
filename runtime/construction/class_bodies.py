"""Class statements: bodies evaluated to attributes, and the kinds of classes that come out."""

from __future__ import annotations

from typing import Any

from tsc.compiler.frontend.tree_views import ClassDef
from tsc.compiler.source import CompileError, codes
from tsc.runtime.construction.enum_classes import ENUM, complete_enum
from tsc.runtime.construction.named_tuple_classes import NAMED_TUPLE, named_tuple
from tsc.runtime.construction.python_types import OBJECT
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import (
    ClassMethod,
    FunctionObject,
    become_owned,
)
from tsc.runtime.construction.values.imported import TypeForm
from tsc.runtime.construction.values.modules import ModuleClass
from tsc.runtime.construction.values.protocol import Evaluator, Frame

_METACLASSES = ("ABCMeta", "type")


def make_class(evaluator: Evaluator, tree: ClassDef, frame: Frame) -> ClassObject:
    """The class of a class statement, before its decorators."""
    bases = _bases(evaluator, tree, frame)
    _check_keywords(evaluator, tree, frame)
    body = Frame(frame.scope, frame, is_class=True, position=tree.name.range)
    with evaluator.entered(body, tree.name.name):
        evaluator.execute(tree.body, body)
    annotations = body.locals.pop("__annotations__", {})
    if "__getattribute__" in body.locals:
        raise CompileError(
            "'__getattribute__' isn't supported",
            tree.name.range,
            code=codes.NO_CLASS,
            hint="define __getattr__, which is asked for what is not there",
        )
    made = _of_kind(evaluator, tree, bases, body.locals, annotations, frame)
    for value in made.attributes.values():
        become_owned(value, made)
    initializer = made.find("__init_subclass__")
    if isinstance(initializer, FunctionObject | ClassMethod):
        function = initializer.function if isinstance(initializer, ClassMethod) else initializer
        evaluator.call(function, [made])
    return made


def _check_keywords(evaluator: Evaluator, tree: ClassDef, frame: Frame) -> None:
    for keyword in tree.keywords:
        metaclass = evaluator.evaluate(keyword.value, frame)
        if getattr(metaclass, "name", None) not in _METACLASSES:
            raise CompileError(
                f"'{keyword.name.name}=' of a class isn't supported",
                keyword.range,
                code=codes.NO_CLASS,
                hint="leave it out: only metaclass=ABCMeta has no effect on the instances",
            )


def _bases(evaluator: Evaluator, tree: ClassDef, frame: Frame) -> tuple[ClassObject, ...]:
    bases: list[ClassObject] = []
    for each in tree.bases:
        base = evaluator.evaluate(each, frame)
        if isinstance(base, TypeForm):
            continue
        if not isinstance(base, ClassObject):
            raise CompileError("a base class is not a class", each.range, code=codes.NO_CLASS)
        bases.append(base)
    is_enum = any(ENUM in base.mro for base in bases)
    for each, base in zip(tree.bases, bases):
        if base.instances and base is not OBJECT and not is_enum:
            raise CompileError(
                f"classes derived from '{base.name}' aren't supported",
                each.range,
                code=codes.NO_CLASS,
                hint=f"hold a {base.name} in an attribute instead",
            )
    return tuple(bases) or (OBJECT,)


def _of_kind(
    evaluator: Evaluator,
    tree: ClassDef,
    bases: tuple[ClassObject, ...],
    attributes: dict[str, Any],
    annotations: dict[str, Any],
    frame: Frame,
) -> ClassObject:
    resolver = frame.scope.resolver
    is_module = any(isinstance(base, ModuleClass) for base in bases)
    made = (ModuleClass if is_module else ClassObject)(
        tree.name.name,
        f"{resolver.prefix}{tree.name.name}",
        bases,
        attributes,
        annotations,
        tree,
        resolver,
    )
    made.scope = frame.scope
    if NAMED_TUPLE in bases:
        return named_tuple(evaluator, made)
    if ENUM in made.mro:
        complete_enum(evaluator, made)
    return made
