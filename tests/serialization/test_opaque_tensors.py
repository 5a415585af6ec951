"""Quantized and sparse tensors, and those of dtypes that are known by name alone: kept, and saved as they were."""

from __future__ import annotations

import copy
import dataclasses
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_NAME
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.archive_writer import ArchiveContents, write_archive
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.records import (
    AnyTensorRecord,
    ObjectRecord,
    QuantizedTensorRecord,
    SparseTensorRecord,
    StorageRecord,
    TensorRecord,
)
from tsc.runtime.values.opaque_tensors import OpaqueTensor

CODE = """class Net(Module):
  __parameters__ = []
  __buffers__ = ["odd"]
  odd : Tensor
  def forward(self: __torch__.m.Net,
    x: Tensor) -> Tensor:
    return torch.add(x, 1)
  def given(self: __torch__.m.Net) -> Tensor:
    return self.odd
  def added(self: __torch__.m.Net) -> Tensor:
    odd = self.odd
    return torch.add(odd, 1)
  def dense(self: __torch__.m.Net) -> Tensor:
    return torch.to_dense(self.odd)
  def numbers(self: __torch__.m.Net) -> Tensor:
    return torch.dequantize(self.odd)
  def integers(self: __torch__.m.Net) -> Tensor:
    return torch.int_repr(self.odd)
  def kinds(self: __torch__.m.Net) -> Tuple[bool, bool, bool, int]:
    odd = self.odd
    return (ops.prim.is_quantized(odd), ops.prim.is_sparse(odd), ops.prim.is_sparse_csr(odd), ops.prim.dtype(odd))
"""


def part(key: int, dtype: str, sizes: Sequence[int]) -> TensorRecord:
    """A tensor that fills the storage of that key."""
    info = SCALAR_TYPE_BY_NAME[dtype]
    strides = tuple(int(np.prod(sizes[axis + 1 :])) for axis in range(len(sizes)))
    storage = StorageRecord(str(key), info, "cpu", int(np.prod(sizes)))
    return TensorRecord(storage, info, 0, tuple(sizes), strides)


QUANTIZED = (
    QuantizedTensorRecord(part(0, "qint8", [2, 2]), ("per_tensor_affine", 0.5, 1)),
    [np.array([[1, 3], [-1, 5]], np.int8)],
)
PER_CHANNEL = (
    QuantizedTensorRecord(
        part(0, "quint8", [2, 2]),
        ("per_channel_affine", part(1, "float64", [2]), part(2, "int64", [2]), 0),
    ),
    [np.array([[1, 3], [2, 5]], np.uint8), np.array([0.5, 2.0]), np.array([1, 2])],
)
COO = (
    SparseTensorRecord(1, (2, 3), (part(0, "int64", [2, 3]), part(1, "float32", [3]))),
    [np.array([[0, 1, 1], [2, 0, 0]]), np.array([1.0, 2.0, 3.0], np.float32)],
)
CSR = (
    SparseTensorRecord(
        2, (2, 3), (part(0, "int64", [3]), part(1, "int64", [2]), part(2, "float32", [2]))
    ),
    [np.array([0, 0, 2]), np.array([0, 2]), np.array([4.0, 5.0], np.float32)],
)
RAW = (part(0, "complex32", [2]), [np.arange(4, dtype=np.float16)])
KINDS = {
    "quantized": QUANTIZED,
    "per_channel": PER_CHANNEL,
    "coo": COO,
    "csr": CSR,
    "raw": RAW,
}


def archive(odd: AnyTensorRecord, arrays: list[np.ndarray]) -> bytes:
    file = io.BytesIO()
    data = ObjectRecord("__torch__.m.Net", {"odd": odd}, has_state=True)
    storages = [each.tobytes() for each in arrays]
    write_archive(file, ArchiveContents(data, storages, {"__torch__/m.py": CODE}))
    return file.getvalue()


def described(record: Any) -> Any:
    """A record as plain data; records compare by identity."""
    return dataclasses.astuple(record)


@pytest.mark.parametrize("kind", KINDS)
def test_the_rest_of_the_archive_is_usable(kind: str) -> None:
    module = tsc.load(archive(*KINDS[kind]))
    assert module(tsc.tensor([1.0])).tolist() == [2.0]
    assert isinstance(module.given(), OpaqueTensor)


@pytest.mark.parametrize("kind", KINDS)
def test_touching_the_tensor_is_refused_by_its_name(kind: str) -> None:
    module = tsc.load(archive(*KINDS[kind]))
    with pytest.raises(
        tsc.ScriptError, match=r"the tensor 'Net\.odd' is .*, and tsc does not compute"
    ):
        module.added()


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_saved_as_it_was(kind: str) -> None:
    first = archive(*KINDS[kind])
    module = tsc.load(first)
    for each in (module, copy.deepcopy(module)):
        file = io.BytesIO()
        each.save(file)
        before, after = ArchiveReader(first), ArchiveReader(file.getvalue())
        odd = after.pickle("data.pkl").state["odd"]
        assert described(odd) == described(before.pickle("data.pkl").state["odd"])
        for number in range(len(KINDS[kind][1])):
            assert after.storage(str(number)) == before.storage(str(number))


def test_quantized_tensors_tell_their_numbers() -> None:
    module = tsc.load(archive(*QUANTIZED))
    assert module.numbers().tolist() == [[0.0, 1.0], [-1.0, 2.0]]
    assert module.numbers().dtype is tsc.float32
    assert module.integers().tolist() == [[1, 3], [-1, 5]]
    assert module.kinds() == (True, False, False, 12)


def test_each_channel_has_its_scale() -> None:
    module = tsc.load(archive(*PER_CHANNEL))
    assert module.numbers().tolist() == [[0.0, 1.0], [0.0, 6.0]]


def test_sparse_tensors_become_dense_ones() -> None:
    coordinates, rows = tsc.load(archive(*COO)), tsc.load(archive(*CSR))
    assert coordinates.dense().tolist() == [[0.0, 0.0, 1.0], [5.0, 0.0, 0.0]]
    assert rows.dense().tolist() == [[0.0, 0.0, 0.0], [4.0, 0.0, 5.0]]
    assert coordinates.kinds() == (False, True, False, 6)
    assert rows.kinds() == (False, False, True, 6)


def test_conversion_of_a_module_reaches_the_values_of_sparse_tensors() -> None:
    module = tsc.load(archive(*COO)).double()
    assert module.dense().dtype is tsc.float64
    assert tsc.load(archive(*QUANTIZED)).double().integers().tolist() == [[1, 3], [-1, 5]]


@pytest.mark.parametrize(
    "index", [np.array([[0, 1, 2], [2, 0, 0]]), np.array([[0, 1, -1], [2, 0, 0]])]
)
def test_indices_outside_of_a_sparse_tensor_are_refused(index: np.ndarray) -> None:
    module = tsc.load(archive(COO[0], [index, COO[1][1]]))
    with pytest.raises(tsc.ScriptError, match="an index of a sparse tensor is out of its range"):
        module.dense()


def test_rows_that_do_not_fit_are_refused() -> None:
    module = tsc.load(archive(CSR[0], [np.array([0, 5, 2]), *CSR[1][1:]]))
    with pytest.raises(tsc.ScriptError, match="do not fit its columns"):
        module.dense()


@pytest.mark.parametrize(
    "record",
    [
        dataclasses.replace(COO[0], sizes=(2, 3, 4)),
        dataclasses.replace(COO[0], parts=(part(0, "float32", [2, 3]), part(1, "float32", [3]))),
        dataclasses.replace(COO[0], parts=(part(0, "int64", [2, 2]), part(1, "float32", [3]))),
        dataclasses.replace(CSR[0], sizes=(3, 3)),
        dataclasses.replace(QUANTIZED[0], quantizer=("per_tensor_affine", 1, 1)),
        dataclasses.replace(QUANTIZED[0], quantizer=("other", 0.5, 1)),
        dataclasses.replace(
            QUANTIZED[0], quantizer=("per_channel_affine", part(0, "float64", [2]), 3, 0)
        ),
    ],
)
def test_descriptions_that_contradict_themselves_are_refused(record: AnyTensorRecord) -> None:
    contents = [np.zeros(64, np.int8)] * 3
    sizes = [each.storage.nbytes for each in getattr(record, "parts", None) or [record.tensor]]
    content = archive(record, [each[:size] for each, size in zip(contents, sizes)])
    with pytest.raises(ArchiveError):
        tsc.load(content)
