"""What of ``torch.nn`` tsc does not have, and what to take instead."""

from __future__ import annotations

from typing import Final

_GRADIENTS: Final = "it is for training, where PyTorch computes the gradients"
_FUSION: Final = "fuse the layers in PyTorch, and load what it saves"
_INSTEAD: Final = {
    "Container": "it is deprecated; use Module",
    "DataParallel": "it needs several devices; use the module itself",
    "clip_grad_norm_": _GRADIENTS,
    "clip_grad_value_": _GRADIENTS,
    "clip_grads_with_norm_": _GRADIENTS,
    "get_total_norm": _GRADIENTS,
    "fuse_conv_bn_eval": _FUSION,
    "fuse_conv_bn_weights": _FUSION,
    "fuse_linear_bn_eval": _FUSION,
    "fuse_linear_bn_weights": _FUSION,
    "skip_init": "construct the layer itself: drawing its parameters does no harm",
    "stateless": "parameters cannot be exchanged while a program runs; call load_state_dict",
    "CrossMapLRN2d": "PyTorch cannot save it; use LocalResponseNorm",
    "LinearCrossEntropyLoss": "PyTorch cannot script it; use Linear and CrossEntropyLoss",
    "NLLLoss2d": "it is deprecated; use NLLLoss",
    "SyncBatchNorm": "it needs several processes; use BatchNorm1d, BatchNorm2d or BatchNorm3d",
    "parametrizations": "parametrized weights cannot be scripted; compute the weight in forward",
    "parametrize": "parametrized weights cannot be scripted; compute the weight in forward",
    "spectral_norm": "its hooks cannot be scripted; compute the weight in forward",
    "weight_norm": "its hooks cannot be scripted; compute the weight in forward",
}


def instead_of(path: str, name: str) -> str | None:
    """Why a name of a module is absent, and what to use; None for a name that nobody misses."""
    if not path.startswith("torch.nn"):
        return None
    if name.startswith("Lazy"):
        return (
            f"its sizes are open until it is called; use {name.removeprefix('Lazy')} with its sizes"
        )
    return _INSTEAD.get(name)
