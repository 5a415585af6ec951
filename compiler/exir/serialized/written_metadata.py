"""Where nodes come from, as a serialized program has it: texts by names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final


def metadata_json(meta: Mapping[str, Any]) -> dict[str, str]:
    """What is told of a node beside its value."""
    return {key: write(meta[key]) for key, write in _WRITERS.items() if meta.get(key)}


def _text(value: Any) -> str:
    return str(value)


def _module_stack(stack: Mapping[str, tuple[str, str]]) -> str:
    return ";".join(f"{key},{path},{kind}" for key, (path, kind) in stack.items())


def _functions(stack: Sequence[Sequence[Any]]) -> str:
    return ";".join(f"{name},{function}" for name, function in stack)


def _function(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else ";".join(value)


_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "stack_trace": _text,
    "nn_module_stack": _module_stack,
    "source_fn_stack": _functions,
    "torch_fn": _function,
    "custom": _text,
    "from_node": _text,
}
"""In PyTorch's order."""
