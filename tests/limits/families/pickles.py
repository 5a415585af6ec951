"""Pickles that are made to hurt: opcodes, memos, marks, keys, names, calls and numbers, in every place of a file."""

# ruff: noqa: E501  a family is a line

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from tests.limits.families.cases import Case, Families, cases_of
from tests.limits.hostile_archives import (
    CLASS,
    FORWARD,
    archive,
    attributes,
    doubled,
    doubled_list,
    integer,
    module,
    text,
)
from tests.serialization.hostile_zips import zip_of
from tsc.runtime.serialization.legacy_files import LEGACY_MAGIC

HEAD = b"\x80\x02"
_PLAIN_CODE = CLASS + FORWARD
_ANY_CODE = f"{CLASS}  a : Any\n{FORWARD}"


def _debug_row(payload: bytes) -> bytes:
    return (
        HEAD + b"(" + text("FORMAT_WITH_STRING_TABLE") + b"(" + text("a") + b"t" + payload + b"t."
    )


PLACES: dict[str, Callable[[bytes], bytes]] = {
    "as an attribute": lambda value: archive(_ANY_CODE, module(attributes(a=value))),
    "as a whole": lambda value: archive(_PLAIN_CODE, HEAD + value + b"."),
    "as constants": lambda value: archive(
        _PLAIN_CODE, module(), constants=HEAD + value + b"\x85."
    ),
    "as an origin": lambda value: archive(_PLAIN_CODE, module(), debug=_debug_row(value)),
    "as a checkpoint": lambda value: zip_of(
        {"m/data.pkl": HEAD + b"}" + text("a") + value + b"s.", "m/version": b"3\n"}
    ),
    "as a legacy file": lambda value: (
        LEGACY_MAGIC + HEAD + b"M\xe9\x03." + HEAD + b"}." + HEAD + value + b"." + HEAD + b"]."
    ),
}  # fmt: skip
"""Where a value stands in a file."""


def global_name(name: str) -> bytes:
    module_name, _, last = name.rpartition(".")
    return f"c{module_name}\n{last}\n".encode()


def call(name: str, *arguments: bytes) -> bytes:
    return global_name(name) + b"(" + b"".join(arguments) + b"tR"


def long_integer(value: int) -> bytes:
    raw = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8b" + len(raw).to_bytes(4, "little") + raw


def _double(value: float) -> bytes:
    return b"G" + struct.pack(">d", value)


def _complex(real: float, imaginary: float) -> bytes:
    return call("builtins.complex", _double(real), _double(imaginary))


def _nested(before: bytes, middle: bytes, after: bytes) -> Callable[[int], bytes]:
    return lambda depth: before * depth + middle + after * depth


def _keys(key: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """A dictionary of so many keys."""
    return lambda count: b"}(" + b"".join(key(i) + b"N" for i in range(1, count + 1)) + b"u"


def _items(item: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda count: b"](" + b"".join(map(item, range(1, count + 1))) + b"e"


_NAMES = (
    *("os.system", "posix.system", "builtins.eval", "builtins.exec", "builtins.getattr", "builtins.print"),
    *("builtins.__import__", "subprocess.Popen", "runpy._run_code", "sys.exit", "codecs.encode", "operator.attrgetter"),
    *("torch.load", "torch.hub.load", "torch.jit._pickle.build_tensor_from_id", "torch._utils._rebuild_parameter"),
    *("collections.Counter", "collections.defaultdict", "numpy.core.multiarray._reconstruct", "numpy.ndarray"),
    *("__torch__.M.forward", "__torch__.", "..", "__main__.M", "torch.nn.modules.linear.Linear", "builtins.object"),
    *("_codecs.encode", "copyreg._reconstructor", "functools.partial", "types.CodeType", "\x1b[31m.\x07", "ä.\u202e"),
)  # fmt: skip
_KNOWN = (
    *("collections.OrderedDict", "builtins.complex", "torch._utils._rebuild_tensor_v2", "torch.FloatStorage"),
    *("torch.jit._pickle.build_intlist", "torch.jit._pickle.build_tensorlist", "torch.jit._pickle.build_boollist"),
    *("torch.jit._pickle.build_doublelist", "torch.jit._pickle.restore_type_tag", "torch.device", "torch.Size"),
    *("torch._utils._rebuild_qtensor", "torch._utils._rebuild_sparse_tensor", "torch._utils._rebuild_tensor"),
    *("torch._utils._rebuild_meta_tensor_no_storage", "torch.serialization._get_layout", "builtins.set"),
    *("torch._tensor._rebuild_from_type_v2", "torch._utils._rebuild_device_tensor_from_numpy", "__torch__.M"),
)  # fmt: skip
_ARGUMENTS: dict[str, bytes] = {
    "nothing": b")",
    "no tuple": b"K\x01",
    "a list": b"](K\x01e",
    "a list in a tuple": b"](K\x01e\x85",
    "a long text": text("1" * 5000) + b"\x85",
    "many": b"(" + b"N" * 50_000 + b"t",
    "numbers": b"(" + b"K\x01" * 7 + b"t",
    "itself": b"]q\x07h\x07h\x07a\x85",
    "mixed": b"(NK\x01](eX\x01\0\0\0a}" + _double(float("nan")) + b"t",
}

_DEEP = (900, 1100, 20_000, 300_000)
_MANY = (10, 3000, 100_000)
FAMILIES: Families = {
    "an opcode alone": (lambda code: bytes([code]), range(0, 256, 3)),
    "an opcode between values": (
        lambda code: b"K\x01K\x02" + bytes([code]) + b"\x02\0\0\0\0\0\0\0ab\n\n",
        range(1, 256, 4),
    ),
    "an opcode again and again": (lambda code: b"](" + bytes([code]) * 200_000, range(2, 256, 5)),
    "nested lists": (_nested(b"](", b"K\x01", b"e"), _DEEP),
    "nested tuples": (_nested(b"(", b"K\x01", b"t"), _DEEP),
    "nested dicts": (_nested(b"}(K\x01", b"N", b"u"), _DEEP),
    "nested objects": (_nested(b"c__torch__\nM\n)\x81", b"N", b"b"), _DEEP),
    "nested enums": (_nested(b"c__torch__\nE\n(", b"K\x01", b"tR"), _DEEP),
    "nested tags": (
        lambda depth: (
            global_name("torch.jit._pickle.restore_type_tag") * 0
            + b"ctorch.jit._pickle\nrestore_type_tag\n(" * depth
            + b"]"
            + (text("List[Any]") + b"tR") * depth
        ),
        _DEEP[:3],
    ),
    "nested OrderedDicts": (
        lambda depth: (
            b"ccollections\nOrderedDict\n)R(K\x01" * depth + b"N" + b"u" * depth
        ),
        _DEEP[:3],
    ),
    "a list of itself": (lambda n: b"]q\x00" + b"h\x00a" * n, _MANY),
    "a dict of itself": (lambda n: b"}q\x00" + b"K\x01h\x00s" * n, _MANY[:2]),
    "a tuple around itself": (lambda n: b"]q\x00" + b"h\x00\x85" * n + b"a", (1, 5, 3000)),
    "an object of itself": (lambda _: b"c__torch__\nM\n)\x81q\x00}" + text("a") + b"h\x00sb", (0,)),
    "shared tuples": (lambda n: doubled(n), (10, 60, 200)),
    "shared triples": (lambda n: doubled(n).replace(b"\x86", b"2\x87"), (10, 60)),
    "shared lists": (lambda n: doubled_list(n), (10, 60, 200)),
    "duplicates": (lambda n: text("a" * 10_000) + b"2" * n + b"t" * 0, (10, 100_000)),
    "a memo that is not set": (lambda n: b"h" + bytes([n]), (0, 255)),
    "a memo far away": (lambda n: b"K\x01r" + n.to_bytes(4, "little"), (1 << 16, (1 << 32) - 1)),
    "a memo in text": (lambda digits: b"K\x01p" + digits + b"\n", (b"0", b"9" * 10, b"9" * 5000, b"-1", b"\xb2")),
    "many memos": (lambda n: b"K\x01" + b"\x94" * n, (1000, 400_000, 2_000_000)),
    "marks": (lambda n: b"(" * n, _MANY),
    "marks that end": (lambda n: b"(" * n + b"1" * n, _MANY),
    "empty tuples in marks": (lambda n: b"(" * n + b"t" * n, _MANY),
    "frames": (lambda n: b"\x95" + n.to_bytes(8, "little") + b"N", (0, 1, 5, 1 << 40, (1 << 64) - 1)),
    "protocols": (lambda n: b"\x80" + bytes([n]) + b"N", (0, 1, 3, 4, 5, 6, 255)),
    "many protocols": (lambda n: HEAD * n + b"N", _MANY),
    "ends": (lambda n: b"N" + b"." * n, (1, 2, 1000)),
    "sizes of texts": (lambda n: b"X" + n.to_bytes(4, "little") + b"abc", (0, 4, 1 << 31, (1 << 32) - 1)),
    "wide sizes of texts": (lambda n: b"\x8d" + n.to_bytes(8, "little") + b"abc", (4, 1 << 31, 1 << 63)),
    "wide sizes of bytes": (lambda n: b"\x8e" + n.to_bytes(8, "little") + b"abc", (3, 4, 1 << 62)),
    "sizes of integers": (lambda n: b"\x8b" + n.to_bytes(4, "little") + b"\xff" * 40, (0, 32, 33, 1 << 31)),
    "integers of many digits": (lambda n: b"I" + b"9" * n + b"\n", (1, 30, 4301, 1_000_000)),
    "long integers of many digits": (lambda n: b"L" + b"9" * n + b"L\n", (1, 30, 4301, 1_000_000)),
    "floats in text": (lambda t: b"F" + t + b"\n", (b"nan", b"1e999", b"1_0", b"9" * 100_000, b"0x1", b"")),
    "texts in quotes": (lambda t: b"S" + t + b"\n", (b"'a", b"'\\x4'", b"a", b"'" + b"\\" * 99_999 + b"'", b"")),
    "escaped texts": (lambda t: b"V" + t + b"\n", (b"\\ud800", b"\\U7fffffff", b"\\u" * 50_000, b"\\u12")),
    "texts that are no UTF-8": (lambda t: b"X" + len(t).to_bytes(4, "little") + t, (b"\xff", b"\xed\xa0\x80", b"\xc0\x80")),
    "wide letters": (lambda n: text("\U0001f600" * n), (10, 3_000_000)),
    "integers": (long_integer, (0, (1 << 63) - 1, 1 << 63, -(1 << 63) - 1, (1 << 255) - 1)),
    "doubles": (_double, (float("nan"), float("inf"), 5e-324, -0.0)),
    "keys that are lists": (_keys(lambda _: b"]"), (1, 1000)),
    "keys that are dicts": (_keys(lambda _: b"}"), (1, 1000)),
    "keys that are NaN": (_keys(lambda _: _double(float("nan"))), (1, 100_000)),
    "keys of one hash": (_keys(lambda i: long_integer(i * ((1 << 61) - 1))), (3, 50_000)),
    "complex keys of one hash": (_keys(lambda i: _complex(-1000003.0 * i, float(i))), (3, 4000, 20_000)),
    "tuples of keys": (_keys(lambda i: integer(i) + b"\x85"), (3, 4000, 20_000)),
    "deep keys": (lambda n: b"}" + b"K\x01" + b"\x85" * n + b"Ns", (1, 15, 100_000)),
    "keys that are texts": (_keys(lambda i: text(f"k{i}")), (3, 200_000)),
    "empty keys": (_keys(lambda _: text("")), (1, 1000)),
    "keys that are objects": (_keys(lambda _: b"c__torch__\nM\n)\x81"), (1, 1000)),
    "keys of numbers and bools": (_keys(lambda i: b"\x88" if i % 2 else b"K\x01"), (2, 1000)),
    "odd items": (lambda n: b"}(" + b"K\x01" * (2 * n + 1) + b"u", (0, 1000)),
    "a set of itself": (lambda n: b"\x8fq\0(" + b"h\0" * n + b"\x90", (1, 1000)),
    "a frozen set of sets": (_nested(b"(", b"K\x01", b"\x91"), (1, 100, 100_000)),
    "items of no list": (lambda kind: kind + b"(K\x01K\x02e", (b")", b"}", b"N", b"K\x01", text("a"))),
    "items of no dict": (lambda kind: kind + b"(K\x01K\x02u", (b")", b"]", b"N", text("a"))),
    "items of no set": (lambda kind: kind + b"(K\x01\x90", (b")", b"]", b"}")),
    "states of no object": (lambda kind: kind + b"}b", (b")", b"]", b"N", b"c__torch__\nM\n")),
    "states": (lambda state: b"c__torch__\nM\n)\x81" + state + b"b", (b"N", b")", b"](Ne", b"}K\x01Ns", text("a"), b"N\x86")),
    "two states": (lambda n: b"c__torch__\nM\n)\x81" + b"}b" * n, (2, 1000)),
    "objects without state": (lambda n: _items(lambda _: b"c__torch__\nM\n)\x81")(n), (1, 1000)),
    "objects of no class": (lambda kind: kind + b")\x81", (b"N", b"K\x01", text("a"), b"ccollections\nOrderedDict\n")),
    "objects with arguments": (lambda a: b"c__torch__\nM\n" + a + b"\x81}b", (b"K\x01\x85", b"N", b"]")),
    "other classes": (lambda name: global_name(name) + b")\x81}b", ("__torch__.X", "__torch__.M.M", "__torch__.m.M", "__torch__.a\x1b.M")),
    "names": (global_name, _NAMES),
    "calls of names": (lambda name: call(name, text("echo")), _NAMES),
    "names from the stack": (lambda parts: b"".join(parts) + b"\x93", ((text("os"), text("system")), (b"N", b"N"), (b"K\x01",), (text("a" * 10**6), text("b" * 10**6)))),
    "long names": (lambda n: b"c" + b"a" * n + b"\nb\n", (1000, 2_000_000)),
    "names without an end": (lambda n: b"c" + b"a" * n, (0, 100_000)),
    "persistent ids": (lambda value: value + b"Q", (b"N", b")", b"](Ne", text("a"), b"(" + text("storage") * 5 + b"t", b"(" + b"N" * 100_000 + b"t")),
    "many calls": (lambda n: _items(lambda i: _complex(1.0, i))(n), (10, 100_000)),
    **{
        f"calls of {name}": (lambda key, name=name: global_name(name) + _ARGUMENTS[key] + b"R", tuple(_ARGUMENTS))
        for name in _KNOWN
    },
    "type tags": (
        lambda tag: call("torch.jit._pickle.restore_type_tag", b"](K\x01e", text(tag)),
        ("", "List[", "List[int]" * 100, "Dict[int]", "Tuple[" * 3000, "Optional[" * 500 + "int" + "]" * 500, "__torch__.M",
         "List[List[str]]", "x" * 10**6, "\x1b[31m", "Dict[Tensor, Tensor]", "Future[int]", "Union[int, str]", "NoneType", "1+1"),
    ),
    "texts of other types": (lambda n: text("\x1b[31m" * n), (1, 100_000)),
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Each family in two places of a file, which take turns."""
    places = list(PLACES.values())
    for turn, (name, make) in enumerate(cases_of(FAMILIES)):
        for place in (places[turn % 6], places[(turn + 3) % 6]):
            yield f"{name}, {turn}", lambda make=make, place=place: place(make())
