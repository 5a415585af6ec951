"""RMSprop: steps by gradients over the root of a running mean of their squares."""

from __future__ import annotations

from tsc.runtime.optim.optimizer import (
    Group,
    Optimizer,
    Parameters,
    check,
    compiled,
    number,
)
from tsc.runtime.values.tensor import Tensor

UPDATE = """
def update(
    parameter: Tensor, gradient: Tensor,
    step: Tensor, square_avg: Tensor, buffer: Optional[Tensor], grad_avg: Optional[Tensor],
    lr: float, alpha: float, eps: float, weight_decay: float, momentum: float,
) -> None:
    step += 1
    if weight_decay != 0:
        gradient = gradient.add(parameter, alpha=weight_decay)
    if parameter.is_complex():
        parameter, gradient = torch.view_as_real(parameter), torch.view_as_real(gradient)
        square_avg = torch.view_as_real(square_avg)
        if buffer is not None:
            buffer = torch.view_as_real(buffer)
        if grad_avg is not None:
            grad_avg = torch.view_as_real(grad_avg)
    square_avg.mul_(alpha).addcmul_(gradient, gradient, value=1 - alpha)
    if grad_avg is None:
        scale = square_avg.sqrt()
    else:
        grad_avg.lerp_(gradient, 1 - alpha)
        scale = square_avg.addcmul(grad_avg, grad_avg, value=-1).sqrt_()
    scale.add_(eps)
    if buffer is None:
        parameter.addcdiv_(gradient, scale, value=-lr)
    else:
        buffer.mul_(momentum).addcdiv_(gradient, scale)
        parameter.add_(buffer, alpha=-lr)
"""


class RMSprop(Optimizer):
    """RMSprop, with `momentum`, and `centered`: by the variance of gradients.

    `foreach` and `capturable` choose among PyTorch's implementations; here there is one.
    Raises ScriptError for options without sense, and for `differentiable`.
    """

    def __init__(
        self,
        params: Parameters,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check("learning rate", lr, number(lr) >= 0)
        check("epsilon value", eps, eps >= 0)
        check("momentum value", momentum, momentum >= 0)
        check("weight_decay value", weight_decay, weight_decay >= 0)
        check("alpha value", alpha, alpha >= 0)
        options = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, options)

    def update(self, group: Group, parameter: Tensor, gradient: Tensor) -> None:
        moving, centered = group["momentum"] > 0, group["centered"]
        state = self.begun(parameter, "square_avg", momentum_buffer=moving, grad_avg=centered)
        compiled(UPDATE, "RMSprop")(
            *(parameter, gradient, state["step"], state["square_avg"]),
            state["momentum_buffer"] if moving else None,
            state["grad_avg"] if centered else None,
            *(number(group["lr"]), float(group["alpha"]), float(group["eps"])),
            *(float(group["weight_decay"]), float(group["momentum"])),
        )
