"""Classes that users register with PyTorch: their objects are taken by their parts, and given as tuples."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pytest

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")


@dataclass
class Pose:
    place: Any
    angle: Any


@dataclass
class Found:
    values: Any
    rest: Any = None


class Interval:
    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = low, high


torch.export.register_dataclass(Pose, serialized_type_name="tests.Pose")
torch.export.register_dataclass(Found, serialized_type_name="tests.Found")
torch.utils._pytree.register_pytree_node(
    Interval,
    lambda each: ([each.low, each.high], None),
    lambda parts, _: Interval(*parts),
    serialized_type_name="tests.Interval",
    to_dumpable_context=lambda _: "nothing",
    from_dumpable_context=lambda _: None,
    flatten_with_keys_fn=lambda each: (
        [
            (torch.utils._pytree.GetAttrKey("low"), each.low),
            (torch.utils._pytree.GetAttrKey("high"), each.high),
        ],
        None,
    ),
)


class Turned(torch.nn.Module):
    def forward(self, pose: Pose) -> Pose:
        return Pose(pose.place + pose.angle, -pose.angle)


class Sum(torch.nn.Module):
    def forward(self, found: Found) -> Found:
        return Found(found.values + 1)


class Width(torch.nn.Module):
    def forward(self, interval: Interval) -> Any:
        return interval.high - interval.low


def saved(module: Any, *args: Any) -> bytes:
    content = io.BytesIO()
    torch.export.save(torch.export.export(module, args), content)
    return content.getvalue()


@pytest.mark.parametrize("form", [Pose, lambda a, b: (a, b), lambda a, b: {"place": a, "angle": b}])
def test_objects_of_data_classes_are_taken_by_their_fields(form: Any) -> None:
    module = tsc.load_exported(saved(Turned(), Pose(torch.ones(2), torch.ones(2)))).module()
    result = module(form(tsc.ones(2), tsc.tensor([2.0, 3.0])))
    assert result.place.tolist() == [3.0, 4.0]
    assert result.angle.tolist() == [-2.0, -3.0]


def test_objects_of_other_classes_are_given_as_tuples() -> None:
    content = saved(Width(), Interval(torch.zeros(2), torch.ones(2)))
    module = tsc.load_exported(content).module()
    assert module((tsc.zeros(2), tsc.ones(2))).tolist() == [1.0, 1.0]
    with pytest.raises(
        tsc.Error, match=r"expected a tests.Interval .* give a tuple of its 2 parts"
    ):
        module(Interval(tsc.zeros(2), tsc.ones(2)))


def test_what_is_saved_has_the_classes() -> None:
    content = saved(Turned(), Pose(torch.ones(2), torch.ones(2)))
    again = io.BytesIO()
    tsc.save_exported(tsc.load_exported(content), again)
    program = torch.export.load(io.BytesIO(again.getvalue()))
    with torch.serialization.safe_globals([Pose]):
        assert str(program) == str(torch.export.load(io.BytesIO(content)))
    assert isinstance(program.module()(Pose(torch.ones(2), torch.ones(2))), Pose)


@pytest.mark.parametrize("form", [Found, lambda a: (a,), lambda a: {"values": a, "rest": None}])
def test_fields_that_are_none_are_no_leaves(form: Any) -> None:
    module = tsc.load_exported(saved(Sum(), Found(torch.ones(2)))).module()
    result = module(form(tsc.ones(2)))
    assert result.values.tolist() == [2.0, 2.0]
    assert result.rest is None
