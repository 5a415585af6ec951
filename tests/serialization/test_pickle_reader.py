"""The pickle reader: equal to Python's for data, and refusing all that is more than data."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import struct
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.work import sized
from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_NAME
from tsc.compiler.types.tensor_options import Device
from tsc.runtime.serialization.errors import ArchiveError, RefusedName
from tsc.runtime.serialization.limits import Limits
from tsc.runtime.serialization.object_reader import read_objects_prefix
from tsc.runtime.serialization.pickle_reader import read_pickle
from tsc.runtime.serialization.records import (
    ContainerRecord,
    EnumRecord,
    ObjectRecord,
    QuantizedTensorRecord,
    SizeRecord,
    TensorRecord,
)

_KEYS = st.one_of(st.text(max_size=5), st.integers(-(1 << 63), (1 << 63) - 1), st.booleans())
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 200), 1 << 200),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.binary(max_size=20),
    st.sets(st.integers(0, 99)),
)
_DATA = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.lists(inner, max_size=5).map(tuple),
        st.dictionaries(_KEYS, inner, max_size=5),
    ),
    max_leaves=20,
)

STORAGE = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x06tQ"
TENSOR = b"ctorch._utils\n_rebuild_tensor_v2\n(" + STORAGE + b"K\x00(K\x02K\x03t(K\x03K\x01t\x89NtR"


def frozen(value: Any) -> Any:
    """A value with types that show: 1, 1.0 and True are different."""
    if isinstance(value, dict):
        return {"dict": [(frozen(key), frozen(item)) for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [frozen(item) for item in value])
    return (type(value).__name__, value)


@settings(max_examples=60)
@given(_DATA, st.integers(0, 5))
def test_data_pickled_by_python_are_read_as_python_reads_them(value: Any, protocol: int) -> None:
    content = pickle.dumps(value, protocol)
    assert frozen(read_pickle(content)) == frozen(value)


@pytest.mark.parametrize("protocol", range(6))
def test_ordered_dicts_and_complex_numbers_of_every_protocol(protocol: int) -> None:
    assert read_pickle(pickle.dumps(1 - 2j, max(protocol, 2))) == 1 - 2j
    value = OrderedDict([("b", 1), ("a", 2)])
    assert list(read_pickle(pickle.dumps(value, protocol)).items()) == [("b", 1), ("a", 2)]


def test_text_opcodes_of_python_two() -> None:
    assert read_pickle(b"(S'it\\'s \\x41\\n'\nI01\nI-5\nL7L\nF1.5\nVgr\\u00fcn\nt.") == (
        *("it's A\n", True, -5, 7),
        *(1.5, "grün"),
    )
    assert read_pickle(b"U\x03abcT\x01\0\0\0d\x86.") == ("abc", "d")


def test_bytes_that_are_no_text_come_back_as_they_were() -> None:
    text = read_pickle(b"\x80\x02X\x02\0\0\0a\xff.")
    assert text.encode("utf-8", "surrogateescape") == b"a\xff"


def test_a_tensor_is_a_view_of_a_storage() -> None:
    record = read_pickle(b"\x80\x02" + TENSOR + b".")
    assert isinstance(record, TensorRecord)
    assert (record.storage.key, record.storage.count, record.storage.device) == ("0", 6, "cpu")
    assert record.dtype is SCALAR_TYPE_BY_NAME["float32"]
    assert (record.offset, record.sizes, record.strides) == (0, (2, 3), (3, 1))
    assert not record.requires_grad


def test_a_tensor_that_is_used_twice_is_one_record() -> None:
    first, second = read_pickle(b"\x80\x02" + TENSOR + b"q\x00h\x00\x86.")
    assert first is second


def test_parameters_sizes_devices_and_dtypes() -> None:
    parameter = read_pickle(b"ctorch._utils\n_rebuild_parameter\n" + TENSOR + b"\x88N\x87R.")
    assert parameter.requires_grad
    assert parameter.is_parameter
    assert read_pickle(b"ctorch\nSize\n(K\x02K\x03t\x85R.") == SizeRecord((2, 3))
    assert read_pickle(b"ctorch\ndevice\nX\x06\0\0\0cuda:1\x85R.") == Device("cuda", 1)
    assert read_pickle(b"ctorch\nbfloat16\n.").name == "bfloat16"


def test_quantized_tensors_are_data() -> None:
    quantizer = b"(ctorch\nper_tensor_affine\nG\x3f\xe0\0\0\0\0\0\0K\x03t"
    content = TENSOR.replace(b"_rebuild_tensor_v2", b"_rebuild_qtensor")
    content = content.replace(b"\x89NtR", quantizer + b"\x89NtR").replace(b"FloatS", b"QInt8S")
    record = read_pickle(content + b".")
    assert isinstance(record, QuantizedTensorRecord)
    assert record.quantizer == ("per_tensor_affine", 0.5, 3)


def test_objects_enums_and_typed_containers() -> None:
    record = read_pickle(b"c__torch__.a\nNet\n)\x81}X\x01\0\0\0xK\x01sb.")
    assert isinstance(record, ObjectRecord)
    assert (record.class_name, record.state, record.is_torchbind) == (
        "__torch__.a.Net",
        {"x": 1},
        False,
    )
    member = read_pickle(b"c__torch__\nColor\nK\x02R.")
    assert isinstance(member, EnumRecord)
    assert (member.class_name, member.value) == ("__torch__.Color", 2)
    typed = read_pickle(b"ctorch.jit._pickle\nrestore_type_tag\n]X\x09\0\0\0List[str]\x86R.")
    assert isinstance(typed, ContainerRecord)
    assert (typed.value, typed.type_text) == ([], "List[str]")


def test_objects_may_refer_to_themselves() -> None:
    record = read_pickle(b"c__torch__\nNode\n)\x81q\x00}X\x04\0\0\0nexth\x00sb.")
    assert record.state["next"] is record


@pytest.mark.parametrize(
    "name",
    [
        *("os.system", "posix.system", "builtins.eval", "builtins.getattr", "builtins.exec"),
        *("subprocess.Popen", "runpy._run_code", "torch.load", "torch.hub.load", "numpy.load"),
        *("torch._utils._rebuild_meta_tensor_no_storage", "torch.nn.modules.linear.Linear"),
        *("torch.jit._pickle.build_tensor_from_id", "__torch__evil.X", "__main__.Net"),
    ],
)
@pytest.mark.parametrize("form", ["global", "stack"])
def test_names_that_are_no_data_are_refused_by_name(name: str, form: str) -> None:
    module, _, last = name.rpartition(".")
    if form == "global":
        content = f"c{module}\n{last}\n(X\x02\0\0\0lstR.".encode()
    else:
        content = b"\x80\x04" + b"".join(
            b"\x8c" + bytes([len(part)]) + part.encode() for part in (module, last)
        )
        content += b"\x93)R."
    with pytest.raises(RefusedName) as raised:
        read_pickle(content)
    assert raised.value.name == name
    assert name in str(raised.value)
    assert "\nhint: " in str(raised.value)


def test_nothing_is_executed_by_a_pickle_of_python(tmp_path: Any) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return (open, (str(tmp_path / "made"), "w"))

    with pytest.raises(RefusedName, match=r"_?io\.open"):
        read_pickle(pickle.dumps(Evil(), 2))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is cut off"),
        (b"\x80\x02", "is cut off"),
        (b"\x80\x09N.", "protocol 9"),
        (b"\x80\x02N", "is cut off"),
        (b".", "does not end with one value"),
        (b"NN.", "does not end with one value"),
        (b"(N.", "does not end with one value"),
        (b"N.N", "1 bytes follow"),
        (b"0.", "where there is none"),
        (b"t.", "where there is none"),
        (b"K\x01a.", "where there is none"),
        (b"K\x01K\x02a.", "changes something that is no list"),
        (b"(K\x01u.", "where there is none"),
        (b"}(K\x01u.", "a key without a value"),
        (b"}]Ns.", "a key that cannot be one"),
        (b"h\x05.", "uses memo 5"),
        (b"X\xff\xff\xff\xffa.", "is cut off"),
        (b"\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.", "is cut off"),
        (b"\x8b\xff\xff\xff\x7f.", "an integer of 2147483647 bytes"),
        (b"I" + b"9" * 500 + b"\n.", "an impossible value"),
        (b"Iabc\n.", "an impossible value"),
        (b"S'\\xzz'\n.", "an impossible value"),
        (b"Vabc", "a line without an end"),
        (b"\xff.", "unknown opcode 0xff"),
        (b"iposix\nsystem\n.", "an instance of a Python class"),
        (b"P0\n.", "a persistent id in text"),
        (b"\x82\x01.", "extension registry"),
        (b"NNR.", "calls something that is no function"),
        (b"NN\x81.", "makes an object of something that is no class"),
        (b"c__torch__\nX\n)\x81}b}b.", "gives state"),
        (b"K\x01}b.", "gives state"),
        (b"c__torch__\nX\n.", "a name that is never called"),
        (b"](ctorch\nSize\ne.", "a name that is never called"),
        (b"NQ.", "refers to something that is no storage"),
        (STORAGE.replace(b"K\x06", b"J\xff\xff\xff\xff") + b".", "has -1 elements"),
        (STORAGE.replace(b"ctorch\nFloatStorage\n", b"N") + b".", "describes a storage wrongly"),
        (TENSOR.replace(b"K\x02K\x03t", b"K\x02t") + b".", "called with wrong arguments"),
        (
            TENSOR.replace(b"K\x02K\x03t", b"K\x02J\xff\xff\xff\xfft") + b".",
            "called with wrong arguments",
        ),
        (TENSOR.replace(b"K\x02K\x03t", b"K\x02Nt") + b".", "called with wrong arguments"),
        (b"ctorch.jit._pickle\nbuild_intlist\n]Na\x85R.", "called with wrong arguments"),
        (b"ctorch\ndevice\nX\x04\0\0\0evil\x85R.", "called with wrong arguments"),
        (b"}\x8a\x09\0\0\0\0\0\0\0\0\x01Ns.", "no 64-bit integer"),
    ],
)
def test_what_is_wrong_is_said(content: bytes, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        read_pickle(content)


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        b"]" * sized(1_000_000) + b"a" * (sized(1_000_000) - 1) + b".",
        b")" + b"\x85" * sized(1_000_000) + b".",
    ],
    ids=["lists", "tuples"],
)
def test_a_million_nested_containers_are_refused(content: bytes) -> None:
    with pytest.raises(ArchiveError, match="nested more than 1000 levels deep"):
        read_pickle(content, limits=Limits(pickle_memory=1 << 30))
    with pytest.raises(ArchiveError, match="exceeds the limit pickle_memory"):
        read_pickle(content, limits=Limits(pickle_memory=sized(Limits().pickle_memory)))


def test_marks_without_end_are_refused() -> None:
    with pytest.raises(ArchiveError, match="exceeds the limit"):
        read_pickle(b"(" * 4_000_000 + b".", limits=Limits(pickle_memory=1 << 20))


def test_containers_that_hold_themselves_are_refused() -> None:
    for content in (b"]q\x00h\x00a.", b"}q\x00K\x01h\x00s.", b"]q\x00]h\x00aa."):
        with pytest.raises(ArchiveError, match="a container that holds itself"):
            read_pickle(content)


def test_shared_containers_are_walked_once() -> None:
    """A value of 60 levels, each of which uses the next one twice, has 2**60 paths."""
    content = b"]" + b"2\x86" * 60 + b"."
    value = read_pickle(content)
    assert value[0] is value[1]


def test_keys_with_equal_hashes_are_refused() -> None:
    keys = b"".join(
        b"K\x01" + struct.pack("<2sq", b"\x8a\x08", number) + b"\x86N" for number in range(5000)
    )
    with pytest.raises(ArchiveError, match="too many tuples as keys"):
        read_pickle(b"}(" + keys + b"u.")


@pytest.mark.parametrize(
    "content",
    [
        b"]" + b"2" * 200_000 + b".",
        b"(" + b"}" * 100_000 + b"t.",
        b"(" + b"]q\x00" * 60_000 + b"t.",
        b"](" + b"K\x01" * 500_000 + b"e.",
        b"N" + b"".join(struct.pack("<cI", b"r", number) for number in range(50_000)) + b".",
        struct.pack("<cI", b"X", 4 << 20) + "😀".encode() + b"a" * ((4 << 20) - 4) + b".",
    ],
    ids=["references", "dicts", "lists", "numbers", "memo", "text"],
)
def test_memory_is_bounded_while_values_are_made(content: bytes) -> None:
    with pytest.raises(ArchiveError, match=r"exceeds the limit pickle_memory = 1048576"):
        read_pickle(content, limits=Limits(pickle_memory=1 << 20))


def test_the_number_of_opcodes_is_bounded() -> None:
    with pytest.raises(ArchiveError, match="exceeds the limit opcodes = 100"):
        read_pickle(b"N0" * 100 + b"N.", limits=Limits(opcodes=100))


def test_ordered_dicts_of_python_2() -> None:
    """Python 2 wrote ``OrderedDict([[k, v], …])``."""
    pairs = b"](](X\x01\x00\x00\x00bK\x01e](X\x01\x00\x00\x00aK\x02ee"
    content = b"\x80\x02ccollections\nOrderedDict\n" + pairs + b"\x85R."
    assert list(read_pickle(content).items()) == [("b", 1), ("a", 2)]


@pytest.mark.parametrize("wrong", [b"](K\x01e", b"](](K\x01ee", b"](](]K\x01ee", b"K\x01"])
def test_ordered_dicts_of_no_pairs(wrong: bytes) -> None:
    with pytest.raises(ArchiveError, match="wrong arguments"):
        read_pickle(b"\x80\x02ccollections\nOrderedDict\n" + wrong + b"\x85R.")


@pytest.mark.parametrize("read", [read_pickle, read_objects_prefix])
def test_every_opcode_takes_what_is_there_or_ends_in_one_error(read: Callable[..., Any]) -> None:
    """Behind marks and values of every kind, too few for most opcodes, with arguments of lines or of numbers."""
    pieces = [
        b"",
        b"(",
        b"N",
        b")",
        b"]",
        b"}",
        b"K\x01",
        b"\x8f",
        b"X\x01\0\0\0a",
        b"cm\nM\n",
        TENSOR,
    ]
    befores = [first + second for first in pieces for second in pieces]
    for before, opcode, argument in itertools.product(befores, range(256), (b"a\nb\n", bytes(9))):
        for end in (b".", b"t."):
            with contextlib.suppress(ArchiveError):
                read(b"\x80\x02" + before + bytes([opcode]) + argument + end)
