"""Growth: time and memory a line of generated programs of 1,000, 10,000 and 50,000 lines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

SIZES = (1_000, 10_000, 50_000)
FUNCTION_LINES = 20
MEASURE = """
import resource, sys, time
import tsc
from bench.growth import program
tsc.CompilationUnit(program(100))
text = program(int(sys.argv[1]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
started = time.process_time()
unit = tsc.CompilationUnit(text)
seconds = time.process_time() - started
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def program(lines: int) -> str:
    """A program of about `lines` lines: functions with loops, branches and calls of the one before."""
    return "\n".join(line for i in range(lines // FUNCTION_LINES) for line in function_lines(i))


def function_lines(index: int) -> Iterator[str]:
    """One function of `FUNCTION_LINES` lines, with loops and branches."""
    previous = f"f{index - 1}(x, n - 1)" if index else "x"
    yield f"def f{index}(x: Tensor, n: int) -> Tensor:"
    yield "    total = torch.zeros_like(x)"
    yield "    if n > 0:"
    yield f"        x = {previous}"
    yield "    for i in range(n):"
    yield f"        y = x * {index} + i"
    yield f"        if i % 3 == {index % 3}:"
    yield "            continue"
    yield "        total = total + y"
    yield "    values = [1, 2, 3]"
    yield "    count = 0"
    yield "    while count < len(values):"
    yield "        count += values[count]"
    yield "    z = (total - x) * count"
    yield "    w = torch.relu(z) + torch.tanh(x)"
    yield "    name = 'f' + str(n)"
    yield "    if len(name) > 3:"
    yield "        w = w * 2"
    yield "    return w + total"
    yield ""


def main(_: list[str]) -> None:
    rates: list[tuple[float, float]] = []
    for lines in SIZES:
        command = [sys.executable, "-c", MEASURE, str(lines)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds, kilobytes = (float(word) for word in output.split())
        rates.append((seconds / lines, kilobytes / lines))
        print(
            f"{lines:6d} lines  {seconds:7.2f} s  {seconds / lines * 1e6:7.1f} µs a line  "
            f"{kilobytes / lines:6.2f} kB a line",
            flush=True,
        )
    time_growth, memory_growth = rates[-1][0] / rates[0][0], rates[-1][1] / rates[0][1]
    print(f"growth of time a line   {time_growth:5.2f}   (wanted: at most 1.5)")
    print(f"growth of memory a line {memory_growth:5.2f}   (wanted: at most 1.5)")
