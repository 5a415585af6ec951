"""Writing pickles as PyTorch's C++ pickler does, so that ``torch.jit.load`` reads them.

Written are the values of `records`: without recursion, the same bytes for the same values. A container that
is used in two places is written once; a container inside of itself is refused, as PyTorch reads none.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.pickle_structure import children
from tsc.runtime.serialization.records import (
    ContainerRecord,
    Device,
    EnumRecord,
    ObjectRecord,
    QuantizedTensorRecord,
    RecordValue,
    SparseTensorRecord,
    TensorRecord,
)

_BUILDERS = {
    "List[int]": "build_intlist",
    "List[float]": "build_doublelist",
    "List[bool]": "build_boollist",
    "List[Tensor]": "build_tensorlist",
}
_ALWAYS_REMEMBERED = (TensorRecord, QuantizedTensorRecord, SparseTensorRecord, ObjectRecord)
_SHARED = (*_ALWAYS_REMEMBERED, ContainerRecord, tuple, list, dict)
_INT64 = 1 << 63
_LONGEST_STRING = 1 << 32


def write_pickle(value: Any) -> bytes:
    """The pickle of a value.

    Raises:
        ArchiveError: a container holds itself, or a value is of a kind that PyTorch does not read.
    """
    return _Writer(value).write()


class _Writer:
    """The bytes so far, and what can be referred to in them.

    Values are written by generators: they yield the values inside of them, which are written
    where they are yielded. The generators on the way are a list, not a recursion.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self._out = bytearray(b"\x80\x02")
        self._memo: dict[Any, int] = {}
        self._uses = _count_uses(root)
        self._open: set[int] = set()

    def write(self) -> bytes:
        path = [iter((self._root,))]
        while path:
            value = next(path[-1], path)
            if value is path:
                path.pop()
            else:
                path.append(self._write(value))
        self._out += b"."
        return bytes(self._out)

    def _write(self, value: RecordValue) -> Iterator[Any]:
        """Write one value; what it yields is written in between."""
        if not isinstance(value, _SHARED) or value == ():
            yield from self._parts(value)
            return
        if id(value) in self._memo:
            self._recall(id(value))
            return
        if id(value) in self._open:
            raise ArchiveError(
                "a value that holds itself cannot be saved",
                hint="break the cycle, as PyTorch reads none",
            )
        self._open.add(id(value))
        yield from self._parts(value)
        self._open.discard(id(value))
        if isinstance(value, _ALWAYS_REMEMBERED) or self._uses.get(id(value), 0) > 1:
            self._remember(id(value))

    def _parts(self, value: RecordValue) -> Iterator[Any]:
        kind = type(value)
        if kind in self._SIMPLE:
            self._SIMPLE[kind](self, value)
        elif kind in self._COMPOUND:
            yield from self._COMPOUND[kind](self, value)
        else:
            raise ArchiveError(f"a value of type {kind.__name__} cannot be saved")

    # Simple values ------------------------------------------------------------------------------

    def _none(self, _: None) -> None:
        self._out += b"N"

    def _bool(self, value: bool) -> None:
        self._out += b"\x88" if value else b"\x89"

    def _int(self, value: int) -> None:
        if 0 <= value <= 0xFF:
            self._out += struct.pack("<cB", b"K", value)
        elif 0 <= value <= 0xFFFF:
            self._out += struct.pack("<cH", b"M", value)
        elif -(1 << 31) <= value < 1 << 31:
            self._out += struct.pack("<ci", b"J", value)
        elif -_INT64 <= value < _INT64:
            self._out += struct.pack("<2sq", b"\x8a\x08", value)
        else:
            raise ArchiveError(f"the integer {value} does not fit into 64 bits")

    def _float(self, value: float) -> None:
        self._out += struct.pack(">cd", b"G", value)

    def _complex(self, value: complex) -> None:
        self._name("builtins", "complex")
        self._float(value.real)
        self._float(value.imag)
        self._out += b"\x86R"

    def _str(self, value: str) -> None:
        if ("str", value) in self._memo:
            self._recall(("str", value))
            return
        try:
            content = value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise ArchiveError(f"the string {value[:40]!r} has half a character") from None
        if len(content) >= _LONGEST_STRING:
            raise ArchiveError(f"a string of {len(content)} bytes is too long to be saved")
        self._out += struct.pack("<cI", b"X", len(content)) + content
        self._remember(("str", value))

    def _device(self, value: Device) -> None:
        key = ("device", str(value))
        if key in self._memo:
            self._recall(key)
            return
        self._name("torch", "device")
        self._str(str(value))
        self._out += b"\x85R"
        self._remember(key)

    def _tensor(self, value: TensorRecord) -> None:
        if value.storage.dtype is None:
            self._tensor_of_bytes(value)
            return
        self._name("torch._utils", "_rebuild_tensor_v2")
        self._view(value)
        self._end_of_tensor(value.requires_grad)

    def _tensor_of_bytes(self, value: TensorRecord) -> None:
        """A tensor of a dtype that PyTorch has no class of storages for."""
        self._name("torch._utils", "_rebuild_tensor_v3")
        self._view(value)
        self._bool(value.requires_grad)
        self._name("collections", "OrderedDict")
        self._out += b")R"
        self._name("torch", value.dtype.name)
        self._out += b"tR"

    def _view(self, value: TensorRecord) -> None:
        self._out += b"("
        self._storage(value)
        self._int(value.offset)
        self._integers(value.sizes)
        self._integers(value.strides)

    def _integers(self, numbers: tuple[int, ...]) -> None:
        self._out += b"("
        for number in numbers:
            self._int(number)
        self._out += b"t"

    def _end_of_tensor(self, requires_grad: bool | None = None) -> None:
        if requires_grad is not None:
            self._bool(requires_grad)
        self._name("collections", "OrderedDict")
        self._out += b")RtR"

    def _storage(self, tensor: TensorRecord) -> None:
        storage = tensor.storage
        if ("storage", storage.key) in self._memo:
            self._recall(("storage", storage.key))
            return
        self._out += b"("
        self._str("storage")
        if storage.dtype is None:
            self._name("torch.storage", "UntypedStorage")
        else:
            self._name("torch", f"{storage.dtype.ir_name}Storage")
        self._str(storage.key)
        self._str(storage.device)
        self._int(storage.count)
        self._out += b"tQ"
        self._remember(("storage", storage.key))

    # Compound values ----------------------------------------------------------------------------

    def _quantized_tensor(self, value: QuantizedTensorRecord) -> Iterator[Any]:
        self._name("torch._utils", "_rebuild_qtensor")
        self._view(value.tensor)
        scheme, *parameters = value.quantizer
        self._out += b"("
        self._name("torch", scheme)
        yield from parameters
        self._out += b"t"
        self._end_of_tensor(value.tensor.requires_grad)

    def _sparse_tensor(self, value: SparseTensorRecord) -> Iterator[Any]:
        self._name("torch._utils", "_rebuild_sparse_tensor")
        self._out += b"("
        self._int(value.layout)
        self._integers(value.sizes)
        self._bool(value.requires_grad)
        yield from value.parts
        self._end_of_tensor()

    def _tuple(self, value: tuple[Any, ...]) -> Iterator[Any]:
        if not value:
            self._out += b")"
            return
        if len(value) > 3:
            self._out += b"("
        yield from value
        self._out += b"t" if len(value) > 3 else (b"\x85", b"\x86", b"\x87")[len(value) - 1]

    def _list(self, value: list[Any]) -> Iterator[Any]:
        self._out += b"]("
        yield from value
        self._out += b"e"

    def _dict(self, value: dict[Any, Any]) -> Iterator[Any]:
        self._out += b"}("
        for key, item in value.items():
            yield key
            yield item
        self._out += b"u"

    def _container(self, value: ContainerRecord) -> Iterator[Any]:
        """Lists of some types have a function of their own; all others are called by their type."""
        builder = _BUILDERS.get(value.type_text)
        self._name("torch.jit._pickle", builder or "restore_type_tag")
        if builder:
            self._out += b"("
        if isinstance(value.value, dict):
            yield from self._dict(value.value)
        else:
            yield from self._list(value.value)
        if not builder:
            self._str(value.type_text)
        self._out += b"tR" if builder else b"\x86R"

    def _object(self, value: ObjectRecord) -> Iterator[Any]:
        """State is a dict of attributes, or else what ``__getstate__`` returned."""
        self._name(*value.class_name.rpartition(".")[::2])
        self._out += b")\x81"
        state: RecordValue = value.state
        if type(state) is dict:
            yield from self._dict(state)
        else:
            self._uses[id(state)] = 2  # as PyTorch, which holds it in two places
            yield state
        self._out += b"b"

    def _enum(self, value: EnumRecord) -> Iterator[Any]:
        self._name(*value.class_name.rpartition(".")[::2])
        yield value.value
        self._out += b"R"

    # Names and references -----------------------------------------------------------------------

    def _name(self, module: str, name: str) -> None:
        key = ("name", module, name)
        if key in self._memo:
            self._recall(key)
            return
        if "\n" in module + name or not module:
            raise ArchiveError(f"{module}.{name} is no name of a class")
        self._out += f"c{module}\n{name}\n".encode()
        self._remember(key)

    def _remember(self, key: Any) -> None:
        number = self._memo[key] = len(self._memo)
        self._out += struct.pack(
            "<cB" if number < 256 else "<cI", b"q" if number < 256 else b"r", number
        )

    def _recall(self, key: Any) -> None:
        number = self._memo[key]
        self._out += struct.pack(
            "<cB" if number < 256 else "<cI", b"h" if number < 256 else b"j", number
        )

    # How each kind of value is written ------------------------------------------------------------

    _SIMPLE: ClassVar[dict[type, Callable[[Any, Any], Any]]] = {
        type(None): _none,
        bool: _bool,
        int: _int,
        float: _float,
        complex: _complex,
        str: _str,
        Device: _device,
        TensorRecord: _tensor,
    }
    _COMPOUND: ClassVar[dict[type, Callable[[Any, Any], Any]]] = {
        tuple: _tuple,
        list: _list,
        dict: _dict,
        ContainerRecord: _container,
        ObjectRecord: _object,
        QuantizedTensorRecord: _quantized_tensor,
        SparseTensorRecord: _sparse_tensor,
        EnumRecord: _enum,
    }


def _count_uses(root: Any) -> dict[int, int]:
    """How often each container is used; only what is used twice needs a number."""
    uses: dict[int, int] = {}
    pending: list[RecordValue] = [root]
    while pending:
        value = pending.pop()
        if isinstance(value, (*_SHARED, EnumRecord)):
            uses[id(value)] = uses.get(id(value), 0) + 1
            if uses[id(value)] == 1:
                pending.extend(children(value))
    return uses
