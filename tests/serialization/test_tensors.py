"""From records to tensors: bounds, sharing, byte orders, dtypes."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_NAME
from tsc.runtime.arrays.dtypes import ALL_DTYPES, DType
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.records import StorageRecord, TensorRecord
from tsc.runtime.serialization.storage_table import StorageTable
from tsc.runtime.serialization.tensors import ByteOrder, Storages, archive_storages
from tsc.runtime.values.tensor import Tensor

from .samples import ARCHIVES, archive_path, described_archive

ANSWERS: dict[str, Any] = json.loads((ARCHIVES / "answers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [name for name in ANSWERS if name != "legacy.pth"])
def test_values_are_those_that_pytorch_had(name: str) -> None:
    assert json.loads(json.dumps(described_archive(archive_path(name))))["data"] == ANSWERS[name]


def test_constants_of_a_frozen_module() -> None:
    constants = described_archive(archive_path("frozen.pt"))["constants"]["tuple"]
    assert constants[-1]["values"] == [1.0, 2.0]
    assert [constant["sizes"] for constant in constants] == [[2, 2], [2], [2]]


def record(
    sizes: tuple[int, ...],
    strides: tuple[int, ...],
    offset: int = 0,
    *,
    dtype: str = "float32",
    count: int = 12,
) -> TensorRecord:
    info = SCALAR_TYPE_BY_NAME[dtype]
    return TensorRecord(StorageRecord("0", info, "cpu", count), info, offset, sizes, strides)


def storages(content: bytes | None = None, byte_order: ByteOrder = "little") -> Storages:
    data = np.arange(12, dtype="<f4").tobytes() if content is None else content
    return Storages(lambda _: memoryview(data), byte_order=byte_order)


def test_views_share_the_memory_of_their_storage() -> None:
    archive = ArchiveReader(archive_path("tensors.pt"))
    state, of = archive.pickle("data.pkl").state, archive_storages(archive)
    base, part, turned = (of.tensor(state[name]) for name in ("base", "part", "turned"))
    base.array[3] = 99
    assert part.array[0] == 99
    assert turned.array[3, 0] == 99


def test_changes_of_a_tensor_never_reach_the_file() -> None:
    path = archive_path("tensors.pt")
    before = path.read_bytes()
    archive = ArchiveReader(path)
    tensor = archive_storages(archive).tensor(archive.pickle("data.pkl").state["base"])
    tensor.array[:] = 5
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            record((13,), (1,)),
            record((12,), (1,), 1),
            record((3, 4), (4, 2), 2),
            record((1,), (1,), 12),
        ),
        *(record((2,), (1 << 40,)), record((1,), (1,), 1 << 60), record((1 << 40,), (1,))),
    ],
)
def test_tensors_outside_of_their_storage_are_refused(wrong: TensorRecord) -> None:
    with pytest.raises(ArchiveError, match="bytes of the storage 0, which has 48"):
        storages().tensor(wrong)


def test_absurd_sizes_are_refused() -> None:
    with pytest.raises(ArchiveError, match="absurd sizes"):
        storages().tensor(record((1 << 31, 1 << 31, 1 << 31), (0, 0, 0)))
    with pytest.raises(ArchiveError, match="absurd sizes"):
        storages().tensor(record((1 << 62, 0), (0, 0)))
    with pytest.raises(ArchiveError, match="absurd sizes"):
        storages().tensor(record((1,), (1 << 62,)))


def test_empty_and_expanded_tensors_are_allowed() -> None:
    assert storages().tensor(record((0, 3), (3, 1), 12)).shape == (0, 3)
    assert storages().tensor(record((), ())).item() == 0.0
    assert storages().tensor(record((4,), (0,), 5)).tolist() == [5.0] * 4


def test_a_storage_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ArchiveError, match="has 48 bytes, and 52 are expected"):
        storages().tensor(record((1,), (1,), count=13))


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_every_dtype_in_both_byte_orders(dtype: DType) -> None:
    values = np.array([[0, 1], [1, 0]]).astype(dtype.numpy)
    if dtype.is_complex:
        values = values + values.dtype.type(2j)
    width = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
    raw = np.frombuffer(values.tobytes(), np.uint8).reshape(-1, width)
    wanted = record((2, 2), (2, 1), dtype=dtype.name, count=4)
    little = storages(raw.tobytes()).tensor(wanted)
    big = storages(raw[:, ::-1].tobytes(), "big").tensor(wanted)
    assert little.dtype is big.dtype is dtype
    assert little.array.tobytes() == values.tobytes()
    assert big.array.tobytes() == values.tobytes()


def test_booleans_other_than_zero_and_one_are_ones() -> None:
    tensor = storages(bytes([0, 1, 2, 255])).tensor(record((4,), (1,), dtype="bool", count=4))
    assert tensor.array.view(np.uint8).tolist() == [0, 1, 1, 1]


def test_conjugation_and_negation_are_done_at_once() -> None:
    content = np.array([1 + 2j, 3j], "<c8").tobytes()
    plain = record((2,), (1,), dtype="complex64", count=2)
    conjugated = dataclasses.replace(plain, is_conjugated=True)
    assert storages(content).tensor(conjugated).tolist() == [1 - 2j, -3j]
    negated = dataclasses.replace(plain, is_negated=True)
    assert storages(content).tensor(negated).tolist() == [-1 - 2j, -3j]
    absurd = dataclasses.replace(conjugated, sizes=(1 << 40,), strides=(0,))
    with pytest.raises(ArchiveError, match="expanded tensor is said to be conjugated"):
        storages(content).tensor(absurd)


def test_only_numbers_with_gradients_require_them() -> None:
    with pytest.raises(ArchiveError, match="said to require gradients"):
        storages(bytes(48)).tensor(
            dataclasses.replace(record((1,), (1,), dtype="int32"), requires_grad=True)
        )


def test_a_table_of_storages_keeps_views_together() -> None:
    base = np.arange(12.0, dtype=np.float32)
    table = StorageTable()
    whole, part = Tensor(base), Tensor(base[3:9].reshape(2, 3).T)
    records = [table.record(each) for each in (whole, part, whole, Tensor(np.ones(2)))]
    assert records[0] is records[2]
    assert [each.storage.key for each in records] == ["0", "0", "0", "1"]
    assert (records[1].offset, records[1].sizes, records[1].strides) == (3, (3, 2), (1, 3))
    contents = table.contents()
    again = Storages(lambda key: contents[int(key)])
    assert np.array_equal(again.tensor(records[1]).array, part.array)


def test_a_table_copies_what_is_no_view_forwards() -> None:
    table = StorageTable()
    reversed_ = table.record(Tensor(np.arange(3.0)[::-1]))
    assert (reversed_.offset, reversed_.strides) == (0, (1,))
    assert np.frombuffer(table.contents()[0]).tolist() == [2.0, 1.0, 0.0]
    empty = table.record(Tensor(np.ones((0, 2))))
    assert (empty.storage.count, empty.offset) == (0, 0)
