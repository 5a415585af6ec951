"""Eight threads meet at the same function or module, most of them at its first call."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tsc

RECORDED = Path(__file__).parents[1] / "oracle" / "archives" / "recorded"
THREADS = 8
ROUNDS = 4
PROGRAM = """
def normed(x: Tensor, by: Optional[float] = None) -> Tensor:
    return torch.nn.functional.layer_norm(x, [x.size(-1)]) * (1.0 if by is None else by)

def counted(words: List[str]) -> Dict[str, int]:
    counts: Dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts

def mixed(x: Tensor, steps: int) -> Tuple[Tensor, Dict[str, int], Any]:
    for step in range(steps):
        x = torch.nn.functional.gelu(normed(x, 0.5)) + torch.softmax(x, -1)
    return x, counted(["a", "b", "a"]), counted(["c"])
"""
COLD = """
import sys, threading
sys.setswitchinterval(1e-6)
import tsc
path, results, start = sys.argv[1], [], threading.Barrier(8)
def run():
    start.wait()
    try:
        results.append(tsc.load(path)(tsc.tensor([[[0.5, -1.0, 2.0, 0.0]]])).tolist())
    except BaseException as error:
        results.append(repr(error))
threads = [threading.Thread(target=run) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert len(results) == 8 and results.count(results[0]) == 8 and isinstance(results[0], list), results
"""


@pytest.fixture(autouse=True)
def _often_switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(actions: list[Callable[[], Any]]) -> list[Any]:
    """What actions give that start at the same time, each in a thread of its own; or what they raise."""
    start = threading.Barrier(len(actions))
    results: list[Any] = [None] * len(actions)

    def run(position: int) -> None:
        start.wait()
        try:
            results[position] = actions[position]()
        except BaseException as error:  # noqa: BLE001  the test compares it
            results[position] = error

    threads = [threading.Thread(target=run, args=(each,)) for each in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def plain(values: tuple[Any, ...]) -> list[Any]:
    return [each.tolist() if isinstance(each, tsc.Tensor) else each for each in values]


def test_threads_that_call_a_function_first_get_the_same() -> None:
    x = tsc.tensor([[1.0, 2.0, 4.0]])
    expected = plain(tsc.CompilationUnit(PROGRAM).mixed(x, 3))
    for _ in range(ROUNDS):
        unit = tsc.CompilationUnit(PROGRAM)
        results = together([lambda unit=unit: plain(unit.mixed(x, 3))] * THREADS)
        assert results == [expected] * THREADS


def test_graphs_code_and_schemas_may_be_asked_for_while_others_call() -> None:
    x = tsc.tensor([0.5, 1.0, 2.0])
    asked: list[Callable[[Any], Any]] = [
        lambda module: str(module.graph),
        lambda module: str(module.inlined_graph),
        lambda module: module.code,
        lambda module: [str(each._method("forward").schema) for each in module.modules()],
        lambda module: module(x).tolist(),
        lambda module: module.state_dict().keys() == module.state_dict().keys(),
    ]
    path = RECORDED / "traced_sequential.pt"
    alone = tsc.load(path)
    expected = [ask(alone) for ask in asked]
    for _ in range(ROUNDS):
        module = tsc.load(path)
        assert together([partial(ask, module) for ask in asked]) == expected


def test_a_recurrent_module_is_called_by_many_threads() -> None:
    module = tsc.load(RECORDED / "gru_tagger.pt")
    inputs = [tsc.tensor([[[float(n), 1.0, -1.0, 0.5]] * 2] * 5) for n in range(THREADS)]
    alone = tsc.load(RECORDED / "gru_tagger.pt")
    expected = [str(alone(each)) for each in inputs]
    for _ in range(ROUNDS):
        assert together([lambda x=x: str(module(x)) for x in inputs]) == expected


def test_copies_of_a_module_have_states_of_their_own() -> None:
    module = tsc.load(RECORDED / "class_attributes.pt")
    x = tsc.tensor([1.0, 2.0, 3.0])

    def twice() -> list[str]:
        own = tsc.load(RECORDED / "class_attributes.pt")
        return [str(own(x)), str(own(x))]

    expected = [str(module(x)), str(module(x))]
    assert together([twice] * THREADS) == [expected] * THREADS


def test_threads_may_load_and_call_before_anything_else_was_done() -> None:
    command = [sys.executable, "-c", COLD, str(RECORDED / "gru_tagger.pt")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
