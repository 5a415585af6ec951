"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.optim.optimizer import Group, Optimizer, Parameters, check, compiled, number
from tsc.runtime.values.tensor import Tensor

UPDATE = """
def update(
    parameter: Tensor, gradient: Tensor, buffer: Optional[Tensor],
    lr: float, weight_decay: float, momentum: float, dampening: float, nesterov: bool,
):
    if weight_decay != 0:
        gradient = gradient.add(parameter, alpha=weight_decay)
    if momentum != 0:
        if buffer is None:
            buffer = gradient.clone()
        else:
            buffer.mul_(momentum).add_(gradient, alpha=1 - dampening)
        gradient = gradient.add(buffer, alpha=momentum) if nesterov else buffer
    parameter.add_(gradient, alpha=-lr)
    return buffer
"""


class SGD(Optimizer):
    """Steps against the gradient; with `momentum`, against a sum of gradients in which older ones fade.

    `foreach` and `fused` choose among PyTorch's implementations; here there is one. Raises ScriptError for options
    without sense, and for `differentiable`.
    """

    def __init__(
        self,
        params: Parameters,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check("learning rate", lr, number(lr) >= 0)
        check("momentum value", momentum, momentum >= 0)
        check("weight_decay value", weight_decay, number(weight_decay) >= 0)
        if nesterov and (momentum <= 0 or dampening != 0):
            message = "Nesterov momentum requires a momentum and zero dampening"
            raise ScriptError("ValueError", message)
        options = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, options)

    def update(self, group: Group, parameter: Tensor, gradient: Tensor) -> None:
        momentum = float(group["momentum"])
        buffer = self.state[parameter].get("momentum_buffer") if momentum else None
        buffer = compiled(UPDATE, "SGD")(
            *(parameter, gradient, buffer, number(group["lr"]), number(group["weight_decay"])),
            *(momentum, float(group["dampening"]), group["nesterov"]),
        )
        if momentum:
            self.state[parameter]["momentum_buffer"] = buffer
