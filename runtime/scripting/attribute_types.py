"""``self.x = torch.jit.Attribute(value, type)`` in the methods of a class: the types that stand beside values."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.emit.names.module_names import ModuleNames
from tsc.compiler.frontend.tree import Group, Tree
from tsc.compiler.frontend.tree_views import Apply, Assign, ClassDef, Def, Expr, Select

_PATH = "torch.jit.Attribute"
_NAME = "Attribute"


def attribute_types(definition: ClassDef, names: ModuleNames) -> dict[str, Expr]:
    """The types by the names of attributes. The last one counts."""
    if _NAME not in definition.range.text:
        return {}
    found: dict[str, Expr] = {}
    for assign in _assignments(definition):
        type = _type_of(assign.rhs, names)
        for target in assign.lhs_list:
            if type is not None and isinstance(target, Select):
                found[target.selector.name] = type
    return found


def _type_of(value: Expr | None, names: ModuleNames) -> Expr | None:
    if not isinstance(value, Apply) or names.path_of(value.callee) != _PATH:
        return None
    if len(value.inputs) > 1:
        return value.inputs[1]
    return next((each.value for each in value.attributes if each.name.name == "type"), None)


def _assignments(definition: ClassDef) -> Iterator[Assign]:
    """All of the methods, in the order of the text."""
    methods = [each for each in definition.body if isinstance(each, Def)]
    pending: list[Tree | Group | str] = [*methods[::-1]]
    while pending:
        tree = pending.pop()
        if isinstance(tree, Assign):
            yield tree
        elif not isinstance(tree, str | Expr):
            pending += tree.children[::-1]
