"""Hostile input tried in forks of one process that has tsc loaded, which takes a twentieth of a second each.

python -m tests.limits.forked < trials: each line is a JSON list, of a name and of what to do (`ACTIONS`).
"""

from __future__ import annotations

import gc
import io
import json
import os
import reprlib
import resource
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from tests.limits.hostile import HARD_MEMORY, HARD_SECONDS, Ended
from tsc.compiler.process_memory import memory_in_use

_MOST_TOLD: Final = 100_000
"""Bytes of output that are read."""
_SHORT: Final = 0.5
"""Seconds that a constructor may take: what would go on for long is known by then."""
Trial = tuple[str, Sequence[str]]
"""A name, and an action with its arguments."""


def endings(trials: Iterable[Trial]) -> Iterator[tuple[str, Ended]]:
    """Try everything, each in a fork of its own, and tell how it ended."""
    server = [sys.executable, "-m", "tests.limits.forked"]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as asked:
        asked.writelines(json.dumps(trial) + "\n" for trial in trials)
        asked.seek(0)
        with subprocess.Popen(
            server, stdin=asked, stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            for line in process.stdout or ():
                name, *ended = json.loads(line)
                yield name, Ended(*ended)
    assert process.returncode == 0


def problems(trials: Iterable[Trial]) -> str:
    """What is wrong with how they ended, as a text of some lines for each that did not end calmly."""
    told: list[str] = []
    for name, ended in endings(trials):
        try:
            ended.check_calm()
        except AssertionError as error:
            told.append(f"{name}: {error}"[:1500])
    return "\n".join(told)


# In the process that has tsc loaded -----------------------------------------------------------------


def _command(*arguments: str) -> None:
    """A command of ``tsc``."""
    from tsc.cli import main

    main(arguments, prog_name="tsc")


def _load(path: str) -> None:
    """Load an archive, and look at all of the model."""
    import tsc

    model: Any = tsc.load(path)
    for look in (repr, _code, _graph, _state, _saved, _called):
        with suppress(tsc.Error, AttributeError):
            look(model)


def _code(model: Any) -> object:
    return model.code


def _graph(model: Any) -> object:
    return str(model.inlined_graph)


def _state(model: Any) -> object:
    return str(model.state_dict())


def _saved(model: Any) -> object:
    import tsc

    return tsc.save(model, io.BytesIO())


def _called(model: Any) -> object:
    import tsc

    with tsc.limits(max_seconds=1, max_memory="64M"):
        return model()


def _take_out(path: str) -> None:
    """Take the tensors out of a file. Python's own text of lists that share lists would never end."""
    import tsc

    reprlib.repr(tsc.load_tensors(path))


def _construct(path: str) -> None:
    """Make the module M of a file, and look at it."""
    import tsc

    with tsc.limits(max_seconds=_SHORT):
        model = tsc.compile_file(path).M()
    for look in (_code, _saved):
        with suppress(tsc.Error):
            look(model)


ACTIONS: dict[str, Callable[..., None]] = {
    "tsc": _command,
    "load": _load,
    "take out": _take_out,
    "construct": _construct,
}


def _serve() -> None:
    """Try what is asked on standard input."""
    trials = [json.loads(line) for line in sys.stdin]
    _warm_up()
    gc.collect()
    gc.freeze()
    for name, action in trials:
        print(json.dumps([name, *_tried(action)]), flush=True)


def _warm_up() -> None:
    """Import what trials need, by doing what they do with a harmless file."""
    from tests.limits.hostile_archives import CLASS, FORWARD, archive, module

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "m.pt")
        file.write_bytes(archive(CLASS + FORWARD, module()))
        source = Path(folder, "m.py")
        source.write_text(
            "import torch\nfrom torch import nn\nclass M(nn.Module):\n    def __init__(self):\n"
            "        super().__init__()\n        self.x = nn.Linear(2, 2)\n    def forward(self):\n        return 1\n"
        )
        quiet = io.StringIO()
        with redirect_stdout(quiet), redirect_stderr(quiet):
            for path in (file, source):
                for name in ("check", "compile", "print-code", "run", "inspect", "audit"):
                    with suppress(SystemExit):
                        _command(name, str(path))
            _load(str(file))
            _construct(str(source))


def _tried(action: Sequence[str]) -> tuple[Any, ...]:
    """How it ended, as the parts of `Ended`; its memory is what it took beside that of this process."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            _perform(action, output.fileno(), errors.fileno())
        status, usage = os.wait4(child, 0)[1:]
        texts = (_read(output), _read(errors))
    seconds = usage.ru_utime + usage.ru_stime
    memory = (usage.ru_maxrss << 10) - memory_in_use()
    return (os.waitstatus_to_exitcode(status), *texts, seconds, max(memory, 0))


def _read(file: Any) -> str:
    file.seek(0)
    return file.read(_MOST_TOLD).decode("utf-8", "replace")


def _perform(action: Sequence[str], output: int, errors: int) -> NoReturn:
    """Do it, and end the process as the command line does."""
    resource.setrlimit(resource.RLIMIT_CPU, (HARD_SECONDS, HARD_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (HARD_MEMORY, HARD_MEMORY))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    status = 3
    try:
        status = _status_of(action)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001  told to who asked
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _status_of(action: Sequence[str]) -> int:
    import tsc

    name, *arguments = action
    try:
        ACTIONS[name](*arguments)
    except tsc.Error as error:
        print(str(error), file=sys.stderr)
        return 1
    except SystemExit as exit:
        return int(exit.code or 0)
    return 0


if __name__ == "__main__":
    _serve()
