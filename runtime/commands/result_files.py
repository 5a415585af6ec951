"""Results as files: ``.npz``, ``.npy`` and ``.json``, written whole or not at all."""

from __future__ import annotations

import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from tsc.compiler.source import UsageError

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
    import numpy as np

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


def write_text(text: str, path: str) -> None:
    """Write `text` to `path` as UTF-8, atomically."""
    write_bytes(text.encode("utf-8", "backslashreplace"), path)


def write_bytes(content: bytes, path: str) -> None:
    """Write `content` to `path`: whole or not at all, unless it is a device or a pipe."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(content)
        else:
            replace_file(target.resolve(), content)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def replace_file(target: Path, content: bytes) -> None:
    """Write `content` to a temporary file beside `target`, then rename it."""
    mode = target.stat().st_mode if target.is_file() else 0o666 & ~current_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def current_umask() -> int:
    """The process's file mode mask."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
    import numpy as np

    from tsc.runtime.values.tensor import Tensor

    if isinstance(value, Tensor):
        return value.numpy()
    if isinstance(value, bool | int | float | complex | str):
        return np.asarray(value)
    raise UsageError(f"{name} is {value!r}, which has no array form; write .json")


def as_json(value: Any) -> Any:
    """A result as JSON values: tensors become nested lists."""
    from tsc.runtime.values.tensor import Tensor

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
