"""Archives whose tensors, layers and nested modules are made to hurt: storages, sizes, strides, dtypes, cycles."""

# ruff: noqa: E501  a family is a line

from __future__ import annotations

import struct

from tests.limits.families.cases import Families
from tests.limits.families.pickles import call, global_name, long_integer
from tests.limits.hostile_archives import CLASS, FORWARD, archive, attributes, integer, module, text
from tests.serialization.hostile_zips import zip_of

_CODE = CLASS.replace("[]", '["a", ]', 1) + "  a : Tensor\n" + FORWARD


def storage(
    kind: str = "FloatStorage", key: bytes = text("0"), device: str = "cpu", count: bytes = b"K\x04"
) -> bytes:
    """A storage, as a persistent id."""
    return (
        b"(" + text("storage") + global_name(f"torch.{kind}") + key + text(device) + count + b"tQ"
    )


def numbers(*values: int) -> bytes:
    return b"(" + b"".join(map(long_integer, values)) + b"t"


def tensor(
    store: bytes = storage(),
    offset: bytes = b"K\0",
    sizes: bytes = numbers(2, 2),
    strides: bytes = numbers(2, 1),
    gradient: bytes = b"\x89",
    hooks: bytes = b"ccollections\nOrderedDict\n)R",
    *more: bytes,
) -> bytes:
    return call(
        "torch._utils._rebuild_tensor_v2", store, offset, sizes, strides, gradient, hooks, *more
    )


def model_with(
    value: bytes, content: bytes = struct.pack("<4f", 1, 2, 3, 4), code: str = _CODE
) -> bytes:
    records = {
        "m/data.pkl": module(attributes(a=value)),
        "m/code/__torch__.py": code.encode(),
        "m/constants.pkl": b"\x80\x02).",
        "m/version": b"3\n",
        "m/data/0": content,
    }
    return zip_of(records)  # fmt: skip


def _checkpoint(value: bytes) -> bytes:
    return zip_of(
        {
            "m/data.pkl": b"\x80\x02}" + text("a") + value + b"s.",
            "m/version": b"3\n",
            "m/data/0": bytes(16),
        }
    )


def _quantized(scheme: str, *parts: bytes, kind: str = "QUInt8Storage") -> bytes:
    quantizer = b"(" + global_name(f"torch.{scheme}") + b"".join(parts) + b"t"
    return call(
        "torch._utils._rebuild_qtensor",
        *(storage(kind), b"K\0", numbers(4), numbers(1), quantizer, b"\x89", b"}"),
    )


def _sparse(layout: bytes, *parts: bytes) -> bytes:
    return call("torch._utils._rebuild_sparse_tensor", layout, b"(" + b"".join(parts) + b"t")


def _many(count: int) -> bytes:
    """As many tensors over one storage."""
    code = _CODE.replace("a : Tensor", "a : List[Tensor]").replace('["a", ]', "[]")
    first = tensor()
    return model_with(b"](" + first * count + b"e", code=code)


def nested_modules(depth: int) -> bytes:
    """A module in a module in a module."""
    classes = "".join(
        f"class M{i}(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
        + (f"  a : __torch__.M{i + 1}\n" if i < depth else "  a : int\n")
        for i in range(depth + 1)
    )
    heads = b"".join(
        f"c__torch__\nM{i}\n)\x81}}(".encode("latin1") + text("a") for i in range(depth + 1)
    )
    code = f"{classes}{CLASS}  a : __torch__.M0\n{FORWARD}"
    return archive(code, module(attributes(a=heads + b"K\1" + b"ub" * (depth + 1))))  # fmt: skip


def _wide_module(count: int) -> bytes:
    """A module of many attributes."""
    names = [f"a{i}" for i in range(count)]
    code = CLASS + "".join(f"  {name} : int\n" for name in names) + FORWARD
    return archive(code, module(attributes(**{name: integer(3) for name in names})))


def _own_type(depth: int) -> bytes:
    """Modules of one class, each in the one before."""
    code = f"{CLASS}  a : Optional[__torch__.K]\n{FORWARD}class K:\n  a : Optional[__torch__.K]\n"
    value = b"c__torch__\nK\n)\x81}X\1\0\0\0a" * depth + b"N" + b"sb" * depth
    return archive(code, module(attributes(a=value)))


def _circle(kind: str) -> bytes:
    """Objects that hold themselves, in several ways."""
    code = f"{CLASS}  a : {_CIRCLES[kind][0]}\n{FORWARD}class K:\n  a : Any\n  b : Any\n"
    return archive(code, module(attributes(a=_CIRCLES[kind][1])))


_K = b"c__torch__\nK\n)\x81q\1"
_CIRCLES = {
    "an object": ("__torch__.K", _K + b"}(" + text("a") + b"h\1" + text("b") + b"h\1ub"),
    "an object in a list": ("__torch__.K", _K + b"}(" + text("a") + b"](h\1e" + text("b") + b"Nub"),
    "an object in a dict": ("__torch__.K", _K + b"}(" + text("a") + b"}X\1\0\0\0xh\1s" + text("b") + b"Nub"),
    "an object in a tuple": ("__torch__.K", _K + b"}(" + text("a") + b"h\1\x85" + text("b") + b"Nub"),
    "a list": ("List[Any]", b"]q\1(h\1h\1e"),
    "a dict": ("Dict[str, Any]", b"}q\1X\1\0\0\0xh\1s"),
    "a list in a tuple": ("Tuple[List[Any]]", b"]q\1h\1\x85q\2ah\2"),
    "a list as a tensor": ("Tensor", b"]q\1(h\1e"),
    "a list in a type": ("List[List[Any]]", b"]q\1(h\1e"),
}  # fmt: skip
_EXTENTS = (0, 1, 1 << 20, 1 << 31, (1 << 62), (1 << 63) - 1)
_VALUES = {
    "nothing": b"N",
    "a number": b"K\1",
    "a text": text("a"),
    "a list": b"](K\1e",
    "a tuple": b"K\1\x85",
    "a dict": b"}K\1K\1s",
    "a module": b"c__torch__\nM\n)\x81}b",
    "an enum": b"c__torch__\nE\n(K\1tR",
    "a storage": storage(),
    "a size": call("torch.Size", numbers(1, 2)),
    "a device": call("torch.device", text("cpu")),
    "a complex number": call("builtins.complex", b"G" + bytes(8), b"G" + bytes(8)),
    "an integer of 256 bits": long_integer(1 << 254),
    "a set": b"\x8f",
    "bytes": b"C\1a",
}
_TYPES = (
    *("int", "float", "bool", "str", "complex", "Tensor", "Device", "NoneType", "Any", "Optional[int]", "List[int]"),
    *("Dict[str, int]", "Tuple[int, int]", "Future[int]", "__torch__.K", "__torch__.E", "Union[int, str]", "Optional[Tensor]"),
)  # fmt: skip


def _typed(pair: tuple[str, str]) -> bytes:
    kind, value = pair
    code = f"{CLASS}  a : {kind}\n{FORWARD}class K:\n  b : int\nclass E(Enum):\n  A = 1\n"
    return archive(code, module(attributes(a=_VALUES[value])))


FAMILIES: Families = {
    "first sizes": (lambda n: model_with(tensor(sizes=numbers(n, 2))), _EXTENTS),
    "sizes of nothing": (lambda n: model_with(tensor(sizes=numbers(n, 0), strides=numbers(0, 0))), _EXTENTS),
    "negative sizes": (lambda n: model_with(tensor(sizes=numbers(-n, 2))), (1, 1 << 62)),
    "strides": (lambda n: model_with(tensor(strides=numbers(n, 1))), _EXTENTS),
    "negative strides": (lambda n: model_with(tensor(strides=numbers(-n, 1))), (1, 1 << 62)),
    "strides of nothing": (lambda n: model_with(tensor(sizes=numbers(n, n), strides=numbers(0, 0))), (10, 10**4, 10**6, 10**9)),
    "offsets": (lambda n: model_with(tensor(offset=long_integer(n))), (*_EXTENTS, -1, 1 << 70)),
    "dimensions": (lambda n: model_with(tensor(sizes=numbers(*[1] * n), strides=numbers(*[1] * n))), (0, 1, 25, 32, 33, 64, 65, 3000)),
    "dimensions that differ": (lambda n: model_with(tensor(strides=numbers(*[1] * n))), (0, 1, 3, 100)),
    "counts of storages": (lambda n: model_with(tensor(storage(count=long_integer(n)))), (*_EXTENTS, -1)),
    "kinds of storages": (
        lambda kind: model_with(tensor(storage(kind))),
        ("DoubleStorage", "HalfStorage", "BFloat16Storage", "BoolStorage", "ByteStorage", "ComplexDoubleStorage", "QInt8Storage", "UntypedStorage", "Storage", "Tensor"),
    ),
    "keys of storages": (lambda key: model_with(tensor(storage(key=key))), (text("1"), text(""), text("../data.pkl"), text("0/0"), b"K\0", b"N", text("\x1b[31m"), text("9" * 10**6))),
    "devices of storages": (lambda device: model_with(tensor(storage(device=device))), ("cuda:0", "meta", "", "cpu:99", "x" * 10**5, "\x1b[31m", "cuda:-1")),
    "contents of storages": (lambda n: model_with(tensor(), bytes(n)), (0, 1, 15, 17, 3_000_000)),
    "storages that are none": (lambda value: model_with(tensor(value)), tuple(_VALUES.values())),
    "sizes that are none": (lambda value: model_with(tensor(sizes=value)), tuple(_VALUES.values())),
    "strides that are none": (lambda value: model_with(tensor(strides=value)), tuple(_VALUES.values())),
    "gradients that are none": (lambda value: model_with(tensor(gradient=value)), tuple(_VALUES.values())),
    "hooks": (lambda value: model_with(tensor(hooks=value)), tuple(_VALUES.values())[:6]),
    "bits": (
        lambda bits: model_with(tensor(storage("ComplexFloatStorage", count=b"K\2"), b"K\0", numbers(2), numbers(1), b"\x89", b"}", bits)),
        (b"}", b"N", b"}" + text("conj") + b"\x88s", b"}" + text("neg") + b"\x88s", b"}" + text("conj") + b"K\5s", b"}" + text("x") + b"Ns"),
    ),
    "gradients of integers": (lambda kind: model_with(tensor(storage(kind), gradient=b"\x88")), ("LongStorage", "BoolStorage", "FloatStorage")),
    "quantized tensors": (
        lambda parts: model_with(_quantized(*parts)),
        (("per_tensor_affine", b"G" + bytes(8), b"K\0"), ("per_tensor_affine", b"N", b"N"), ("per_tensor_affine",), ("per_channel_affine", b"K\1", b"K\2", b"K\0"),
         ("per_channel_affine", tensor(), tensor(), b"K\7"), ("per_channel_affine", tensor(), tensor(), b"J\xff\xff\xff\xff"), ("strided",), ("float32", b"K\1")),
    ),
    "sparse tensors": (
        lambda parts: _checkpoint(_sparse(*parts)),
        ((b"N",), (b"K\1",), (b"K\1", tensor(), tensor(), numbers(2, 2)), (b"K\1", tensor(storage("LongStorage")), tensor(), numbers(1 << 62, 2)),
         (b"K\2", tensor(), tensor(), tensor(), numbers(2, 2)), (b"K\7", tensor(), tensor(), numbers(2)), (b"K\1", b"N", b"N", b"N"), (b"K\1", b"]", tensor(), numbers(-1))),
    ),
    "tensors in checkpoints": (lambda value: _checkpoint(value), (tensor(), tensor(sizes=numbers(1 << 40)), storage(), tensor(storage(key=text("9"))), tensor(offset=b"K\x09"))),
    "many tensors": (_many, (10, 3000, 60_000)),
    "nested modules": (nested_modules, (3, 100, 400, 1500)),
    "wide modules": (_wide_module, (10, 1000, 30_000)),
    "objects in objects": (_own_type, (3, 150, 400, 5000)),
    "circles": (_circle, tuple(_CIRCLES)),
    "values of other types": (_typed, [(kind, value) for at, kind in enumerate(_TYPES) for value in list(_VALUES)[at % 3 :: 3]]),
    "states of models": (lambda value: archive(CLASS + "  a : int\n" + FORWARD, module(value)), tuple(_VALUES.values())),
    "models that are none": (lambda value: archive(CLASS + FORWARD, b"\x80\x02" + value + b"."), tuple(_VALUES.values())),
    "attributes too many": (lambda n: archive(CLASS + FORWARD, module(attributes(**{f"a{i}": b"N" for i in range(n)}))), (1, 3000)),
    "attributes too few": (lambda n: archive(CLASS + "".join(f"  a{i} : int\n" for i in range(n)) + FORWARD, module()), (1, 3000)),
    "names of attributes": (
        lambda name: archive(CLASS + FORWARD, module(b"}" + text(name) + b"K\1s")),
        ("", "__class__", "__dict__", "a b", "forward", "training", "\x1b[31m", "a" * 10**6, "ä\u202e", "__getattr__", "_c", "self"),
    ),
    "names that are none": (lambda value: archive(CLASS + FORWARD, module(b"}" + value + b"Ns")), (b"N", b"K\1", b"\x88", b"K\1\x85")),
}  # fmt: skip
