"""The archives in the folder ``archives``, which PyTorch wrote, and small hand-made ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.records import (
    ContainerRecord,
    Device,
    EnumRecord,
    ObjectRecord,
    QuantizedTensorRecord,
    SizeRecord,
    TensorRecord,
)
from tsc.runtime.serialization.tensors import Storages, archive_storages

ARCHIVES = Path(__file__).parent / "archives"


def archive_path(name: str) -> Path:
    return ARCHIVES / name


def archive_paths() -> list[Path]:
    return sorted(path for path in ARCHIVES.iterdir() if path.suffix != ".json")


def described_archive(path: Path) -> dict[str, Any]:
    """The values of an archive as JSON: those of ``data.pkl`` and ``constants.pkl``."""
    archive = ArchiveReader(path)
    data = described(archive.pickle("data.pkl"), archive_storages(archive))
    if "constants.pkl" not in archive:
        return {"data": data}
    constants = described(archive.pickle("constants.pkl"), archive_storages(archive, "constants"))
    return {"data": data, "constants": constants}


def described(value: Any, storages: Storages) -> Any:
    """A value as JSON, with the numbers of its tensors."""
    if isinstance(value, ObjectRecord):
        return {"class": value.class_name, "state": described(value.state, storages)}
    if isinstance(value, EnumRecord):
        return {"enum": described(value.value, storages)}
    if isinstance(value, ContainerRecord):
        return described(value.value, storages)
    if isinstance(value, dict):
        return {"dict": [[described(each, storages) for each in item] for item in value.items()]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [described(each, storages) for each in value]}
    if isinstance(value, (complex, Device)):
        return str(value)
    if isinstance(value, SizeRecord):
        return list(value.extents)
    if isinstance(value, QuantizedTensorRecord):
        return {"quantized": value.tensor.dtype.torch_name, "sizes": list(value.tensor.sizes)}
    return described_tensor(value, storages) if isinstance(value, TensorRecord) else value


def described_tensor(record: TensorRecord, storages: Storages) -> dict[str, Any]:
    tensor = storages.tensor(record)
    values = tensor.tolist()
    return {
        "dtype": str(tensor.dtype),
        "sizes": list(tensor.shape),
        "values": str(values) if tensor.dtype.is_complex else values,
        "requires_grad": tensor.requires_grad,
    }
