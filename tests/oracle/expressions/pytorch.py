"""What PyTorch answers to an expression.

Each runs in a process of its own: some end PyTorch's (a division by zero), some keep it busy
forever (counting the occurrences of an empty string).
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import resource
import signal
import tempfile
import warnings
from pathlib import Path
from typing import Any

import torch

from tests.oracle.answers import plain
from tests.oracle.expressions.tables import Expression
from tests.oracle.pytorch import first_line, tensor

_MOST_SECONDS = 4
_MOST_MEMORY = 6 << 30


def their_answer(expression: Expression) -> dict[str, Any]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(_MOST_SECONDS)
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        with os.fdopen(writer, "w") as output:
            output.write(json.dumps(_answer(expression)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    status = os.waitpid(child, 0)[1]
    return json.loads(text) if text else {"crash": signal.Signals(os.WTERMSIG(status)).name}


def _answer(expression: Expression) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "expression.py"
        path.write_text(expression.source, encoding="utf-8")
        specification = importlib.util.spec_from_file_location("expression", path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        try:
            specification.loader.exec_module(module)
            function = torch.jit.script(module.f)
        except Exception as error:  # noqa: BLE001  any failure of the reference is an answer
            return {"refused": first_line(str(error))}
    return {"rows": [_row(function, expression.arguments(row)) for row in expression.rows]}


def _row(function: Any, arguments: tuple[object, ...]) -> dict[str, Any]:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return {"value": plain(function(*arguments), tensor)}
    except Exception as error:  # noqa: BLE001
        return {"error": _last_line(str(error))}


def _last_line(message: str) -> str:
    """What the operator says: the last line, without the kind of the error."""
    last = message.strip().splitlines()[-1]
    kind, colon, text = last.partition(": ")
    return text if colon and kind.isidentifier() else last
