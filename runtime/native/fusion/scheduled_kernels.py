"""The kernels of a group for one kind of arguments: those of each step of its schedule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tsc.compiler.ir import Node, Value
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.copies import parts_of
from tsc.runtime.native.fusion.fused_program import KernelWriter, Target
from tsc.runtime.native.fusion.group_kernel import Kernel
from tsc.runtime.native.fusion.group_schedule import GroupSchedule, Loops
from tsc.runtime.native.fusion.memory_steps import memory_step
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.row_operators import is_on_rows
from tsc.runtime.native.fusion.row_program import RowKernelWriter
from tsc.runtime.native.fusion.selections import copying_kernel

_MOST_STORED: Final = 1 << 14
"""Elements of an argument that is copied twice, where several steps of a group write to it."""


def kernels_of(group: RecordedGroup) -> list[Kernel]:
    """In the order in which they run. Raises NotLowered where an operator has no native code for these arguments."""
    schedule = GroupSchedule(group)
    kernels: list[Kernel] = []
    steps = list(schedule.steps())
    stores = group.unwritten.stores
    if stores and not (len(steps) == 1 and isinstance(steps[0], Loops)):
        group.unwritten.stores_last = True  # a step might read what another has written
    for step in steps:
        if isinstance(step, Loops):
            kernels.append(
                KernelWriter(
                    group, schedule, [_target(group, each) for each in step.values]
                ).write()
            )
            continue
        try:
            kernels += _kernels_of_node(group, schedule, step)
        except NotLowered as refused:
            raise NotLowered(refused.kind or step.kind) from None
    return [*kernels, *_storing(group)]


def _storing(group: RecordedGroup) -> Iterator[Kernel]:
    """Copies to arguments, after all else is computed. Raises NotLowered for large ones, which are written in place."""
    if not group.unwritten.stores_last:
        return
    for value, given in group.unwritten.stores.items():
        array, place = group.array(value), group.array(given)
        if array.size > _MOST_STORED:
            raise NotLowered
        yield copying_kernel(group, (given, place), (value, array))


def _kernels_of_node(group: RecordedGroup, schedule: GroupSchedule, node: Node) -> Iterable[Kernel]:
    if is_on_rows(node):
        return [RowKernelWriter(group, schedule, _target(group, node.output)).write()]
    of_memory = memory_step(node)
    return _copying(group, schedule, node) if of_memory is None else of_memory.kernels(node, group)


def _target(group: RecordedGroup, value: Value) -> Target:
    place = group.place_of(value)
    return Target(value, place, group.array(place))


def _copying(group: RecordedGroup, schedule: GroupSchedule, node: Node) -> Iterator[Kernel]:
    for value, part in parts_of(node, group):
        target = Target(value, node.output, part)
        yield KernelWriter(group, schedule, [target]).write()
