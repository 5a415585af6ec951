"""Results as files: ``.npz``, ``.npy`` and ``.json``."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from tsc.compiler.source import UsageError
from tsc.runtime.commands.output_files import write_bytes, write_text
from tsc.runtime.values.tensor import Tensor

FORMATS = (".npz", ".npy", ".json")


def check_result_path(path: str) -> str | None:
    """What is wrong with writing a result to `path`, or None."""
    if Path(path).suffix not in FORMATS:
        return f"{path}: a result is written as one of {', '.join(FORMATS)}"
    if not Path(path).absolute().parent.is_dir():
        return f"{path}: there is no such folder"
    return None


def write_result(result: Any, path: str) -> None:
    """Write `result` to `path` in the format that its suffix names."""
    suffix = Path(path).suffix
    if suffix == ".json":
        write_text(json.dumps(as_json(result), indent=1, ensure_ascii=False) + "\n", path)
        return
    buffer = io.BytesIO()
    arrays = named_arrays(result)
    if suffix == ".npy":
        if len(arrays) != 1:
            raise UsageError(
                f"{path}: .npy holds one array, the result has {len(arrays)}; use .npz"
            )
        np.save(buffer, next(iter(arrays.values())), allow_pickle=False)
    else:
        np.savez(buffer, **arrays)
    write_bytes(buffer.getvalue(), path)


def named_arrays(result: Any) -> dict[str, Any]:
    """The arrays of a result by name: ``result``, or ``result_0``, ``result_1.key``, … for parts."""
    arrays: dict[str, Any] = {}
    pending = [("result", result)]
    while pending:
        name, value = pending.pop()
        if isinstance(value, list | tuple):
            pending.extend(reversed([(f"{name}_{i}", item) for i, item in enumerate(value)]))
        elif isinstance(value, dict):
            pending.extend(reversed([(f"{name}.{key}", item) for key, item in value.items()]))
        else:
            arrays[name] = as_array(name, value)
    return arrays


def as_array(name: str, value: Any) -> Any:
    """One leaf of a result as an array; what is no number or tensor has none."""
    if isinstance(value, Tensor):
        return value.numpy(force=True)
    if isinstance(value, bool | int | float | complex | str):
        return np.asarray(value)
    raise UsageError(f"{name} is {value!r}, which has no array form; write .json")


def as_json(value: Any) -> Any:
    """A result as JSON values: tensors become nested lists."""
    if isinstance(value, Tensor):
        return as_json(value.tolist())
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, complex):
        return [value.real, value.imag]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
