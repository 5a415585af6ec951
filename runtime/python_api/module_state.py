"""State dictionaries: what of one fits the parameters and buffers of a module, and what does not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tsc.runtime.values.tensor import Tensor


class IncompatibleKeys(NamedTuple):
    """The names that a module or a state has and the other one has not."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


@dataclass(frozen=True, slots=True)
class Fit:
    """The arrays of a state that fit, by name; the names that do not; why the state is refused."""

    arrays: dict[str, np.ndarray]
    keys: IncompatibleKeys
    problems: list[str]

    def complaint(self, name: str) -> str:
        """The message about the module of that name."""
        lines = "\n\t".join(self.problems)
        return f"Error(s) in loading state_dict for {name}:\n\t{lines}"


def fit(
    own: Mapping[str, Tensor],
    state: Mapping[str, Any],
    *,
    strict: bool,
    optional: Collection[str] = (),
) -> Fit:
    """Compare a state with the tensors of a module. ``optional`` names may be missing.

    Nothing is copied: the caller does that, if there are no problems.
    """
    arrays: dict[str, np.ndarray] = {}
    problems: list[str] = []
    for name in own:
        if name in state:
            array = _array(state[name], own[name])
            problem = _problem(name, own[name], state[name], array)
            if array is None or problem is not None:
                problems.append(problem or "")
            else:
                arrays[name] = array
    missing = [name for name in own if name not in state and name not in optional]
    unexpected = [name for name in state if name not in own]
    if strict:
        problems = [*_key_problems(missing, unexpected), *problems]
    return Fit(arrays, IncompatibleKeys(missing, unexpected), problems)


def _array(given: Any, own: Tensor) -> np.ndarray | None:
    """The array of a tensor, of an array, or of another library's tensor."""
    if isinstance(given, Tensor):
        array = given.array
    elif isinstance(given, np.ndarray):
        array = given
    elif callable(getattr(given, "numpy", None)):
        array = np.asarray(given.detach().numpy() if hasattr(given, "detach") else given.numpy())
    else:
        return None
    is_scalar_of_old = own.array.ndim == 0 and array.shape == (1,)
    return array.reshape(()) if is_scalar_of_old else array


def _problem(name: str, own: Tensor, given: Any, array: np.ndarray | None) -> str | None:
    if array is None:
        return (
            f'While copying the parameter named "{name}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(given)}"
        )
    if array.shape != own.array.shape:
        return (
            f"size mismatch for {name}: copying a param with shape torch.Size({list(array.shape)}) "
            f"from checkpoint, the shape in current model is torch.Size({list(own.array.shape)})."
        )
    return None


def _key_problems(missing: list[str], unexpected: list[str]) -> list[str]:
    lines: list[str] = []
    if missing:
        lines.append(f"Missing key(s) in state_dict: {_quoted(missing)}. ")
    if unexpected:
        lines.append(f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
    return lines


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
