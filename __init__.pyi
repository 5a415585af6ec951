"""What type checkers know of `tsc`; at run time each of these names is loaded when it is first used."""

from typing import Any

from tsc.compiler.emit.symbolic_variable import SymbolicVariable as SymbolicVariable
from tsc.compiler.exir.symbols.dims import Dim as Dim
from tsc.compiler.exir.symbols.violations import (
    ConstraintViolationError as ConstraintViolationError,
)
from tsc.compiler.exir.verification.verifier import VerificationError as VerificationError
from tsc.compiler.schema import parse_schema as parse_schema
from tsc.compiler.source import CompileError as CompileError
from tsc.compiler.source import Error as Error
from tsc.runtime import optim as optim
from tsc.runtime.archives.loading import load as load
from tsc.runtime.archives.saving import save as save
from tsc.runtime.archives.tensor_files import load_tensors as load_tensors
from tsc.runtime.archives.tensor_files import save_tensors as save_tensors
from tsc.runtime.arrays import dtypes
from tsc.runtime.arrays.blas_threads import get_num_threads as get_num_threads
from tsc.runtime.arrays.blas_threads import set_num_threads as set_num_threads
from tsc.runtime.arrays.dtypes import bfloat16 as bfloat16
from tsc.runtime.arrays.dtypes import complex64 as complex64
from tsc.runtime.arrays.dtypes import complex128 as complex128
from tsc.runtime.arrays.dtypes import float16 as float16
from tsc.runtime.arrays.dtypes import float32 as float32
from tsc.runtime.arrays.dtypes import float64 as float64
from tsc.runtime.arrays.dtypes import int8 as int8
from tsc.runtime.arrays.dtypes import int16 as int16
from tsc.runtime.arrays.dtypes import int32 as int32
from tsc.runtime.arrays.dtypes import int64 as int64
from tsc.runtime.arrays.dtypes import uint8 as uint8
from tsc.runtime.arrays.dtypes import uint16 as uint16
from tsc.runtime.arrays.dtypes import uint32 as uint32
from tsc.runtime.arrays.dtypes import uint64 as uint64
from tsc.runtime.backends.backend import BackendError as BackendError
from tsc.runtime.backends.handing_over import to_backend as to_backend
from tsc.runtime.commands.file_reports import audit as audit
from tsc.runtime.commands.file_reports import inspect as inspect
from tsc.runtime.context import grad_mode
from tsc.runtime.context.errors import ScriptError as ScriptError
from tsc.runtime.context.grad_mode import is_grad_enabled as is_grad_enabled
from tsc.runtime.context.grad_mode import is_inference_mode_enabled as is_inference_mode_enabled
from tsc.runtime.context.limits import limits as limits
from tsc.runtime.context.task_threads import get_num_interop_threads as get_num_interop_threads
from tsc.runtime.context.task_threads import set_num_interop_threads as set_num_interop_threads
from tsc.runtime.execution.counters import counters as counters
from tsc.runtime.execution.differentiation import differentiate as differentiate
from tsc.runtime.execution.executor_mode import (
    last_executed_optimized_graph as last_executed_optimized_graph,
)
from tsc.runtime.execution.executor_mode import optimized_execution as optimized_execution
from tsc.runtime.execution.executors import set_executor as set_executor
from tsc.runtime.execution.registered_passes import register_pass as register_pass
from tsc.runtime.execution.run_pass import run_pass as run_pass
from tsc.runtime.exported.loading import load_exported as load_exported
from tsc.runtime.exported.saving import save_exported as save_exported
from tsc.runtime.exported.torchscript import to_torchscript as to_torchscript
from tsc.runtime.exported.verification import verify_exported as verify_exported
from tsc.runtime.exporting.decomposition.program import run_decompositions as run_decompositions
from tsc.runtime.exporting.decomposition.table import (
    default_decompositions as default_decompositions,
)
from tsc.runtime.exporting.edge.program import to_edge as to_edge
from tsc.runtime.exporting.errors import ExportError as ExportError
from tsc.runtime.freezing.freeze import freeze as freeze
from tsc.runtime.freezing.freeze import optimize_for_inference as optimize_for_inference
from tsc.runtime.live.exporting import export as export
from tsc.runtime.live.instance_tests import isinstance as isinstance
from tsc.runtime.live.markers import Final as Final
from tsc.runtime.live.markers import annotate as annotate
from tsc.runtime.live.markers import fork as fork
from tsc.runtime.live.markers import ignore as ignore
from tsc.runtime.live.markers import interface as interface
from tsc.runtime.live.markers import is_scripting as is_scripting
from tsc.runtime.live.markers import is_tracing as is_tracing
from tsc.runtime.live.markers import unused as unused
from tsc.runtime.live.markers import wait as wait
from tsc.runtime.live.script import script as script
from tsc.runtime.onnx.export import export_onnx as export_onnx
from tsc.runtime.programs.compilation_unit import CompilationUnit as CompilationUnit
from tsc.runtime.programs.compilation_unit import compile_file as compile_file
from tsc.runtime.programs.export_explanation import explain_export as explain_export
from tsc.runtime.python_api import autograd as autograd
from tsc.runtime.python_api.extension_points import new_graph as new_graph
from tsc.runtime.python_api.extension_points import parse_ir as parse_ir
from tsc.runtime.python_api.extension_points import register_operator as register_operator
from tsc.runtime.python_api.script_function import ScriptFunction as ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule as ScriptModule
from tsc.runtime.python_api.tensor_api import as_tensor as as_tensor
from tsc.runtime.python_api.tensor_api import device as device
from tsc.runtime.python_api.tensor_api import from_numpy as from_numpy
from tsc.runtime.python_api.tensor_api import tensor as tensor
from tsc.runtime.random.generator import Generator as Generator
from tsc.runtime.random.generator import manual_seed as manual_seed
from tsc.runtime.serialization.errors import ArchiveError as ArchiveError
from tsc.runtime.tracing.errors import TracerWarning as TracerWarning
from tsc.runtime.tracing.errors import TracingCheckError as TracingCheckError
from tsc.runtime.tracing.trace import trace as trace
from tsc.runtime.tracing.trace import trace_module as trace_module
from tsc.runtime.values.futures import Future as Future
from tsc.runtime.values.tensor import Tensor as Tensor

bool = dtypes.bool_
enable_grad = grad_mode.EnableGrad
inference_mode = grad_mode.InferenceMode
no_grad = grad_mode.NoGrad
set_grad_enabled = grad_mode.SetGradEnabled
__version__: str

def __getattr__(name: str) -> Any:
    """One of PyTorch's names: a function, a constant or a namespace of them."""
