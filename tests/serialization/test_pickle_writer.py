"""The pickle writer: the bytes that PyTorch's pickler writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.pickle_reader import read_pickle
from tsc.runtime.serialization.pickle_writer import write_pickle
from tsc.runtime.serialization.records import ContainerRecord, Device, EnumRecord, ObjectRecord

from .samples import archive_path
from .test_pickle_reader import frozen

_VALUES = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(-(1 << 63), (1 << 63) - 1)),
        *(st.floats(allow_nan=False), st.text(st.characters(exclude_categories=["Cs"]))),
        st.complex_numbers(allow_nan=False),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.lists(inner, max_size=5).map(tuple),
        st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"]), max_size=3), inner, max_size=5
        ),
    ),
    max_leaves=20,
)


@settings(max_examples=60)
@given(_VALUES)
def test_what_is_written_is_read_again(value: Any) -> None:
    assert frozen(read_pickle(write_pickle(value))) == frozen(value)


@pytest.mark.parametrize(
    "name",
    [
        "attributes.pt/constants.pkl",
        "frozen.pt/constants.pkl",
        "frozen.pt/data.pkl",
        "state.pt/data.pkl",
    ],
)
def test_the_bytes_are_those_of_pytorch(name: str) -> None:
    path, record = name.split("/")
    content = ArchiveReader(archive_path(path)).read(record)
    assert write_pickle(read_pickle(content)) == content


@pytest.mark.parametrize("name", ["attributes.pt", "tensors.pt"])
def test_values_of_pytorch_stay_the_same_when_they_are_written_again(name: str) -> None:
    value = ArchiveReader(archive_path(name)).pickle("data.pkl")
    again = read_pickle(write_pickle(value))
    assert write_pickle(again) == write_pickle(value)
    assert repr(again) == repr(value)


def test_shared_values_stay_shared() -> None:
    inner = ContainerRecord([1, 2], "List[int]")
    first, second = read_pickle(write_pickle((inner, inner)))
    assert first is second


def test_equal_values_stay_apart() -> None:
    first, second = read_pickle(
        write_pickle((ContainerRecord([1], "List[int]"), ContainerRecord([1], "List[int]")))
    )
    assert first is not second


def test_objects_enums_and_devices() -> None:
    value = ObjectRecord(
        "__torch__.Net",
        {"color": EnumRecord("__torch__.Color", 2), "device": Device("cuda", 1)},
        has_state=True,
    )
    again = read_pickle(write_pickle(value))
    assert again.class_name == "__torch__.Net"
    assert (again.state["color"].class_name, again.state["color"].value) == ("__torch__.Color", 2)
    assert again.state["device"] == Device("cuda", 1)


def test_deep_values_are_written_without_recursion() -> None:
    value: Any = None
    for _ in range(5000):
        value = [value]
    assert write_pickle(value).count(b"](") == 5000


def test_a_value_that_holds_itself_is_refused() -> None:
    node = ObjectRecord("__torch__.Node", {}, has_state=True)
    node.state["next"] = node
    with pytest.raises(ArchiveError, match="holds itself cannot be saved"):
        write_pickle(node)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1 << 63, "does not fit into 64 bits"),
        (object(), "type object cannot be saved"),
        (b"bytes", "type bytes cannot be saved"),
        ("\ud800", "half a character"),
        (ObjectRecord("NoModule", {}, has_state=True), "is no name of a class"),
        (ObjectRecord("__torch__.A\nB", {}, has_state=True), "is no name of a class"),
    ],
)
def test_what_pytorch_cannot_read_is_refused(value: Any, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        write_pickle(value)
