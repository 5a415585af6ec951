"""Asks PyTorch which type is a subtype of which, and what two types unify to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parents[1] / "types" / "data" / "pytorch_relations.txt"

TYPES = (
    "int",
    "float",
    "complex",
    "bool",
    "str",
    "NoneType",
    "Scalar",
    "Any",
    "Device",
    "Tensor",
    "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)",
    "Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu)",
    "Double(2, 3)",
    "Float(*, 3)",
    "Long(*, *, *)",
    "Float(requires_grad=1)",
    "int?",
    "float?",
    "Scalar?",
    "Tensor?",
    "Any?",
    "int[]?",
    "int[]",
    "float[]",
    "int?[]",
    "Any[]",
    "Scalar[]",
    "Tensor[]",
    "Float(2, 3)[]",
    "Double(2, 3)[]",
    "Tensor[][]",
    "()",
    "(int)",
    "(int, str)",
    "(int, float)",
    "(int, str?)",
    "(Any, Any)",
    "(Float(2), int)",
    "(Double(2), int?)",
    "Dict(str, int)",
    "Dict(str, int?)",
    "Dict(str, Tensor)",
    "Union(int, str)",
    "Union(float, int)",
    "Union(int, NoneType, str)",
    "Union(float, int, bool)",
    "Union(str, float, int, complex)",
    "Union(int[], int)",
    "Union(Tensor, Tensor[])",
    "Union(int, str)[]",
    "Union(int, str)?",
    "Future(int)",
    "Future(int?)",
    "Future(Tensor)",
    "RRef(int)",
    "RRef(Any)",
    "Await(int)",
    "Await(int?)",
    "t",
    "AnyEnumType",
    "AnyClassType",
    "Generator",
    "Generator?",
    "SymBool",
)


def relations() -> Iterator[str]:
    """``subtype: a <: b`` where it holds and ``unify: a + b = c`` where there is a c."""
    types = {text: _type(text) for text in TYPES}
    for text, type in types.items():
        yield f"text: {text} = {type.str()} = {type.annotation_str}"
    for a, type in types.items():
        for b, other in types.items():
            if type.isSubtypeOf(other):
                yield f"subtype: {a} <: {b}"
    for a, type in types.items():
        for b, other in types.items():
            unified = _unified(type, other)
            if unified is not None:
                yield f"unify: {a} + {b} = {unified}"


def _type(text: str) -> Any:
    import torch

    graph = torch._C.parse_ir(f"graph(%x : {text}):\n  return (%x)")
    return next(iter(graph.inputs())).type()


def _unified(a: Any, b: Any) -> str | None:
    import torch

    try:
        return torch._C.unify_type_list([a, b]).str()
    except RuntimeError as error:
        if "Could not unify" not in str(error):
            raise
        return None


if __name__ == "__main__":
    RECORD.write_text("\n".join(relations()) + "\n")
