"""Layers of ``torch.nn`` that tsc does not have, and what to take instead."""

from __future__ import annotations

from typing import Final

_INSTEAD: Final = {
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
