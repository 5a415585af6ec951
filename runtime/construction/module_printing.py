"""Modules as text: the tree that ``print(model)`` shows, in PyTorch's form."""

from __future__ import annotations

from itertools import groupby

from tsc.compiler.budget import charge_step, reserve
from tsc.runtime.construction.values.modules import ModuleInstance


def module_text(module: ModuleInstance) -> str:
    """The text of a module and all below it."""
    charge_step()
    if _is_kind(module, "ModuleList"):
        return _list_text(module)
    extra = _extra_lines(module)
    children = [
        f"({name}): {_indented(_child_text(child))}" for name, child in module.modules.items()
    ]
    name = _name(module)
    if len(extra) == 1 and not children:
        return f"{name}({extra[0]})"
    return _bracketed(name, extra + children)


def _child_text(child: ModuleInstance | None) -> str:
    return "None" if child is None else repr(child)


def _bracketed(name: str, lines: list[str]) -> str:
    return "\n  ".join([f"{name}(", *lines]) + "\n)" if lines else f"{name}()"


def _name(module: ModuleInstance) -> str:
    return module.answer("_get_name")


def _is_kind(module: ModuleInstance, name: str) -> bool:
    return any(each.name == name and each.definition is None for each in module.cls.mro)


def _extra_lines(module: ModuleInstance) -> list[str]:
    text = module.answer("extra_repr")
    return text.split("\n") if text else []


def _indented(text: str) -> str:
    """All lines but the first, further to the right."""
    reserve(len(text))
    charge_step()
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"  {line}" for line in rest)])


def _list_text(module: ModuleInstance) -> str:
    """A list shows equal modules in a row once."""
    texts = [_child_text(child) for child in module.modules.values()]
    lines: list[str] = []
    position = 0
    for text, equal in groupby(texts):
        count = len(list(equal))
        last = position + count - 1
        label = f"({position}): " if count == 1 else f"({position}-{last}): {count} x "
        lines.append(_indented(f"{label}{text}"))
        position += count
    return _bracketed(_name(module), lines)
