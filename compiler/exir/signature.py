"""What inputs and outputs of an exported graph are: parameters, buffers, what users give and get, what is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any


class InputKind(Enum):
    """What an input is; `CUSTOM_OBJ` is a script object, `TOKEN` orders effects."""

    USER_INPUT = "user_input"
    PARAMETER = "parameter"
    BUFFER = "buffer"
    CONSTANT_TENSOR = "constant_tensor"
    CUSTOM_OBJ = "custom_obj"
    TOKEN = "token"


class OutputKind(Enum):
    """What an output is: a result, or what a parameter, buffer or input holds afterwards, or a gradient."""

    USER_OUTPUT = "user_output"
    LOSS_OUTPUT = "loss_output"
    BUFFER_MUTATION = "buffer_mutation"
    PARAMETER_MUTATION = "parameter_mutation"
    GRADIENT_TO_PARAMETER = "gradient_to_parameter"
    GRADIENT_TO_USER_INPUT = "gradient_to_user_input"
    USER_INPUT_MUTATION = "user_input_mutation"
    TOKEN = "token"


@dataclass(frozen=True, slots=True)
class ConstantArgument:
    """An argument or result that is no node: a number, string or None, which the graph was made for."""

    value: Any
    name: str = ""
    """Of the input that it stands for."""


@dataclass(frozen=True, slots=True)
class InputSpec:
    """An input by the name of its placeholder; `target` is the path of a parameter, buffer or constant."""

    kind: InputKind
    name: str
    target: str | None = None
    persistent: bool | None = None
    """Of buffers: whether files hold it."""
    constant: ConstantArgument | None = None
    """Of inputs of users: the only value that the program was made for."""

    def __str__(self) -> str:
        target = "" if self.target is None else f" target={self.target!r}"
        persistent = "" if self.persistent is None else f" persistent={self.persistent}"
        return f"{self.name}: {self.kind.name}{target}{persistent}"


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """An output by the name of its node, or a constant; `target` is what is written."""

    kind: OutputKind
    argument: str | ConstantArgument
    target: str | None = None

    def __str__(self) -> str:
        name = self.argument if isinstance(self.argument, str) else self.argument.name
        target = "" if self.target is None else f" target={self.target!r}"
        return f"{name}: {self.kind.name}{target}"


@dataclass(frozen=True, slots=True)
class ExportGraphSignature:
    """Inputs and outputs in their order: first what belongs to the module, then what users give.

    Outputs begin with what is written: buffers, then inputs. User outputs come last.
    """

    input_specs: Sequence[InputSpec]
    output_specs: Sequence[OutputSpec]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Paths of parameters."""
        return self._targets(InputKind.PARAMETER)

    @property
    def buffers(self) -> tuple[str, ...]:
        """Paths of buffers."""
        return self._targets(InputKind.BUFFER)

    @property
    def non_persistent_buffers(self) -> tuple[str, ...]:
        """Paths of the buffers that files do not hold."""
        return tuple(str(each.target) for each in self.input_specs if each.persistent is False)

    @property
    def lifted_tensor_constants(self) -> tuple[str, ...]:
        """Paths of tensors that are neither parameters nor buffers."""
        return self._targets(InputKind.CONSTANT_TENSOR)

    @property
    def user_inputs(self) -> tuple[str, ...]:
        """Names of the inputs that users give."""
        return tuple(e.name for e in self.input_specs if e.kind is InputKind.USER_INPUT)

    @property
    def user_outputs(self) -> tuple[Any, ...]:
        """Names of results, and results that are constants."""
        found = [e.argument for e in self.output_specs if e.kind is OutputKind.USER_OUTPUT]
        return tuple(e.value if isinstance(e, ConstantArgument) else e for e in found)

    @property
    def inputs_to_parameters(self) -> Mapping[str, str]:
        """From names of inputs to paths."""
        return self._by_name(InputKind.PARAMETER)

    @property
    def inputs_to_buffers(self) -> Mapping[str, str]:
        """From names of inputs to paths."""
        return self._by_name(InputKind.BUFFER)

    @property
    def inputs_to_lifted_tensor_constants(self) -> Mapping[str, str]:
        """From names of inputs to paths."""
        return self._by_name(InputKind.CONSTANT_TENSOR)

    @property
    def buffers_to_mutate(self) -> Mapping[str, str]:
        """From names of outputs to the paths of buffers that hold them afterwards."""
        return self._written(OutputKind.BUFFER_MUTATION)

    @property
    def user_inputs_to_mutate(self) -> Mapping[str, str]:
        """From names of outputs to the names of inputs that hold them afterwards."""
        return self._written(OutputKind.USER_INPUT_MUTATION)

    def __str__(self) -> str:
        inputs = "".join(f"{each}\n" for each in self.input_specs)
        outputs = "".join(f"{each}\n" for each in self.output_specs)
        return f"\n# inputs\n{inputs}\n# outputs\n{outputs}"

    def _targets(self, kind: InputKind) -> tuple[str, ...]:
        return tuple(self._by_name(kind).values())

    def _by_name(self, kind: InputKind) -> dict[str, str]:
        return {e.name: str(e.target) for e in self.input_specs if e.kind is kind}

    def _written(self, kind: OutputKind) -> dict[str, str]:
        return {str(e.argument): str(e.target) for e in self.output_specs if e.kind is kind}
