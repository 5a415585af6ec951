"""What inputs and outputs of a serialized program are, read and written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tsc.compiler.exir.serialized.arguments import constant_of, name_in
from tsc.compiler.exir.serialized.json_values import JsonObject, SerializedProgramError
from tsc.compiler.exir.serialized.written_arguments import constant_json_of
from tsc.compiler.exir.signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
)

_INPUTS: Final = {
    "parameter": (InputKind.PARAMETER, "parameter_name"),
    "buffer": (InputKind.BUFFER, "buffer_name"),
    "tensor_constant": (InputKind.CONSTANT_TENSOR, "tensor_constant_name"),
    "token": (InputKind.TOKEN, None),
}
"""The kind of an input, and the field that says what it is lifted from."""
_OF_OBJECTS: Final = "export a module that keeps what the script object holds as buffers"
_OUTPUTS: Final = {
    "buffer_mutation": (OutputKind.BUFFER_MUTATION, "buffer_name"),
    "parameter_mutation": (OutputKind.PARAMETER_MUTATION, "parameter_name"),
    "gradient_to_parameter": (OutputKind.GRADIENT_TO_PARAMETER, "parameter_name"),
    "gradient_to_user_input": (OutputKind.GRADIENT_TO_USER_INPUT, "user_input_name"),
    "user_input_mutation": (OutputKind.USER_INPUT_MUTATION, "user_input_name"),
    "loss_output": (OutputKind.LOSS_OUTPUT, None),
    "token": (OutputKind.TOKEN, None),
}


def read_signature(value: JsonObject) -> ExportGraphSignature:
    """The signature of a graph."""
    return ExportGraphSignature(
        [_input(each) for each in value.objects("input_specs")],
        [_output(each) for each in value.objects("output_specs")],
    )


def _input(value: JsonObject) -> InputSpec:
    kind, found = value.choice()
    spec = JsonObject.of(found, f"{value.place}.{kind}")
    if kind == "constant_input":
        constant = constant_of(spec.object("value"))
        return InputSpec(
            InputKind.USER_INPUT, spec.text("name"), constant=ConstantArgument(constant)
        )
    if kind == "user_input":
        name = name_in(spec.object("arg"))
        if name is None:
            raise SerializedProgramError(f"{spec.place} names no input")
        return InputSpec(InputKind.USER_INPUT, name)
    if kind not in _INPUTS:
        hint = _OF_OBJECTS if kind == "custom_obj" else None
        message = f"{value.place}: inputs of the kind {kind} are not read"
        raise SerializedProgramError(message, hint=hint)
    known, field = _INPUTS[kind]
    persistent = spec.flag("persistent") if kind == "buffer" else None
    target = None if field is None else spec.text(field)
    return InputSpec(known, spec.object("arg").text("name"), target, persistent)


def _output(value: JsonObject) -> OutputSpec:
    kind, found = value.choice()
    spec = JsonObject.of(found, f"{value.place}.{kind}")
    if kind == "user_output":
        return OutputSpec(OutputKind.USER_OUTPUT, _result(spec.object("arg")))
    if kind not in _OUTPUTS:
        raise SerializedProgramError(f"{value.place}: outputs of the kind {kind} are not read")
    known, field = _OUTPUTS[kind]
    target = None if field is None else spec.text(field)
    return OutputSpec(known, spec.object("arg").text("name"), target)


def _result(value: JsonObject) -> Any:
    name = name_in(value)
    return ConstantArgument(constant_of(value)) if name is None else name


# -- Writing -------------------------------------------------------------------------------------


def signature_json(
    signature: ExportGraphSignature, arguments: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """The signature of a graph; `arguments` are its inputs and outputs as they are written, by name."""
    return {
        "input_specs": [_input_json(each, arguments) for each in signature.input_specs],
        "output_specs": [_output_json(each, arguments) for each in signature.output_specs],
    }


def _input_json(spec: InputSpec, arguments: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    if spec.constant is not None:
        value = constant_json_of(spec.constant.value)
        return {"constant_input": {"name": spec.name, "value": value}}
    if spec.kind is InputKind.USER_INPUT:
        return {"user_input": {"arg": _argument(spec.name, arguments)}}
    if spec.kind not in _INPUT_NAMES:
        raise SerializedProgramError(f"{spec.name} is a {spec.kind.value}, which is not written")
    name, field = _INPUT_NAMES[spec.kind]
    written: dict[str, Any] = {"arg": {"name": spec.name}}
    if field is not None:
        written[field] = spec.target
    if spec.kind is InputKind.BUFFER:
        written["persistent"] = spec.persistent is not False
    return {name: written}


def _output_json(spec: OutputSpec, arguments: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    if isinstance(spec.argument, ConstantArgument):
        return {"user_output": {"arg": constant_json_of(spec.argument.value)}}
    if spec.kind is OutputKind.USER_OUTPUT:
        return {"user_output": {"arg": _argument(spec.argument, arguments)}}
    if spec.kind not in _OUTPUT_NAMES:
        raise SerializedProgramError(
            f"{spec.argument} is a {spec.kind.value}, which is not written"
        )
    name, field = _OUTPUT_NAMES[spec.kind]
    target = {} if field is None else {field: spec.target}
    return {name: {"arg": {"name": spec.argument}, **target}}


def _argument(name: str, arguments: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    if name not in arguments:
        raise SerializedProgramError(f"{name} is neither an input nor an output of the graph")
    return arguments[name]


_INPUT_NAMES: Final = {kind: (name, field) for name, (kind, field) in _INPUTS.items()}
_OUTPUT_NAMES: Final = {kind: (name, field) for name, (kind, field) in _OUTPUTS.items()}
