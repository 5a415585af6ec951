"""Classes that name each other: PyTorch compiles one for the other without end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import Assign, ClassDef, Def, Var
from tsc.compiler.source import CompileError, codes, extensions
from tsc.compiler.source.extension_errors import naming

_NAME: Final = re.compile(r"[^\W\d]\w*")
FindClass = Callable[[str], "ClassDef | None"]
"""The class of that name whose methods PyTorch compiles when it is named."""


def refuse_mutual_classes(definition: ClassDef, find_class: FindClass, harmless: set[int]) -> None:
    """Raise CompileError for a class that leads to classes which name each other.

    ``harmless`` are the identities of those known to lead to none; more are added.
    """
    ways = [(definition, _classes_in(definition, find_class))]
    on_the_way = {id(definition)}
    while ways:
        current, named = ways[-1]
        other = next(named, None)
        if other is None:
            ways.pop()
            on_the_way.remove(id(current))
            harmless.add(id(current))
        elif other is not current and id(other) in on_the_way:
            message = f"class '{other.name.name}' and a class that it names need each other"
            error = CompileError(message, other.name.range, code=codes.ONLY_IN_TSC)
            raise naming([extensions.RECURSIVE_CLASSES], error)
        elif other is not current and id(other) not in harmless:
            on_the_way.add(id(other))
            ways.append((other, _classes_in(other, find_class)))


def _classes_in(definition: ClassDef, find_class: FindClass) -> Iterator[ClassDef]:
    methods = [each for each in definition.body if isinstance(each, Def)]
    for name in dict.fromkeys(name for each in methods for name in _names_in(each)):
        found = find_class(name)
        if found is not None:
            yield found


def _names_in(method: Def) -> Iterator[str]:
    """The names in a method, those in quotes included where a type stands."""
    annotations = [method.decl.return_type, *(param.type for param in method.decl.params)]
    pending: list[Tree | Group | str] = [method]
    while pending:
        tree = pending.pop()
        if isinstance(tree, Var):
            yield tree.name.name
        elif not isinstance(tree, str):
            annotations += [tree.type] if isinstance(tree, Assign) else []
            pending += tree.children
    for annotation in annotations:
        if annotation is not None:
            yield from _NAME.findall(annotation.range.text)
