"""``tsc.to_torchscript``: an exported program becomes a module, which ``tsc.save`` writes for ``torch.jit.load``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.signature import InputKind
from tsc.compiler.exir.translation.methods import forward_of_program
from tsc.compiler.exir.translation.scope import TranslationError
from tsc.compiler.ir import Function
from tsc.compiler.ir.graph_function import schema_of_graph
from tsc.compiler.outer_net import foreseen
from tsc.compiler.types import BOOL, TENSOR, ClassAttribute, ClassType
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.python_api.script_module import ScriptModule, wrapped
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor

_ROOT: Final = "__torch__.exported.Program"
_FORWARD: Final = "forward"


@foreseen()
def to_torchscript(program: ExportedProgram) -> ScriptModule:
    """A module that does what a program does: arguments and results are nested in the same way and are checked.

    Parameters and buffers are attributes of submodules by their paths, and share their memory with the program.

    Raises:
        TranslationError: the program does or takes something that TorchScript has not, which is named.
    """
    program = program.undelegated
    root = _new_module(_ROOT)
    for path, tensor, kind in _tensors(program):
        _put(root, path, tensor, kind)
    graph = forward_of_program(program, toolchain().operators, root.script_type)
    graph.lint()
    function = Function(f"{_ROOT}.{_FORWARD}", graph=graph)
    function.schema = schema_of_graph(graph, _FORWARD)
    root.script_type.methods[_FORWARD] = function
    module = wrapped(root)
    assert isinstance(module, ScriptModule)
    return module


def _new_module(name: str) -> ScriptObject:
    type = ClassType(name, is_module=True)
    type.add_attribute(ClassAttribute("training", BOOL))
    made = ScriptObject(type)
    made.script_attributes["training"] = False
    return made


def _tensors(program: ExportedProgram) -> Iterator[tuple[str, Tensor, InputKind]]:
    """Each tensor by its path, once, and what it is."""
    kinds = {
        str(each.target): each.kind
        for each in program.graph_signature.input_specs
        if each.target is not None
    }
    for path, tensor in {**program.constants, **program.state_dict}.items():
        if not isinstance(tensor, Tensor):
            raise TranslationError(f"{path} is no tensor, and cannot be an attribute")
        yield path, tensor, kinds.get(path, InputKind.BUFFER)


def _put(root: ScriptObject, path: str, tensor: Tensor, kind: InputKind) -> None:
    """Make a tensor an attribute, in modules that are made where there are none yet."""
    owner = root
    *modules, name = path.split(".")
    for each in modules:
        owner = _submodule(owner, each, path)
    if name in owner.script_type.attributes:
        raise TranslationError(f"there are two attributes at {path}")
    attribute = ClassAttribute(
        name, TENSOR, is_parameter=kind is InputKind.PARAMETER, is_buffer=kind is InputKind.BUFFER
    )
    owner.script_type.add_attribute(attribute)
    owner.script_attributes[name] = tensor


def _submodule(owner: ScriptObject, name: str, path: str) -> ScriptObject:
    found = owner.script_attributes.get(name)
    if found is None:
        part = f"_{name}" if name[:1].isdigit() else name
        found = _new_module(f"{owner.script_type.qualified_name}.{part}")
        owner.script_type.add_attribute(ClassAttribute(name, found.script_type))
        owner.script_attributes[name] = found
    if not isinstance(found, ScriptObject):
        raise TranslationError(f"{path} stands in what is no module")
    return found
