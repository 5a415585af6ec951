"""The fixed set of names that a pickle may call, and what they make: data, and nothing else.

No name is ever imported. A name that is not here is refused before anything is done with it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_NAME, SCALAR_TYPES, ScalarTypeInfo
from tsc.compiler.types.tensor_options import LAYOUTS, Device
from tsc.runtime.serialization.errors import DAMAGED, HOSTILE, ArchiveError, RefusedName
from tsc.runtime.serialization.records import (
    ClassReference,
    ContainerRecord,
    QuantizedTensorRecord,
    RecordValue,
    SizeRecord,
    SparseTensorRecord,
    StorageRecord,
    TensorRecord,
)

Make = Callable[..., Any]
MOST_DIMENSIONS = 64
_PARTS_OF_LAYOUT = {1: 2, 2: 3}
"""How many tensors a sparse one is made of: COO is the layout 1, CSR is 2."""
_INT64 = 1 << 63


@dataclass(frozen=True, slots=True)
class Constructor:
    """A name that may be called with arguments."""

    name: str
    make: Make

    def __call__(self, arguments: tuple[Any, ...]) -> Any:
        """What the name makes of its arguments, which may be of any kind and number."""
        try:
            return self.make(*arguments)
        except (TypeError, ValueError, AttributeError, OverflowError):
            raise ArchiveError(
                f"{self.name} is called with wrong arguments", hint=DAMAGED
            ) from None


@dataclass(frozen=True, slots=True)
class StorageClass:
    """The type of a storage: of one dtype, or of bytes."""

    dtype: ScalarTypeInfo | None


def resolve_name(module: str, name: str) -> Any:
    """What ``module.name`` stands for in a pickle.

    Raises `RefusedName` for all names that are not known to make data.
    """
    full = f"{module}.{name}"
    if full in _NAMES:
        return _NAMES[full]
    if module == "__torch__" or module.startswith("__torch__."):
        return ClassReference(full)
    raise RefusedName(full, f"the pickle names {full}, which is not loaded", hint=_advice(full))


def _advice(name: str) -> str:
    if name in _UNSUPPORTED:
        return _UNSUPPORTED[name]
    if name.startswith(("torch.", "__main__.", "torchvision.", "transformers.")):
        return (
            "the file holds Python objects: tsc.load_tensors takes their tensors out; to run the model here, "
            "save torch.jit.script(model) with PyTorch"
        )
    if name.partition(".")[0] in _DANGEROUS:
        return HOSTILE
    return "tsc loads tensors, containers, numbers and strings; save those alone"


_DANGEROUS = {
    "builtins",
    "__builtin__",
    "os",
    "posix",
    "nt",
    "subprocess",
    "sys",
    "runpy",
    "socket",
}
_UNSUPPORTED = {
    "torch.jit._pickle.build_tensor_from_id": "the pickle belongs to a remote call, not to a file",
    "torch.distributed.rpc.rref": "references to remote values cannot be loaded from a file",
}


# Tensors ----------------------------------------------------------------------------------------


def _integers(values: RecordValue) -> tuple[int, ...]:
    if isinstance(values, SizeRecord):
        return values.extents
    if not isinstance(values, (tuple, list)) or len(values) > MOST_DIMENSIONS:
        raise ValueError
    if not all(type(value) is int and 0 <= value < _INT64 for value in values):
        raise ValueError
    return tuple(values)


def _tensor(
    storage: Any,
    offset: Any,
    sizes: Any,
    strides: Any,
    requires_grad: Any = False,
    _hooks: Any = None,
    metadata: Any = None,
) -> TensorRecord:
    return _viewed(storage, None, offset, sizes, strides, requires_grad, metadata)


def _tensor_of_dtype(
    storage: Any,
    offset: Any,
    sizes: Any,
    strides: Any,
    requires_grad: Any,
    _hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> TensorRecord:
    if not isinstance(dtype, ScalarTypeInfo):
        raise TypeError
    return _viewed(storage, dtype, offset, sizes, strides, requires_grad, metadata)


def _viewed(
    storage: Any,
    dtype: ScalarTypeInfo | None,
    offset: Any,
    sizes: Any,
    strides: Any,
    requires_grad: Any,
    metadata: RecordValue,
) -> TensorRecord:
    if not isinstance(storage, StorageRecord) or type(requires_grad) is not bool:
        raise TypeError
    dtype = dtype or storage.dtype
    if dtype is None:
        raise TypeError
    (start,), extents, steps = _integers((offset,)), _integers(sizes), _integers(strides)
    if len(extents) != len(steps):
        raise ValueError
    bits: dict[Any, Any] = metadata if isinstance(metadata, dict) else {}
    return TensorRecord(
        storage,
        dtype,
        start,
        extents,
        steps,
        requires_grad,
        is_conjugated=bits.get("conj") is True,
        is_negated=bits.get("neg") is True,
    )


def _quantized_tensor(
    storage: Any,
    offset: Any,
    sizes: Any,
    strides: Any,
    quantizer: RecordValue,
    requires_grad: Any,
    _hooks: Any = None,
) -> QuantizedTensorRecord:
    if not isinstance(quantizer, tuple):
        raise TypeError
    record = _viewed(storage, None, offset, sizes, strides, requires_grad, None)
    return QuantizedTensorRecord(record, quantizer)


def _sparse_tensor(layout: Any, *arguments: Any) -> SparseTensorRecord:
    """Indices (or row pointers and columns) and values, as archives have them, or as files of ``torch.save`` do."""
    if len(arguments) == 1:
        *parts, sizes, last = arguments[0]
        parts, sizes = (parts, sizes) if type(last) is bool else ([*parts, sizes], last)
        requires_grad = False
    else:
        sizes, requires_grad, *parts, _hooks = arguments
    if len(parts) != _PARTS_OF_LAYOUT.get(layout) or type(requires_grad) is not bool:
        raise TypeError
    if not all(isinstance(each, TensorRecord) for each in parts):
        raise TypeError
    return SparseTensorRecord(layout, _integers(sizes), tuple(parts), requires_grad)


def _parameter(data: Any, requires_grad: Any = True, *_: Any) -> TensorRecord:
    if not isinstance(data, TensorRecord) or type(requires_grad) is not bool:
        raise TypeError
    return dataclasses.replace(data, requires_grad=requires_grad, is_parameter=True)


def _size(extents: Any = ()) -> SizeRecord:
    return SizeRecord(_integers(extents))


def storage_of_persistent_id(identity: RecordValue) -> StorageRecord:
    """The storage that a persistent id tells: ("storage", class, key, device, count)."""
    if not isinstance(identity, tuple) or len(identity) not in (5, 6) or identity[0] != "storage":
        raise ArchiveError("the pickle refers to something that is no storage", hint=DAMAGED)
    _, kind, key, device, count = identity[:5]
    if not isinstance(kind, StorageClass) or type(key) is not str or type(device) is not str:
        raise ArchiveError("the pickle describes a storage wrongly", hint=DAMAGED)
    if type(count) is not int or not 0 <= count < _INT64:
        raise ArchiveError(f"the storage {key} has {count} elements", hint=DAMAGED)
    return StorageRecord(key, kind.dtype, device, count)


# Containers and numbers -------------------------------------------------------------------------


def _list_of(type_text: str, kinds: tuple[type, ...]) -> Make:
    def make(values: RecordValue) -> ContainerRecord:
        if type(values) is not list or not all(type(value) in kinds for value in values):
            raise TypeError
        return ContainerRecord(values, type_text)

    return make


def _tagged(value: Any, type_text: Any) -> ContainerRecord:
    if type(value) not in (list, dict) or type(type_text) is not str:
        raise TypeError
    return ContainerRecord(value, type_text)


def _ordered_dict(items: Any = ()) -> dict[Any, Any]:
    """Empty, or of a list of pairs, as Python 2 wrote it; later pickles add the items themselves."""
    if type(items) not in (list, tuple):
        raise TypeError
    if any(type(each) not in (list, tuple) or len(each) != 2 for each in items):
        raise TypeError
    return dict(items)


def _counter(counts: RecordValue = None) -> dict[Any, Any]:
    if counts is not None and type(counts) is not dict:
        raise TypeError
    return dict(counts or {})


def _set(values: RecordValue = ()) -> set[Any]:
    if type(values) is not list or not all(type(value) in _SCALARS for value in values):
        raise TypeError
    return set(values)


def _complex(real: Any, imaginary: Any) -> complex:
    if type(real) is not float or type(imaginary) is not float:
        raise TypeError
    return complex(real, imaginary)


def _encoded(text: Any, encoding: Any = "latin1") -> bytes:
    """How protocol 2 writes bytes."""
    if type(text) is not str or encoding not in ("latin1", "latin-1"):
        raise TypeError
    return text.encode("latin1")


def _byte_array(content: Any = b"") -> bytes:
    if type(content) is not bytes:
        raise TypeError
    return content


def _device(type_: Any, index: Any = None) -> Device:
    if type(type_) is not str or type(index) not in (int, type(None)):
        raise TypeError
    return Device.parse(type_ if index is None else f"{type_}:{index}")


_SCALARS = frozenset({str, int, bool, float, type(None)})
_FUNCTIONS: dict[str, Make] = {
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor_v3": _tensor_of_dtype,
    "torch._utils._rebuild_qtensor": _quantized_tensor,
    "torch._utils._rebuild_sparse_tensor": _sparse_tensor,
    "torch._utils._rebuild_parameter": _parameter,
    "torch._utils._rebuild_parameter_with_state": _parameter,
    "torch.jit._pickle.build_intlist": _list_of("List[int]", (int,)),
    "torch.jit._pickle.build_doublelist": _list_of("List[float]", (float,)),
    "torch.jit._pickle.build_boollist": _list_of("List[bool]", (bool,)),
    "torch.jit._pickle.build_tensorlist": _list_of(
        "List[Tensor]", (TensorRecord, QuantizedTensorRecord, SparseTensorRecord)
    ),
    "torch.jit._pickle.restore_type_tag": _tagged,
    "collections.OrderedDict": _ordered_dict,
    "collections.Counter": _counter,
    "torch.Size": _size,
    "torch.device": _device,
    "_codecs.encode": _encoded,
    **{f"{module}.set": _set for module in ("builtins", "__builtin__")},
    **{f"{module}.complex": _complex for module in ("builtins", "__builtin__")},
    **{f"{module}.bytearray": _byte_array for module in ("builtins", "__builtin__")},
    **{f"{module}.bytes": _byte_array for module in ("builtins", "__builtin__")},
}
_QUANTIZATION_SCHEMES = (
    *("per_tensor_affine", "per_channel_affine", "per_tensor_symmetric"),
    *("per_channel_symmetric", "per_channel_affine_float_qparams"),
)
_NAMES: dict[str, Any] = {
    **{name: Constructor(name, make) for name, make in _FUNCTIONS.items()},
    **{f"torch.{name}": info for name, info in SCALAR_TYPE_BY_NAME.items()},
    **{f"torch.{info.ir_name}Storage": StorageClass(info) for info in SCALAR_TYPES},
    "torch.storage.UntypedStorage": StorageClass(None),
    "torch.UntypedStorage": StorageClass(None),
    **{f"torch.{name}": name for name in _QUANTIZATION_SCHEMES},
    **{f"torch.{name}": code for name, code in LAYOUTS.items() if code in _PARTS_OF_LAYOUT},
}
