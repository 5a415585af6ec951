"""The modules of an archive as rows: their tensors, attributes and constants, without their bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tsc.runtime.inspection.declarations import ClassDeclaration, Declarations
from tsc.runtime.inspection.visible import counted, shortened
from tsc.runtime.serialization.pickle_structure import children
from tsc.runtime.serialization.records import (
    AnyTensorRecord,
    ContainerRecord,
    EnumRecord,
    ObjectRecord,
    ScalarTypeInfo,
    SizeRecord,
    SparseTensorRecord,
    TensorRecord,
)

_WIDTH = {"complex128": 16, "complex64": 8, "complex32": 4, "float64": 8, "int64": 8, "uint64": 8}
_MOST_ITEMS = 8
_HALVES = {"int16", "uint16", "float16", "bfloat16", "qint16"}
_WIDTH |= dict.fromkeys(("float32", "int32", "uint32", "qint32"), 4) | dict.fromkeys(_HALVES, 2)


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """A tensor by its name; `role` is ``parameter``, ``buffer``, ``attribute`` or ``constant``."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    device: str
    role: str = "tensor"
    requires_grad: bool = False
    storage: str = ""
    offset: int = 0
    stored: int | None = None
    """How many elements there are of a sparse one."""

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for tensors that are the same elements of the same storage."""
        return self.storage, self.offset, self.shape, self.dtype

    @property
    def count(self) -> int:
        return math.prod(self.shape) if self.stored is None else self.stored

    @property
    def nbytes(self) -> int:
        """Of the values as they are looked at; views of one storage count each."""
        return self.count * _WIDTH.get(self.dtype, 1)


@dataclass(slots=True)
class ModuleInfo:
    """A module: `path` is that of attributes from the outermost one, which has an empty path."""

    path: str
    class_name: str
    depth: int
    tensors: list[TensorInfo] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    methods: list[str] = field(default_factory=list)
    same_as: str | None = None
    total_parameters: int = 0
    total_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the tensors of a file. A tensor that is there twice counts once."""

    tensors: int
    parameters: int
    parameter_bytes: int
    buffer_bytes: int
    storage_bytes: int
    by_dtype: dict[str, int]
    devices: dict[str, int]


def tensor_info(name: str, record: AnyTensorRecord, role: str = "tensor") -> TensorInfo:
    tensor = record if isinstance(record, TensorRecord) else record.tensor
    is_sparse = isinstance(record, SparseTensorRecord)
    return TensorInfo(
        name,
        tensor.dtype.name,
        record.sizes if is_sparse else tensor.sizes,
        tensor.storage.device,
        role,
        tensor.requires_grad,
        tensor.storage.key,
        tensor.offset,
        math.prod(tensor.sizes) if is_sparse else None,
    )


def read_modules(root: Any, declarations: Declarations) -> list[ModuleInfo]:
    """The modules from the outermost one inwards; each is described where it is first met."""
    rows: list[ModuleInfo] = []
    known: dict[int, str] = {}
    seen: set[int] = set()
    pending: list[tuple[str, int, ObjectRecord]] = []
    if isinstance(root, ObjectRecord):
        pending.append(("", 0, root))
    while pending:
        path, depth, record = pending.pop()
        row = ModuleInfo(path, record.class_name, depth, same_as=known.get(id(record)))
        rows.append(row)
        if row.same_as is not None:
            continue
        known[id(record)] = path
        inner = list(_fill(row, record, declarations, seen))
        pending += [(_joined(path, name), depth + 1, each) for name, each in reversed(inner)]
    _add_totals(rows)
    return rows


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _fill(
    row: ModuleInfo, record: ObjectRecord, declarations: Declarations, seen: set[int]
) -> Iterator[tuple[str, ObjectRecord]]:
    """Describe what a module has; yields its submodules."""
    class_ = declarations.classes.get(record.class_name)
    if class_ is not None:
        row.constants = dict(class_.constants)
        row.methods = list(class_.methods)
    if type(record.state) is not dict:
        if record.has_state:
            row.attributes["(state)"] = describe(record.state)
        row.tensors += [
            tensor_info(f"(state {number})", each, "attribute")
            for number, each in enumerate(tensors_of(record.state, seen))
        ]
        return
    for key, value in record.state.items():
        name = str(key)
        if isinstance(value, AnyTensorRecord):
            row.tensors.append(tensor_info(name, value, _role(name, class_)))
        elif isinstance(value, ObjectRecord) and _is_module(value, declarations):
            yield name, value
        else:
            row.attributes[name] = describe(value)
            row.tensors += [
                tensor_info(f"{name}[{number}]", each, "attribute")
                for number, each in enumerate(tensors_of(value, seen))
            ]


def _role(name: str, class_: ClassDeclaration | None) -> str:
    if class_ is not None and name in class_.parameters:
        return "parameter"
    return "buffer" if class_ is not None and name in class_.buffers else "attribute"


def _is_module(record: ObjectRecord, declarations: Declarations) -> bool:
    class_ = declarations.classes.get(record.class_name)
    return class_ is not None and class_.kind == "module"


def tensors_of(value: Any, seen: set[int]) -> Iterator[AnyTensorRecord]:
    """All tensors inside of a value, but for what was `seen` before, by identity."""
    pending = [value]
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, AnyTensorRecord):
            yield each
        else:
            pending.extend(reversed(list(children(each))))


def _add_totals(rows: list[ModuleInfo]) -> None:
    """Sums of each module with all below it: rows below one follow it and are deeper."""
    outer: list[ModuleInfo | None] = []
    path: list[ModuleInfo] = []
    for row in rows:
        del path[row.depth :]
        outer.append(path[-1] if path else None)
        path.append(row)
        row.total_parameters = sum(each.count for each in row.tensors if each.role == "parameter")
        row.total_bytes = sum(each.nbytes for each in row.tensors)
    for row, parent in zip(reversed(rows), reversed(outer)):
        if parent is not None:
            parent.total_parameters += row.total_parameters
            parent.total_bytes += row.total_bytes


def totals(every: list[TensorInfo], storage_bytes: int) -> Totals:
    """Sums over all tensors of a file; `storage_bytes` is the size of its storages."""
    tensors = list({each.identity: each for each in every}.values())
    by_dtype: dict[str, int] = {}
    devices: dict[str, int] = {}
    for each in tensors:
        by_dtype[each.dtype] = by_dtype.get(each.dtype, 0) + each.count
        devices[each.device] = devices.get(each.device, 0) + 1
    parameters = [each for each in tensors if each.role == "parameter"]
    buffers = [each for each in tensors if each.role == "buffer"]
    return Totals(
        len(tensors),
        sum(each.count for each in parameters),
        sum(each.nbytes for each in parameters),
        sum(each.nbytes for each in buffers),
        storage_bytes,
        by_dtype,
        devices,
    )


# Values in words --------------------------------------------------------------------------------


def describe(value: Any) -> str:
    """A value in a few words: a number as it is, a container by its kind and length."""
    if value is None or isinstance(value, (bool, int, float, complex)):
        return repr(value)
    if isinstance(value, (str, bytes)):
        return shortened(repr(value[:200]), 80)
    if isinstance(value, EnumRecord):
        return f"{value.class_name.rpartition('.')[2]}({describe(value.value)})"
    if isinstance(value, ObjectRecord):
        return f"an object of {shortened(value.class_name)}"
    if isinstance(value, ContainerRecord):
        short = _short_sequence(value.value)
        return short or f"{shortened(value.type_text, 80)} with {_items(len(value.value))}"
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        return _short_sequence(value) or f"{type(value).__name__} with {_items(len(value))}"
    if isinstance(value, SizeRecord):
        return f"torch.Size({list(value.extents)})"
    if isinstance(value, AnyTensorRecord):
        info = tensor_info("", value)
        return f"tensor of {info.dtype}{list(info.shape)}"
    if isinstance(value, ScalarTypeInfo):
        return value.torch_name
    return shortened(str(value), 80)


def _short_sequence(value: Any) -> str | None:
    """A few numbers in a list or tuple, as they are."""
    if type(value) not in (list, tuple) or len(value) > _MOST_ITEMS:
        return None
    if not all(each is None or isinstance(each, (bool, int, float)) for each in value):
        return None
    return shortened(repr(value), 80)


def _items(count: int) -> str:
    return counted(count, "item")
