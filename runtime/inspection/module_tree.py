"""The modules of an archive as rows: their tensors, attributes and constants, without their bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
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
_TORCHBIND = "__torch__.torch.classes."
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
    same_as: str | None = None
    """The path of the same tensor, where it was met before."""

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
    """Sums over the tensors of a file. A tensor that is there twice counts once; `names` counts how often."""

    tensors: int
    names: int
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
    _mark_ties(rows)
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


def torchbind_objects(root: Any) -> Iterator[str]:
    """The classes of the objects of C++ in a value, a name for each object."""
    pending, seen = [root], set[int]()
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, ObjectRecord) and each.class_name.startswith(_TORCHBIND):
            yield each.class_name
        pending.extend(reversed(list(children(each))))


def _add_totals(rows: list[ModuleInfo]) -> None:
    """Sums of each module with all below it: rows below one follow it and are deeper.

    The smaller one of two collections of tensors is added to the larger one, so that deep trees cost little more.
    """
    outer: list[int | None] = []
    path: list[int] = []
    for number, row in enumerate(rows):
        del path[row.depth :]
        outer.append(path[-1] if path else None)
        path.append(number)
    sums = [Sums() for _ in rows]
    for number in reversed(range(len(rows))):
        row, below, parent = rows[number], sums[number], outer[number]
        for each in row.tensors:
            below.add(each)
        row.total_parameters, row.total_bytes = below.parameters, below.nbytes
        if parent is not None:
            sums[parent] = sums[parent].joined(below)


@dataclass(slots=True)
class Sums:
    """How much there is in some tensors, each counted once, as a parameter if it is one somewhere."""

    tensors: dict[tuple[object, ...], TensorInfo] = field(default_factory=dict)
    parameters: int = 0
    nbytes: int = 0

    def add(self, tensor: TensorInfo) -> None:
        """Count a tensor, unless it was counted."""
        known = self.tensors.get(tensor.identity)
        if known is None:
            self.nbytes += tensor.nbytes
        if known is None or _rank(tensor) < _rank(known):
            self.tensors[tensor.identity] = tensor
            self.parameters += tensor.count if tensor.role == "parameter" else 0

    def joined(self, other: Sums) -> Sums:
        """Both together, in the larger one of them."""
        large, small = (self, other) if len(self.tensors) >= len(other.tensors) else (other, self)
        for each in small.tensors.values():
            large.add(each)
        return large


def marked_ties(named: Iterable[tuple[str, TensorInfo]]) -> list[TensorInfo]:
    """The tensors, those that are the same as an earlier one with its path."""
    first: dict[tuple[object, ...], str] = {}
    marked: list[TensorInfo] = []
    for path, each in named:
        known = first.setdefault(each.identity, path) if each.count else path
        marked.append(each if known == path else replace(each, same_as=known))
    return marked


def _mark_ties(rows: list[ModuleInfo]) -> None:
    named = [(_joined(row.path, each.name), each) for row in rows for each in row.tensors]
    marked = iter(marked_ties(named))
    for row in rows:
        row.tensors = [next(marked) for _ in row.tensors]


def _rank(tensor: TensorInfo) -> int:
    """What a tensor with several roles is counted as: the lowest of them."""
    return {"parameter": 0, "buffer": 1}.get(tensor.role, 2)


def totals(every: list[TensorInfo], storage_bytes: int) -> Totals:
    """Sums over all tensors of a file; `storage_bytes` is the size of its storages."""
    tensors = list(
        {each.identity: each for each in sorted(every, key=_rank, reverse=True)}.values()
    )
    by_dtype: dict[str, int] = {}
    devices: dict[str, int] = {}
    for each in tensors:
        by_dtype[each.dtype] = by_dtype.get(each.dtype, 0) + each.count
        devices[each.device] = devices.get(each.device, 0) + 1
    parameters = [each for each in tensors if each.role == "parameter"]
    buffers = [each for each in tensors if each.role == "buffer"]
    return Totals(
        len(tensors),
        len(every),
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
