"""The schemas of further forms, as text, from that of the operator they are derived from.

    aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
    aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
    aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)

Nothing is parsed here: families derive hundreds of schemas when they are imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tsc.compiler.schema import Operator, SchemaError
from tsc.runtime.operators.registration import table

NAMESPACE = "aten::"
NAMELESS = "-"
"""How a list of forms writes the overload that has no name."""

_ENTRY = re.compile(r"(?P<name>\w+(\.\w+)?)(:(?P<overload>-|\w+))?(\((?P<outputs>[\w,]+)\))?")
_VIEW = re.compile(r"\([a-z](?: -> \*)?\)")
_OPTIONS = re.compile(
    r"ScalarType\? dtype(=\w+)?, Layout\? layout=None, Device\? device=None,"
    r" bool\? pin_memory=None(, )?"
)


class Form(NamedTuple):
    """What a list of forms says: an operator, and what the form's overload and outputs are called."""

    operator: Operator
    overload: str | None
    outputs: tuple[str, ...]


def forms(listing: str) -> Iterator[Form]:
    """The operators in a list, each with what is said of its form.

    ``sin`` and ``lerp.Scalar`` are derived by rule; ``pow.Tensor_Scalar:Scalar`` gives the form's overload another
    name (``-`` for none), ``max.dim:dim_max(max,max_values)`` its outputs as well. SchemaError for what is not
    declared.
    """
    for entry in listing.split():
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise SchemaError("this is no form of an operator", entry, 0)
        outputs = match["outputs"]
        yield Form(
            declared(match["name"]),
            "" if match["overload"] == NAMELESS else match["overload"],
            tuple(outputs.split(",")) if outputs else (),
        )


def declared(qualified_name: str) -> Operator:
    """The operator of a name and overload, as ``add.Tensor``; SchemaError if there is none as yet."""
    name, _, overload = qualified_name.partition(".")
    operator = table.find(NAMESPACE + name, overload)
    if operator is None:
        raise SchemaError("no operator of this name is declared yet", qualified_name, 0)
    return operator


def out_schema(text: str, overload: str | None = None, outputs: Sequence[str] = ()) -> str:
    """The ``out=`` form: an output for each result, behind the arguments.

    Its overload is called ``out``, or ``int_out`` where the operator's is ``int``. Outputs are called as results are,
    those without names ``out``, or ``out0``, ``out1``, and so on. Options of a new tensor, as its dtype, go.
    """
    head, arguments, results = _parts(text)
    name, _, functional_overload = head.partition(".")
    if overload is None:
        overload = f"{functional_overload}_out" if functional_overload else "out"
    arguments = _OPTIONS.sub("", _VIEW.sub("", arguments)).rstrip(", *")
    marker = "" if "*, " in arguments else "*, "
    return f"{name}.{overload}({arguments}, {marker}{_outputs(results, outputs)}"


def _outputs(results: str, names: Sequence[str]) -> str:
    if results == "Tensor[]":
        return "Tensor(a!)[] out) -> ()"
    result_names = [
        each.partition(" ")[2] for each in _VIEW.sub("", results).strip("()").split(", ")
    ]
    written = [f"Tensor({letter}!)" for letter, _ in zip("abcdef", result_names)]
    if not names and len(written) == 1:
        names = ("out",)
    elif not names:
        names = [name or f"out{k}" for k, name in enumerate(result_names)]
    outputs = ", ".join(f"{each} {name}" for each, name in zip(written, names))
    returned = ", ".join(f"{each} {name}".rstrip() for each, name in zip(written, result_names))
    return f"{outputs}) -> {f'({returned})' if len(written) > 1 else written[0]}"


def in_place_schema(text: str, overload: str | None = None) -> str:
    """The in-place form: it writes to its first argument, called ``self``, and returns it."""
    head, arguments, _ = _parts(text)
    name, _, functional_overload = head.partition(".")
    if overload is None:
        overload = functional_overload
    dot = "." if overload else ""
    _, comma, others = arguments.partition(", ")
    return f"{in_place_name(name)}{dot}{overload}(Tensor(a!) self{comma}{others}) -> Tensor(a!)"


def in_place_name(name: str) -> str:
    """``aten::relu_`` for ``aten::relu``, ``aten::__iand__`` for ``aten::__and__``."""
    return name.replace("::__", "::__i") if name.endswith("__") else f"{name}_"


def functional_schema(text: str) -> str:
    """The form that leaves its first argument as it is, of an operator that writes to it."""
    head, arguments, _ = _parts(text)
    name, dot, overload = head.partition(".")
    return f"{name.removesuffix('_')}{dot}{overload}({arguments.replace('(a!)', '', 1)}) -> Tensor"


def copying_schema(text: str) -> str:
    """The form that copies, of an operator that makes a view."""
    head, arguments, results = _parts(text)
    name, dot, overload = head.partition(".")
    return f"{name}_copy{dot}{overload}({_VIEW.sub('', arguments)}) -> {_VIEW.sub('', results)}"


def renamed_schema(text: str, name: str) -> str:
    """The same schema under another name, as ``multiply``."""
    head, parenthesis, rest = text.partition("(")
    _, dot, overload = head.partition(".")
    return f"{NAMESPACE}{name}{dot}{overload}{parenthesis}{rest}"


def _parts(text: str) -> tuple[str, str, str]:
    """Name with overload, arguments and results of a schema."""
    head, _, rest = text.partition("(")
    arguments, _, results = rest.rpartition(") -> ")
    return head, arguments, results
