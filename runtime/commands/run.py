"""`tsc run`: compiles a function or method, and executes it."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext

import click

from tsc.compiler.budget import Limits, budget, charging, current_limits
from tsc.runtime.commands.backend_calls import BackendCall, handed_over
from tsc.runtime.commands.command_arguments import parse_arguments, refuse_wrong_arguments
from tsc.runtime.commands.doors import Settings, prints_apart, say
from tsc.runtime.commands.programs import load_unit
from tsc.runtime.commands.result_files import check_result_path, write_result
from tsc.runtime.commands.watchdog import watchdog
from tsc.runtime.execution.counters import counters
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.random.generator import manual_seed


def perform(
    settings: Settings,
    *,
    file: str,
    function: str | None,
    init: str | None,
    arguments: str,
    output: str | None,
    seed: int | None,
    map_location: str | None,
    timed: bool,
    plan: str | None,
    backend: str | None,
) -> None:
    """Run `function` on `arguments`, and print or write its result."""
    if output is not None:
        complaint = check_result_path(output)
        if complaint is not None:
            raise click.UsageError(complaint)
    started = time.perf_counter()
    if seed is not None:
        manual_seed(seed)
    with prints_apart():
        with budget():
            unit = load_unit(settings, file, on_the_cpu=map_location is not None)
            chosen = unit.choose(function, init)
        positional, named = parse_arguments(arguments, chosen.schema, unit)
        refuse_wrong_arguments(chosen, positional, named)
    if settings.verbose:
        counters(reset=True)  # it counts from then on
    call = chosen if backend is None else handed_over(unit, chosen, backend)
    has_result = "None" not in str(chosen.schema.returns[0].type)
    compiled = time.perf_counter()
    limits = current_limits()
    bounded = nullcontext() if limits.max_memory is None else charging(Limits())
    printed = prints_apart() if has_result and output is None else nullcontext()
    with printed, watchdog(limits.max_seconds), bounded, _by_plan(plan):
        result = call(*positional, **named)
    finished = time.perf_counter()
    if output is not None:
        write_result(result, output)
    elif result is not None or has_result:
        click.echo(repr(result))
    if timed or settings.verbose:
        times = f"compiled in {compiled - started:.3f} s, ran in {finished - compiled:.3f} s"
        say(settings, times)
    if settings.verbose:
        if isinstance(call, BackendCall):
            say(settings, call.report(*positional, **named))
        counts = counters()._asdict().items()
        say(settings, ", ".join(f"{name.replace('_', ' ')}: {count}" for name, count in counts))


def _by_plan(name: str | None) -> AbstractContextManager[None]:
    return nullcontext() if name is None else chosen_plan(name)
