"""TorchScript without PyTorch: what ``import tsc`` offers.

Names follow ``torch.jit``, so that a script changes one import::

    import tsc

    unit = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\\n    return x + 1\\n")
    print(unit.f(tsc.tensor([1.0, 2.0])))

This module only wires compiler and runtime; each name is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import Any

from compiler.process_settings import rare_garbage_collection

_HOME = {
    "CompilationUnit": "runtime.compilation_unit",
    "compile_file": "runtime.compilation_unit",
    "ScriptFunction": "runtime.script_function",
    "ScriptModule": "runtime.script_module",
    "script": "runtime.live.script",
    **dict.fromkeys(
        ("annotate", "export", "fork", "ignore", "interface", "isinstance", "is_scripting"),
        "runtime.live.markers",
    ),
    **dict.fromkeys(("is_tracing", "unused", "wait", "Final", "Future"), "runtime.live.markers"),
    "trace": "runtime.tracing.trace",
    "trace_module": "runtime.tracing.trace",
    **dict.fromkeys(("TracerWarning", "TracingCheckError"), "runtime.tracing.errors"),
    "parse_ir": "runtime.extension_points",
    "parse_schema": "compiler.schema",
    "register_operator": "runtime.extension_points",
    "register_pass": "runtime.extension_points",
    "Tensor": "runtime.tensor",
    "load": "runtime.archives.loading",
    "save": "runtime.archives.saving",
    "load_tensors": "runtime.archives.tensor_files",
    "inspect": "runtime.file_reports",
    "audit": "runtime.file_reports",
    "tensor": "runtime.tensor_api",
    "from_numpy": "runtime.tensor_api",
    "manual_seed": "runtime.random",
    "Generator": "runtime.random",
    "device": "runtime.tensor_api",
    "no_grad": "runtime.grad_mode",
    "Error": "compiler.source",
    "CompileError": "compiler.source",
    "ScriptError": "runtime.errors",
    "ArchiveError": "runtime.serialization.errors",
}
_DTYPES = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
    "complex64", "complex128", "bool", "uint16", "uint32", "uint64",
)  # fmt: skip

_ATTRIBUTE = {"bool": "bool_", "no_grad": "NoGrad"}

__version__ = "0.1.0"
__all__ = [*_HOME, *_DTYPES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Load a name of the facade when it is first asked for; other names are PyTorch's functions."""
    if name.startswith("__"):
        raise AttributeError(f"module 'tsc' has no attribute {name!r}")
    home = "runtime.dtypes" if name in _DTYPES else _HOME.get(name)
    with rare_garbage_collection():
        if home is None:
            value = importlib.import_module("runtime.torch_names").member("torch", name)
        else:
            value = getattr(importlib.import_module(home), _ATTRIBUTE.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
