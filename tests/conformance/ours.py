"""tsc's side: scripts compiled by `tsc.CompilationUnit`, each once."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import tsc
from tsc.compiler.types import Device
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.values.tensor import Tensor

from .comparison import Described, Outcome

HEAD = "from typing import List, Optional\nfrom torch import Tensor\n"
_MISSING = re.compile(
    r"[Uu]nknown builtin op|has no attribute|nonexistent attribute|has no (?:method|operator|function)"
    r"|does not (?:know|have)|not supported|is not (?:known|defined)|undefined value"
)


class Failed(Exception):
    """tsc does not compile or run a script. `absent`: because it lacks what the script names."""

    def __init__(self, message: str, absent: bool) -> None:
        super().__init__(message)
        self.absent = absent


class Subject:
    """Scripts compiled by tsc, each once."""

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}

    def outcome(self, text: str, arrays: list[np.ndarray], seed: int) -> Outcome:
        """What the script returns, and the tensors afterwards.

        Raises:
            Failed: tsc refuses the script, or anything else goes wrong.
        """
        function = self._function(text)
        if isinstance(function, Failed):
            raise function
        tensors = [tsc.from_numpy(array) for array in arrays]
        tsc.manual_seed(seed)
        try:
            return Outcome(described(function(*tensors)), described(tensors))
        except tsc.ScriptError as error:
            raise Failed(f"{error.kind}: {last_line(str(error))}", absent=False) from None
        except Exception as error:  # noqa: BLE001  a bug of tsc is a finding, not the end of the run
            raise Failed(f"BUG {type(error).__name__}: {error}", absent=False) from None

    def _function(self, text: str) -> Any:
        if text not in self._compiled:
            try:
                self._compiled[text] = tsc.CompilationUnit(HEAD + text).f
            except tsc.CompileError as error:
                line = error.message.strip().splitlines()[0]
                self._compiled[text] = Failed(line, bool(_MISSING.search(error.message)))
            except Exception as error:  # noqa: BLE001
                self._compiled[text] = Failed(f"BUG {type(error).__name__}: {error}", absent=False)
        return self._compiled[text]


def last_line(text: str) -> str:
    """The last line that says something, without the exception's name."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("RuntimeError: ") if lines else ""


def described(value: Any) -> Any:
    """A result in the common form."""
    if isinstance(value, Tensor):
        values = np.array(value.array)
        if values.dtype.name in ("bfloat16", "float16"):
            values = values.astype(np.float32)
        return Described(str(value.dtype), values)
    if isinstance(value, list):
        return [described(each) for each in value]
    if isinstance(value, tuple):
        return tuple(described(each) for each in value)
    if isinstance(value, (DType, Device)):
        return str(value)
    return value
