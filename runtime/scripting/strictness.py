"""Layers of ``torch.nn`` that tsc compiles and PyTorch does not: strict mode refuses them."""

from __future__ import annotations

from typing import Final

from tsc.compiler.source import UNKNOWN_RANGE, CompileError, codes
from tsc.runtime.scripting.module_source import ModuleSource

_LAYERS: Final = "__torch__.torch.nn.modules."
_NOT_SCRIPTED: Final = {
    "adaptive.AdaptiveLogSoftmaxWithLoss": "take CrossEntropyLoss",
    "loss.GaussianNLLLoss": "write the loss as a function",
    "loss.TripletMarginWithDistanceLoss": "take TripletMarginLoss, or write the loss as a function",
    "pooling.MaxUnpool1d": "call torch.nn.functional.max_unpool1d",
    "pooling.MaxUnpool2d": "call torch.nn.functional.max_unpool2d",
    "pooling.MaxUnpool3d": "call torch.nn.functional.max_unpool3d",
}


def check_scripted_by_pytorch(module: ModuleSource) -> None:
    """Raises `CompileError` for a layer that PyTorch cannot script."""
    name = module.qualified_name.removeprefix(_LAYERS)
    hint = _NOT_SCRIPTED.get(name)
    if name == "activation.MultiheadAttention" and module.parameters.get("in_proj_bias") is None:
        hint = "leave bias=True"
    if hint is None or name == module.qualified_name:
        return
    forward = module.method("forward")
    raise CompileError(
        f"PyTorch cannot script torch.nn.{name.rpartition('.')[2]} as it is made here",
        UNKNOWN_RANGE if forward is None else forward.definition.name.range,
        code=codes.ONLY_IN_TSC,
        hint=hint,
    )
