"""``tsc.optim``: optimizers under the names of ``torch.optim``, one a file.

What an optimizer does to one parameter is TorchScript, compiled once; `optimizer` is what all have in common.
May import `python_api` and what is below.
"""

from __future__ import annotations

from typing import NoReturn

from tsc.runtime.optim.adam import Adam, AdamW
from tsc.runtime.optim.optimizer import Optimizer
from tsc.runtime.optim.rmsprop import RMSprop
from tsc.runtime.optim.sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "RMSprop"]


def __getattr__(name: str) -> NoReturn:
    """PyTorch has more optimizers: say which there are."""
    raise AttributeError(f"module 'tsc.optim' has no {name!r}: it has {', '.join(__all__)}")
