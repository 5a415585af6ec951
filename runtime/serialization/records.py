"""What a pickle of PyTorch says, as data: Python's own values and the records of this file.

Numbers, strings, None, tuples, lists, dicts, sets and bytes are Python's own. Records compare by identity,
because two names of one tensor are one tensor; nothing here has been looked up, called or checked
against a class.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tsc.compiler.types.scalar_types import ScalarTypeInfo
from tsc.compiler.types.tensor_options import Device

__all__ = [
    "AnyTensorRecord",
    "ClassReference",
    "ContainerRecord",
    "Device",
    "EnumRecord",
    "ObjectRecord",
    "PythonName",
    "PythonRecord",
    "QuantizedTensorRecord",
    "RecordValue",
    "ScalarTypeInfo",
    "SizeRecord",
    "SparseTensorRecord",
    "StorageRecord",
    "TensorRecord",
]

_WIDER = {2: (2, 5, 15, 22, 27), 4: (3, 6, 8, 14, 28), 8: (4, 7, 9, 29), 16: (10,)}
_ELEMENT_SIZE = {code: size for size, codes in _WIDER.items() for code in codes}
"""Of the dtypes, by their codes; all others have elements of one byte."""

TORCHBIND_PREFIX = "__torch__.torch.classes."


@dataclass(frozen=True, slots=True)
class ClassReference:
    """A class of TorchScript by its qualified name, such as ``__torch__.models.Net``."""

    name: str

    @property
    def is_torchbind(self) -> bool:
        """Whether it is a class of C++, whose objects have no TorchScript."""
        return self.name.startswith(TORCHBIND_PREFIX)


@dataclass(slots=True, eq=False)
class ObjectRecord:
    """A module or an object of a script class.

    `state` maps attributes to values, unless the class has ``__setstate__``: then it is whatever
    that takes. An object whose state the pickle never sets has None.
    """

    class_name: str
    state: Any = None
    has_state: bool = False

    @property
    def is_torchbind(self) -> bool:
        return self.class_name.startswith(TORCHBIND_PREFIX)


@dataclass(frozen=True, slots=True, eq=False)
class EnumRecord:
    """A member of an enum by its value."""

    class_name: str
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class ContainerRecord:
    """A list or dict with the text of its type, such as ``List[int]`` or ``Dict[str, Tensor]``."""

    value: list[Any] | dict[Any, Any]
    type_text: str


@dataclass(frozen=True, slots=True)
class SizeRecord:
    """A ``torch.Size``."""

    extents: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StorageRecord:
    """Memory that tensors look into. Records with the same `key` are the same storage.

    `dtype` is None where the storage is one of bytes; `count` counts elements of `dtype`, or bytes.
    """

    key: str
    dtype: ScalarTypeInfo | None
    device: str
    count: int

    @property
    def nbytes(self) -> int:
        """How many bytes the storage must have."""
        return self.count * (1 if self.dtype is None else _ELEMENT_SIZE.get(self.dtype.code, 1))


@dataclass(frozen=True, slots=True, eq=False)
class TensorRecord:
    """A tensor as a view of a storage; offset and strides count elements."""

    storage: StorageRecord
    dtype: ScalarTypeInfo
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    requires_grad: bool = False
    is_parameter: bool = False
    is_conjugated: bool = False
    is_negated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class QuantizedTensorRecord:
    """A quantized tensor: `quantizer` is its scheme's name and what follows that."""

    tensor: TensorRecord
    quantizer: tuple[Any, ...] = field(default=())


@dataclass(frozen=True, slots=True, eq=False)
class SparseTensorRecord:
    """A sparse tensor: `parts` are its indices, then its values; `layout` is the code of COO or CSR."""

    layout: int
    sizes: tuple[int, ...]
    parts: tuple[TensorRecord, ...]
    requires_grad: bool = False

    @property
    def tensor(self) -> TensorRecord:
        """The values."""
        return self.parts[-1]


@dataclass(frozen=True, slots=True, eq=False)
class PythonName:
    """A class or function of Python by its name; only pickles read by `object_reader` have any."""

    name: str


@dataclass(slots=True, eq=False)
class PythonRecord:
    """What calling a name of Python would have made: its arguments, and what the pickle gives it afterwards.

    `state` is mostly a dict of attributes; `items` and `pairs` are those of a list or dict of its own kind.
    """

    class_name: str
    arguments: tuple[Any, ...] = ()
    state: Any = None
    items: list[Any] | None = None
    pairs: dict[Any, Any] | None = None


AnyTensorRecord = TensorRecord | QuantizedTensorRecord | SparseTensorRecord

RecordValue: TypeAlias = (
    bool
    | int
    | float
    | complex
    | str
    | bytes
    | list[Any]
    | tuple[Any, ...]
    | dict[Any, Any]
    | set[Any]
    | frozenset[Any]
    | ObjectRecord
    | EnumRecord
    | ContainerRecord
    | SizeRecord
    | StorageRecord
    | AnyTensorRecord
    | PythonName
    | PythonRecord
    | ScalarTypeInfo
    | Device
    | None
)
"""What a pickle may hold, for functions that look at what kind of value they have."""
