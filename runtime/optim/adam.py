"""Adam and AdamW: steps by running means of gradients and of their squares."""

from __future__ import annotations

from typing import Any

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
    step: Tensor, exp_avg: Tensor, exp_avg_sq: Tensor, max_exp_avg_sq: Optional[Tensor],
    lr: float, betas: Tuple[float, float], eps: float, weight_decay: float, decoupled: bool,
) -> None:
    step += 1
    count = float(step.item())
    beta1, beta2 = betas
    if weight_decay != 0:
        if decoupled:
            parameter.mul_(1 - lr * weight_decay)
        else:
            gradient = gradient.add(parameter, alpha=weight_decay)
    if parameter.is_complex():
        parameter, gradient = torch.view_as_real(parameter), torch.view_as_real(gradient)
        exp_avg, exp_avg_sq = torch.view_as_real(exp_avg), torch.view_as_real(exp_avg_sq)
        if max_exp_avg_sq is not None:
            max_exp_avg_sq = torch.view_as_real(max_exp_avg_sq)
    exp_avg.lerp_(gradient, 1 - beta1)
    exp_avg_sq.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    squares = exp_avg_sq
    if max_exp_avg_sq is not None:
        torch.maximum(max_exp_avg_sq, exp_avg_sq, out=max_exp_avg_sq)
        squares = max_exp_avg_sq
    scale = (squares.sqrt() / (1 - beta2**count) ** 0.5).add_(eps)
    parameter.addcdiv_(exp_avg, scale, value=-(lr / (1 - beta1**count)))
"""


class Adam(Optimizer):
    """Adam; with `amsgrad`, the mean of squares never falls; with `decoupled_weight_decay` it is AdamW.

    `foreach`, `fused` and `capturable` choose among PyTorch's implementations; here there is one.
    Raises ScriptError for options without sense, and for `differentiable`.
    """

    def __init__(
        self,
        params: Parameters,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check("learning rate", lr, number(lr) >= 0)
        check("epsilon value", eps, eps >= 0)
        for index, beta in enumerate(betas):
            check(f"beta parameter at index {index}", beta, 0 <= number(beta) < 1)
        check("weight_decay value", weight_decay, weight_decay >= 0)
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, options)

    def update(self, group: Group, parameter: Tensor, gradient: Tensor) -> None:
        state = self.begun(parameter, "exp_avg", "exp_avg_sq", max_exp_avg_sq=group["amsgrad"])
        first, second = group["betas"]
        compiled(UPDATE, "Adam")(
            *(parameter, gradient, state["step"], state["exp_avg"], state["exp_avg_sq"]),
            *(state.get("max_exp_avg_sq") if group["amsgrad"] else None, number(group["lr"])),
            *((number(first), number(second)), float(group["eps"]), float(group["weight_decay"])),
            group["decoupled_weight_decay"],
        )


class AdamW(Adam):
    """Adam whose weight decay goes past the running means."""

    def __init__(
        self,
        params: Parameters,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **choices: Any,
    ) -> None:
        choices["decoupled_weight_decay"] = True
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **choices)
