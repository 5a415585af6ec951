"""What PyTorch has and tsc has not yet, told apart from what nobody has: with a way out for each.

Everything that meets an unknown name asks here: programs, constructors, archives, `tsc.<name>` in
Python, and `tsc ops`.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.emit.names.absent_operators import ABSENT_OPERATORS
from tsc.compiler.emit.names.known_modules import MODULES
from tsc.compiler.value_classes import value_class

_OPTIMIZERS: Final = (
    "programs have no optimizers; in Python, tsc.optim has SGD, Adam, AdamW and RMSprop"
)
_TRAINING: Final = "it is for training: train in PyTorch, and load what torch.jit.save writes"
_GRADIENTS: Final = "around the program, in Python, tsc has it under the same name"
_DEVICES: Final = "leave it out: tsc computes on the CPU"
_SPARSE: Final = "compute with dense tensors; in PyTorch, x.to_dense() makes one"
_QUANTIZED: Final = "compute with floating-point numbers: save the model before it is quantized"
_PROCESSES: Final = "leave it out: a program runs in one process"
_MEASURING: Final = "leave it out; `tsc run --time` measures a program"
_EXPORTING: Final = "export from PyTorch; tsc reads and writes what torch.jit.save does"
_COMPILING: Final = "leave it out: it does not change results"
_DRAWING: Final = "draw with torch.randn, torch.rand, torch.multinomial, torch.normal and the like"
_VENDOR: Final = "take the function that has no name of a library or device in its own"
_NAMES: Final = "name dimensions by their numbers"
_PYTHON: Final = "do that part in Python, outside of the program, with PyTorch or NumPy"
_MEMORY: Final = "a tensor's elements are read with x.tolist(), or in Python with x.numpy()"
_FILES: Final = "a program reads and writes no files: return the tensor, and save it with tsc run -o or in Python"
_FUSION: Final = "fuse the layers in PyTorch, and load what it saves"
_DTYPE: Final = "pass dtype= where a tensor is made; the default is float32"

_MODULES: Final = {
    "torch.autograd.profiler": _MEASURING,
    "torch.profiler": _MEASURING,
    "torch.optim": _OPTIMIZERS,
    **dict.fromkeys(("torch.func", "torch.nn.grad"), _TRAINING),
    **dict.fromkeys(("torch.cuda", "torch.mps", "torch.xpu", "torch.mtia"), _DEVICES),
    **dict.fromkeys(("torch.accelerator", "torch.amp", "torch.cpu"), _DEVICES),
    **dict.fromkeys(("torch.distributed", "torch.multiprocessing"), _PROCESSES),
    "torch.nn.parallel": _PROCESSES,
    **dict.fromkeys(("torch.quantization", "torch.ao", "torch.nn.quantized"), _QUANTIZED),
    **dict.fromkeys(("torch.nn.qat", "torch.nn.intrinsic", "torch.nn.quantizable"), _QUANTIZED),
    **dict.fromkeys(("torch.onnx", "torch.export", "torch.package"), _EXPORTING),
    **dict.fromkeys(("torch.compiler", "torch.fx", "torch.library", "torch._dynamo"), _COMPILING),
    "torch._inductor": _COMPILING,
    "torch.distributions": _DRAWING,
    **dict.fromkeys(("torch.nested", "torch.masked"), "pad the tensors, and compute with a mask"),
    **dict.fromkeys(("torch.utils", "torch.hub", "torch.serialization", "torch.futures"), _PYTHON),
    "torch.signal": "torch.hann_window, torch.hamming_window and the like make windows",
    "torch.backends": "leave it out: tsc computes with NumPy and code of its own",
}
"""Modules that are missing, or of which tsc knows a few names: all others are missing."""

_MEMBERS: Final = {
    "torch.autograd": {
        _GRADIENTS: "enable_grad gradcheck gradgradcheck inference_mode set_grad_enabled",
        _TRAINING: "Function Variable detect_anomaly forward_ad function functional "
        "graph set_detect_anomaly set_multithreading_enabled variable",
    },
    "torch.sparse": {
        _SPARSE: "addmm as_sparse_gradcheck check_sparse_tensor_invariants log_softmax mm sampled_addmm "
        "semi_structured softmax spdiags spsolve sum to_sparse_semi_structured",
    },
    "torch.random": {
        "seed with torch.manual_seed": "default_generator fork_rng get_rng_state initial_seed seed set_rng_state",
    },
    "torch.testing": {_PYTHON: "FileCheck assert_allclose assert_close make_tensor"},
    "torch.jit": {
        "in Python, the names of torch.jit are those of tsc: tsc.script, tsc.load, tsc.save": "Attribute "
        "CompilationUnit Error Final Future RecursiveScriptModule ScriptFunction ScriptModule TracerWarning "
        "enable_onednn_fusion export export_opnames freeze load onednn_fusion_enabled optimize_for_inference "
        "optimized_execution run_frozen_optimizations save script script_if_tracing script_method "
        "set_fusion_strategy trace trace_module",
    },
    "torch": {
        _GRADIENTS: "enable_grad inference_mode",
        _TRAINING: "set_anomaly_enabled vmap",
        _DEVICES: "Event Stream autocast get_autocast_cpu_dtype get_autocast_gpu_dtype get_default_device "
        "get_device_module set_autocast_cache_enabled set_autocast_cpu_dtype set_autocast_cpu_enabled "
        "set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype set_default_device GradScaler",
        _SPARSE: "dsmm hsmm saddmm spmm",
        _COMPILING: "are_deterministic_algorithms_enabled compile get_deterministic_debug_mode "
        "get_float32_matmul_precision set_deterministic_debug_mode set_float32_matmul_precision "
        "set_flush_denormal use_deterministic_algorithms",
        _DTYPE: "finfo get_default_dtype iinfo set_default_dtype set_default_tensor_type",
        _PYTHON: "asarray cond eig from_dlpack frombuffer is_storage is_tensor lobpcg lstsq matrix_rank "
        "pca_lowrank set_printoptions solve svd_lowrank symeig to_dlpack typename unravel_index while_loop",
        "seed with torch.manual_seed": "default_generator get_rng_state set_rng_state",
        _FILES: "from_file save load",
        _MEMORY: "BFloat16Storage BoolStorage ByteStorage CharStorage DoubleStorage FloatStorage HalfStorage "
        "IntStorage LongStorage ShortStorage Storage TypedStorage UntypedStorage storage",
    },
    "torch.nn": {
        "it is deprecated; use Module": "Container",
        "it needs several devices; use the module itself": "DataParallel",
        "parameters cannot be exchanged while a program runs; call load_state_dict": "stateless",
        "PyTorch cannot save it; use LocalResponseNorm": "CrossMapLRN2d",
        "PyTorch cannot script it; use Linear and CrossEntropyLoss": "LinearCrossEntropyLoss",
        "it is deprecated; use NLLLoss": "NLLLoss2d",
        "it needs several processes; use BatchNorm1d, BatchNorm2d or BatchNorm3d": "SyncBatchNorm",
    },
    "torch.nn.utils": {
        "it is for training, where PyTorch computes the gradients": "clip_grad_norm_ clip_grad_value_ "
        "clip_grads_with_norm_ get_total_norm clip_grad_norm",
        _FUSION: "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
        "construct the layer itself: drawing its parameters does no harm": "skip_init",
        "parameters cannot be exchanged while a program runs; call load_state_dict": "stateless",
        "parametrized weights cannot be scripted; compute the weight in forward": "parametrizations parametrize",
        "its hooks cannot be scripted; compute the weight in forward": "spectral_norm weight_norm "
        "remove_spectral_norm remove_weight_norm",
        _PYTHON: "parameters_to_vector vector_to_parameters",
    },
    "torch.nn.functional": {
        "call it with torch.matmul": "grouped_mm scaled_grouped_mm scaled_mm",
        "call linear, then cross_entropy": "linear_cross_entropy",
        "call triplet_margin_loss": "triplet_margin_with_distance_loss",
    },
    "torch.Tensor": {
        _GRADIENTS: "grad_fn register_hook",
        _TRAINING: "grad_dtype register_post_accumulate_grad_hook reinforce volatile",
        _DEVICES: "ipu xpu mtia pin_memory record_stream share_memory_ is_shared",
        _SPARSE: "to_sparse_coo",
        _NAMES: "align_as align_to names refine_names rename rename_ name",
        _MEMORY: "apply_ const_data_ptr data_ptr map2_ map_ storage storage_type untyped_storage",
        "convert with x.to(dtype)": "cdouble cfloat chalf type",
        "make one with torch.tensor(..., dtype=x.dtype)": "new new_tensor",
        "the function of torch.linalg does it": "eig lstsq solve symeig",
        _PYTHON: "as_subclass dim_order module_load lu unique is_meta is_mkldnn is_vulkan",
    },
}
"""Names by the module or class that has them: a way out, and those that it is for."""

_OPERATOR_RULES: Final = (
    (_SPARSE, ("sparse", "indices", "coalesce", "hspmm", "smm", "dense_dim", "to_dense")),
    (_QUANTIZED, ("quant", "fbgemm", "qparams", "qscheme")),
    (_VENDOR, ("cudnn", "miopen", "mkldnn", "mps_", "_mps", "onednn", "nnpack", "cslt")),
    (_DEVICES, ("cuda", "pin_memory", "record_stream", "autocast")),
    (_TRAINING, ("backward", "grad", "_jvp", "_vjp", "forward_ad", "fw_primal", "inference")),
    (_NAMES, ("names",)),
    (_COMPILING, ("_foreach", "_fused", "_functional_", "sym_", "_make_")),
)
"""Parts of names of operators that tell what they belong to; the first that fits."""


@value_class
class Absence:
    """A name of PyTorch that tsc has not yet."""

    path: str
    way_out: str

    @property
    def message(self) -> str:
        return f"PyTorch has {self.path}, tsc does not yet"

    def __str__(self) -> str:
        return f"{self.message}: {self.way_out}"


def absent_member(module: str, name: str) -> Absence | None:
    """The absence of ``torch.autograd``'s ``grad``; None for a name that PyTorch has not either."""
    path = f"{module}.{name}"
    way_out = _way_out_of_member(module, name)
    if way_out is not None:
        return Absence(path, way_out)
    if path in _MODULES:
        return Absence(path, _MODULES[path])
    missing = _missing_module(module)
    if missing is not None:
        is_partial = missing in MODULES
        return Absence(f"more of {missing}" if is_partial else missing, _MODULES[missing])
    return None


def absent_method(name: str) -> Absence | None:
    """The absence of a method or attribute of tensors."""
    way_out = _way_out_of_member("torch.Tensor", name)
    if way_out is None and name in ABSENT_OPERATORS:
        way_out = _way_out_of_operator(name)
    return None if way_out is None else Absence(f"Tensor.{name}", way_out)


def absent_operator(name: str) -> Absence | None:
    """The absence of an operator, ``aten::grad``."""
    namespace, _, plain = name.rpartition("::")
    if namespace not in ("", "aten") or plain not in ABSENT_OPERATORS:
        return None
    return Absence(f"aten::{plain}", _way_out_of_operator(plain))


def _way_out_of_member(module: str, name: str) -> str | None:
    if module.startswith("torch.nn") and name.startswith("Lazy") and len(name) > len("Lazy"):
        layer = name.removeprefix("Lazy")
        return f"its sizes are open until it is called; use {layer} with its sizes"
    home = _home(module)
    for way_out, names in _MEMBERS.get(home, {}).items():
        if name in names.split():
            return way_out
    if home == "torch" and name in ABSENT_OPERATORS:
        return _way_out_of_operator(name)
    return None


def _home(module: str) -> str:
    """The module that offers the names of another one to programs."""
    for home in ("torch.nn.utils", "torch.nn.functional", "torch.nn"):
        if module == home or module.startswith(f"{home}."):
            return home
    return module


def _missing_module(module: str) -> str | None:
    """The missing module that a module is, or lies in."""
    while module:
        if module in _MODULES:
            return module
        module = module.rpartition(".")[0]
    return None


def _way_out_of_operator(name: str) -> str:
    for way_out, parts in _OPERATOR_RULES:
        if any(part in name for part in parts):
            return way_out
    return "write it with other operators; in Python, tsc.register_operator gives tsc one more"
