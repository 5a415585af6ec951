"""Records the schemas of PyTorch's library functions: ``python -m tests.library.record_schemas``.

Recorded are the functions of the modules below that PyTorch compiles from Python and that programs can call
by name or through a flag; overloads are listed in their order.
"""

from __future__ import annotations

import inspect
import json
import re
import types
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

MODULES = ("torch.functional", "torch.nn.functional", "torch.nn.init")
RECORD = Path(__file__).parent / "data" / "schemas.json"
_MANGLED = re.compile(r"___torch_mangle_\d+\.")


def main() -> None:
    import torch

    warnings.simplefilter("ignore")
    names = [name for module in MODULES for name in compiled(import_module(module))]
    found: dict[str, list[list[str]]] = {}
    for function in torch.jit._state._python_cu.get_functions():
        name = _MANGLED.sub("", function.qualified_name)
        if name in names:
            found.setdefault(name, []).append(described(function.schema))
    text = json.dumps(found, indent=1, sort_keys=True)
    RECORD.write_text(text + "\n", encoding="utf-8")
    print(f"{len(found)} functions")


def compiled(module: types.ModuleType) -> Iterator[str]:
    """Compiles the functions of a module; gives the qualified names of those that programs can call."""
    import torch
    from torch._jit_internal import boolean_dispatched

    for name, function in sorted(vars(module).items()):
        if not inspect.isfunction(function) or torch.jit._builtins._find_builtin(function):
            continue
        if name.startswith("_") or function.__module__.startswith(
            ("torch._jit", "torch.overrides")
        ):
            continue
        for each in targets(function, boolean_dispatched):
            if compiles(each):
                yield f"__torch__.{module.__name__}.{each.__name__}"


def targets(function: Any, dispatched: Any) -> list[Any]:
    """The functions that a function is, depending on flags: mostly only itself."""
    if function not in dispatched:
        return [function]
    choice = dispatched[function]
    return [each for way in ("if_true", "if_false") for each in targets(choice[way], dispatched)]


def compiles(function: Any) -> bool:
    """Compile all overloads of a function; whether PyTorch can."""
    import torch

    try:
        if torch.jit._script._get_overloads(function) is None:
            torch.jit.script(function)
    except Exception as error:  # noqa: BLE001  what PyTorch cannot compile is not recorded
        print(f"{function.__name__}: {str(error).strip().splitlines()[0]}")
        return False
    return True


def described(schema: Any) -> list[str]:
    """A schema as lines: an argument each, and what is returned."""
    returned = (f"-> {each.type.annotation_str}" for each in schema.returns)
    return [*map(argument_line, schema.arguments), *returned]


def argument_line(argument: Any) -> str:
    """An argument with its type, the length that a single number is repeated to, and its default."""
    repeated = "" if argument.N is None else f" x {argument.N}"
    default = f" = {argument.default_value!r}" if argument.has_default_value() else ""
    return f"{argument.name}: {argument.type.annotation_str}{repeated}{default}"


if __name__ == "__main__":
    main()
