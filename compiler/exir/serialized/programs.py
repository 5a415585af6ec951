"""``models/model.json`` of a `.pt2` file: an exported program without its tensors, read and written."""

from __future__ import annotations

import json
from typing import Any, Final

from tsc.compiler.exir.exported_program import CallSpec, ExportedProgram, RangeConstraint
from tsc.compiler.exir.pytrees import TreeSpec
from tsc.compiler.exir.serialized.graphs import read_graph
from tsc.compiler.exir.serialized.json_values import JsonObject, SerializedProgramError, read_json
from tsc.compiler.exir.serialized.signatures import read_signature, signature_json
from tsc.compiler.exir.serialized.tree_specs import named_tuples, read_tree_spec, tree_spec_text
from tsc.compiler.exir.serialized.written_arguments import name_of
from tsc.compiler.exir.serialized.written_graphs import graph_json
from tsc.compiler.exir.signature import ExportGraphSignature
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.schema import OperatorTable

_SCHEMA_VERSION: Final = 8
"""The major version, which changes with what older readers do not understand."""
_MINOR_VERSION: Final = 20
_OPERATOR_VERSION: Final = 10
_TORCH_VERSION: Final = "2.13.0"
"""Those that PyTorch 2.13 writes."""


def read_program(text: str, place: str = "model.json") -> ExportedProgram:
    """The program that a text spells; `state_dict` and `constants` are empty yet.

    Raises `SerializedProgramError` for what PyTorch does not write, and for versions that are not known.
    """
    value = read_json(text, place)
    _check_version(value.object("schema_version"))
    module = value.object("graph_module")
    signature = read_signature(module.object("signature"))
    try:
        graph_module = read_graph(module.object("graph"), _names_of_constants(signature))
    except GraphError as error:
        raise SerializedProgramError(f"{place}: {error}") from None
    return ExportedProgram(
        graph_module,
        signature,
        _call_spec(module),
        range_constraints={
            name: _range(each) for name, each in value.mapped("range_constraints").items()
        },
        dialect=_dialect(value),
        guards=tuple(map(str, value.items("guards_code"))) if value.has("guards_code") else (),
        module_paths=_module_paths(module),
    )


def write_program(program: ExportedProgram, operators: OperatorTable) -> str:
    """The text that `read_program` and ``torch.export.load`` read.

    Raises `SerializedProgramError` for what a serialized program has no place for.
    """
    return json.dumps(_program_json(program, operators), allow_nan=False)


def _program_json(program: ExportedProgram, operators: OperatorTable) -> dict[str, Any]:
    return {
        "graph_module": _module_json(program, operators),
        "opset_version": {"aten": _OPERATOR_VERSION},
        "range_constraints": {
            name: {"min_val": each.lower, "max_val": each.upper}
            for name, each in program.range_constraints.items()
        },
        "schema_version": {"major": _SCHEMA_VERSION, "minor": _MINOR_VERSION},
        "verifiers": [program.dialect],
        "torch_version": _TORCH_VERSION,
        "guards_code": list(program.guards),
    }


def _module_json(program: ExportedProgram, operators: OperatorTable) -> dict[str, Any]:
    graph = graph_json(program.graph_module, operators)
    spec = program.call_spec
    fields = named_tuples(spec.in_spec) | named_tuples(spec.out_spec)
    arguments = {
        name: each for each in graph["inputs"] + graph["outputs"] if (name := name_of(each))
    }
    return {
        "graph": graph,
        "signature": signature_json(program.graph_signature, arguments),
        "module_call_graph": _calls_json(program),
        "metadata": {},
        "treespec_namedtuple_fields": {
            name: {"field_names": each} for name, each in fields.items()
        },
    }


def _check_version(value: JsonObject) -> None:
    major = value.integer("major")
    if major != _SCHEMA_VERSION:
        raise SerializedProgramError(
            f"the program has schema version {major}; {_SCHEMA_VERSION} is read",
            hint="load it with the PyTorch that wrote it, and save it with PyTorch 2.13",
        )


def _names_of_constants(signature: ExportGraphSignature) -> list[str | None]:
    return [None if each.constant is None else each.name for each in signature.input_specs]


def _range(value: JsonObject) -> RangeConstraint:
    bounds = [value.integer(name) if value.has(name) else None for name in ("min_val", "max_val")]
    return RangeConstraint(*bounds)


def _call_spec(module: JsonObject) -> CallSpec:
    """That of the outermost module, which is the entry without a path."""
    fields = {
        name: [str(each) for each in found.items("field_names")]
        for name, found in module.mapped("treespec_namedtuple_fields").items()
    }
    for entry in module.objects("module_call_graph"):
        if entry.text("fqn") == "" and entry.has("signature"):
            signature = entry.object("signature")
            inputs, outputs = [
                read_tree_spec(signature.text(name), f"{signature.place}.{name}", fields)
                for name in ("in_spec", "out_spec")
            ]
            _check_call(inputs, signature.place)
            return CallSpec(inputs, outputs, _argument_names(signature))
    raise SerializedProgramError(f"{module.place} does not tell how the program is called")


def _check_call(spec: TreeSpec, place: str) -> None:
    """Arguments are a tuple and a dict."""
    kinds = [each.kind for each in spec.children]
    if spec.kind != "tuple" or kinds != ["tuple", "dict"]:
        raise SerializedProgramError(f"{place}.in_spec is no tuple of a tuple and a dict")


def _argument_names(signature: JsonObject) -> tuple[str, ...]:
    if not signature.has("forward_arg_names"):
        return ()
    return tuple(map(str, signature.items("forward_arg_names")))


def _calls_json(program: ExportedProgram) -> list[dict[str, Any]]:
    spec = program.call_spec
    signature: dict[str, Any] = {
        "inputs": [],
        "outputs": [],
        "in_spec": tree_spec_text(spec.in_spec),
        "out_spec": tree_spec_text(spec.out_spec),
        "forward_arg_names": list(spec.argument_names) or None,
    }
    inner = [{"fqn": path, "signature": None} for path in program.module_paths]
    return [{"fqn": "", "signature": signature}, *inner]


def _module_paths(module: JsonObject) -> tuple[str, ...]:
    paths = [entry.text("fqn") for entry in module.objects("module_call_graph")]
    return tuple(each for each in paths if each)


def _dialect(value: JsonObject) -> str:
    names = value.items("verifiers") if value.has("verifiers") else []
    return str(names[0]) if names else "ATEN"
