"""TorchScript without PyTorch: what ``import tsc`` offers.

Names follow ``torch.jit``, so that a script changes one import::

    import tsc

    unit = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\\n    return x + 1\\n")
    print(unit.f(tsc.tensor([1.0, 2.0])))

This module only wires compiler and runtime; each name is loaded when it is first used. Type checkers read
``__init__.pyi``; other names of ``torch`` (``tsc.relu``, ``tsc.nn``) are there at run time alone.
"""

from __future__ import annotations

import importlib
from typing import Any

from tsc.compiler import uncaught_errors
from tsc.compiler.process_settings import rare_garbage_collection

_HOME = {
    "CompilationUnit": "tsc.runtime.programs.compilation_unit",
    "compile_file": "tsc.runtime.programs.compilation_unit",
    "ScriptFunction": "tsc.runtime.python_api.script_function",
    "ScriptModule": "tsc.runtime.python_api.script_module",
    "script": "tsc.runtime.live.script",
    **dict.fromkeys(
        ("annotate", "fork", "ignore", "interface", "is_scripting"),
        "tsc.runtime.live.markers",
    ),
    "isinstance": "tsc.runtime.live.instance_tests",
    "export": "tsc.runtime.live.exporting",
    "to_edge": "tsc.runtime.exporting.edge.program",
    "verify_exported": "tsc.runtime.exported.verification",
    "VerificationError": "tsc.compiler.exir.verification.verifier",
    "run_decompositions": "tsc.runtime.exporting.decomposition.program",
    "default_decompositions": "tsc.runtime.exporting.decomposition.table",
    "to_backend": "tsc.runtime.backends.handing_over",
    "BackendError": "tsc.runtime.backends.backend",
    **dict.fromkeys(("is_tracing", "unused", "wait", "Final"), "tsc.runtime.live.markers"),
    "Future": "tsc.runtime.values.futures",
    "trace": "tsc.runtime.tracing.trace",
    "trace_module": "tsc.runtime.tracing.trace",
    **dict.fromkeys(("TracerWarning", "TracingCheckError"), "tsc.runtime.tracing.errors"),
    **dict.fromkeys(
        ("new_graph", "parse_ir", "register_operator"), "tsc.runtime.python_api.extension_points"
    ),
    "parse_schema": "tsc.compiler.schema",
    "register_pass": "tsc.runtime.execution.registered_passes",
    "run_pass": "tsc.runtime.execution.run_pass",
    "differentiate": "tsc.runtime.execution.differentiation",
    "counters": "tsc.runtime.execution.counters",
    **dict.fromkeys(
        ("last_executed_optimized_graph", "optimized_execution"),
        "tsc.runtime.execution.executor_mode",
    ),
    "set_executor": "tsc.runtime.execution.executors",
    "SymbolicVariable": "tsc.compiler.emit.symbolic_variable",
    "Tensor": "tsc.runtime.values.tensor",
    "load": "tsc.runtime.archives.loading",
    "Dim": "tsc.compiler.exir.symbols.dims",
    "ConstraintViolationError": "tsc.compiler.exir.symbols.violations",
    "load_exported": "tsc.runtime.exported.loading",
    "explain_export": "tsc.runtime.programs.export_explanation",
    "save_exported": "tsc.runtime.exported.saving",
    "to_torchscript": "tsc.runtime.exported.torchscript",
    "export_onnx": "tsc.runtime.onnx.export",
    "save": "tsc.runtime.archives.saving",
    **dict.fromkeys(("freeze", "optimize_for_inference"), "tsc.runtime.freezing.freeze"),
    **dict.fromkeys(("load_tensors", "save_tensors"), "tsc.runtime.archives.tensor_files"),
    "inspect": "tsc.runtime.commands.file_reports",
    "audit": "tsc.runtime.commands.file_reports",
    "tensor": "tsc.runtime.python_api.tensor_api",
    **dict.fromkeys(("as_tensor", "from_numpy"), "tsc.runtime.python_api.tensor_api"),
    "limits": "tsc.runtime.context.limits",
    "manual_seed": "tsc.runtime.random.generator",
    "Generator": "tsc.runtime.random.generator",
    "device": "tsc.runtime.python_api.tensor_api",
    **dict.fromkeys(
        (
            *("enable_grad", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled"),
            *("no_grad", "set_grad_enabled"),
        ),
        "tsc.runtime.context.grad_mode",
    ),
    "autograd": "tsc.runtime.python_api",
    "optim": "tsc.runtime",
    **dict.fromkeys(("get_num_threads", "set_num_threads"), "tsc.runtime.arrays.blas_threads"),
    **dict.fromkeys(
        ("get_num_interop_threads", "set_num_interop_threads"), "tsc.runtime.context.task_threads"
    ),
    "Error": "tsc.compiler.source",
    "CompileError": "tsc.compiler.source",
    "ScriptError": "tsc.runtime.context.errors",
    "ArchiveError": "tsc.runtime.serialization.errors",
    "ExportError": "tsc.runtime.exporting.errors",
}
_DTYPES = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
    "complex64", "complex128", "bool", "uint16", "uint32", "uint64",
)  # fmt: skip

_ATTRIBUTE = {
    "bool": "bool_",
    "enable_grad": "EnableGrad",
    "inference_mode": "InferenceMode",
    "no_grad": "NoGrad",
    "set_grad_enabled": "SetGradEnabled",
}
_MODULES = ("autograd", "optim")

uncaught_errors.install()

__version__ = "0.1.0"
__all__ = [*_HOME, *_DTYPES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Load a name of the facade when it is first asked for; other names are PyTorch's functions."""
    if name.startswith("__"):
        raise AttributeError(f"module 'tsc' has no attribute {name!r}")
    home = "tsc.runtime.arrays.dtypes" if name in _DTYPES else _HOME.get(name)
    with rare_garbage_collection():
        if home is None:
            value = importlib.import_module("tsc.runtime.live.torch_names").member("torch", name)
        else:
            place = f"{home}.{name}" if name in _MODULES else home
            module = importlib.import_module(place)
            value = module if name in _MODULES else getattr(module, _ATTRIBUTE.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
