"""What programs ask of gradients: whether a tensor requires one, and to have them computed."""

from __future__ import annotations

from tsc.compiler.schema import Effects
from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.gradient_state import watched
from tsc.runtime.context.hooks import tape
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


@operator("prim::requires_grad(Tensor a) -> bool")
def requires_grad(a: Tensor) -> bool:
    return a.requires_grad


@operator("aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)")
def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    self.requires_grad = requires_grad
    return self


@operator("aten::is_leaf(Tensor self) -> bool")
def is_leaf(self: Tensor) -> bool:
    return self.is_leaf


@operator("aten::is_inference(Tensor self) -> bool")
def is_inference(self: Tensor) -> bool:
    return self.is_inference()


@operator("prim::grad(Tensor a) -> Tensor(*)")
def grad_of(a: Tensor) -> Tensor | None:
    return a.grad


@operator("aten::retains_grad(Tensor self) -> bool")
def retains_grad(self: Tensor) -> bool:
    """Whether a result keeps its gradient: a leaf always does, and says no."""
    return self.retains_grad


@operator("aten::retain_grad(Tensor(a!) self) -> ()")
def retain_grad(self: Tensor) -> None:
    tape().retain_grad(self)


@operator("aten::output_nr(Tensor self) -> int")
def output_nr(self: Tensor) -> int:
    """Which result of its step a tensor is."""
    return self.autograd.output if self.grad_fn is not None and self.autograd is not None else 0


@operator("aten::_version(Tensor self) -> int")
def version(self: Tensor) -> int:
    """How often the memory was written to since somebody saved it for a gradient."""
    if self.is_inference():
        raise ScriptError("RuntimeError", "Inference tensors do not track version counter.")
    known = watched.get(id(storage_of(self.array)))
    counted = None if known is None else known()
    return 0 if counted is None else counted.count


@operator(
    "aten::backward(Tensor self, Tensor? gradient=None, bool? retain_graph=None, bool create_graph=False) -> ()",
    effects=Effects.SIDE_EFFECT,
)
def backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> None:
    tape().backward([self], [gradient], retain_graph, create_graph)


@operator(
    "aten::backward.TensorList(Tensor[] tensors, Tensor?[]? grad_tensors=None, bool? retain_graph=None,"
    " bool create_graph=False) -> ()",
    effects=Effects.SIDE_EFFECT,
)
def backward_of_several(
    tensors: list[Tensor],
    grad_tensors: list[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> None:
    tape().backward(tensors, grad_tensors, retain_graph, create_graph)


@operator(
    "aten::_backward(Tensor self, Tensor[] inputs, Tensor? gradient=None, bool? retain_graph=None,"
    " bool create_graph=False) -> ()",
    effects=Effects.SIDE_EFFECT,
)
def backward_to_inputs(
    self: Tensor,
    inputs: list[Tensor],
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> None:
    tape().backward([self], [gradient], retain_graph, create_graph, inputs)


@operator(
    "aten::grad(Tensor[] outputs, Tensor[] inputs, Tensor?[]? grad_outputs=None, bool? retain_graph=None,"
    " bool create_graph=False, bool allow_unused=False) -> Tensor?[]",
    effects=Effects.SIDE_EFFECT,
)
def grad(
    outputs: list[Tensor],
    inputs: list[Tensor],
    grad_outputs: list[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> list[Tensor | None]:
    return tape().grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)
