"""The path by which the compiler knows a live object: ``torch.nn.functional.relu``, ``math.sqrt``."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType
from typing import Any, Final

from tsc.compiler.emit.names import known_modules as known
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.context.grad_mode import NoGrad
from tsc.runtime.live import markers
from tsc.runtime.live.torch_names import TorchFunction, TorchNamespace
from tsc.runtime.python_api.tensor_api import device, tensor
from tsc.runtime.random.generator import manual_seed
from tsc.runtime.values.tensor import Tensor

FACADE: Final = "tsc"
_FIRST: Final = (
    "typing",
    "typing_extensions",
    "math",
    "cmath",
    "warnings",
    "collections",
    "collections.abc",
    "torch",
)
_THEN: Final = ("torch.jit", "torch.nn.functional", "torch.functional", "torch.nn.init")
_MODULES: Final = tuple(
    dict.fromkeys((*_FIRST, *_THEN, *sorted(known.MODULES), "torch.nn.parameter", "enum", "abc"))
)
_OF_JIT: Final = (*markers.NAMES, "isinstance")
_PLAIN: Final = (ModuleType, int, float, complex, str, bytes, list, dict, tuple, set, frozenset)
_OWN: Final[dict[Any, str]] = {
    **{getattr(markers, name): f"torch.jit.{name}" for name in markers.NAMES},
    Tensor: "torch.Tensor",
    NoGrad: "torch.no_grad",
    tensor: "torch.tensor",
    manual_seed: "torch.manual_seed",
    device: "torch.device",
    DType: "torch.dtype",
}


class _Index:
    """Paths by the identity of objects, made anew when the user has imported more modules."""

    def __init__(self) -> None:
        self._count = -1
        self._paths: dict[int, tuple[str, object]] = {}

    def find(self, value: object) -> str | None:
        present = [name for name in _MODULES if name in sys.modules]
        if len(present) != self._count:
            self._fill(present)
        found = self._paths.get(id(value))
        return found[0] if found is not None and found[1] is value else None

    def _fill(self, names: list[str]) -> None:
        self._count = len(names)
        self._paths.clear()
        for module in names:
            for name, value in list(vars(sys.modules[module]).items()):
                if value is None or issubclass(type(value), _PLAIN):
                    continue
                if not _is_guest(module, value):
                    self._paths.setdefault(id(value), (f"{module}.{name}", value))


def _is_guest(module: str, value: Any) -> bool:
    """Whether PyTorch has only imported an object, as ``torch.nn.functional.Callable``."""
    if not module.startswith("torch") or not issubclass(type(value), type | FunctionType):
        return False
    return not value.__module__.startswith("torch")


_INDEX = _Index()


def declare(value: Any, path: str) -> None:
    """Make known an object that stands in the place of PyTorch's of that path."""
    _OWN[value] = path


def known_path(value: Any) -> str | None:
    """The path of an object that the compiler may know, or None."""
    if isinstance(value, ModuleType):
        return value.__name__ if value.__name__ in known.MODULES else None
    if isinstance(value, TorchFunction | TorchNamespace):
        return value.path
    try:
        own = _OWN.get(value)
    except TypeError:  # not hashable
        own = None
    return own or _INDEX.find(value)


def path_in_facade(name: str) -> str:
    """What ``tsc.name`` is called in PyTorch: ``torch.jit.annotate``, ``torch.relu``."""
    first = name.partition(".")[0]
    return f"torch.jit.{name}" if first in _OF_JIT else f"torch.{name}"


def path_of(value: Any) -> str | None:
    """The full name of an object: the known path, or module and name."""
    found = known_path(value)
    if found is not None:
        return found
    if isinstance(value, ModuleType):
        return value.__name__
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(name, str):
        return None
    return name if module in (None, "builtins") else f"{module}.{name}"
