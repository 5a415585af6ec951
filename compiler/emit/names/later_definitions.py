"""What stands below a definition under ``@torch.jit.script``, which PyTorch compiles before it reads on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tsc.compiler.frontend.tree_views import ClassDef, Def
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.source.extension_errors import naming


class LaterDefinitions:
    """``scripted`` are the definitions under the decorator, in order; ``first`` is where names are bound first."""

    __slots__ = ("_first", "_scripted", "_starts")

    def __init__(self, scripted: Sequence[Def | ClassDef], first: dict[str, int]) -> None:
        self._scripted = scripted
        self._starts = [each.range.start for each in scripted]
        self._first = first

    def refuse(self, name: str, range: SourceRange) -> None:
        """Raise CompileError for a name in a scripted definition that is bound only behind it."""
        index = bisect_right(self._starts, range.start) - 1
        if index < 0 or name not in self._first:
            return
        around = self._scripted[index].range
        if around.source is not range.source or range.end > around.end:
            return
        if self._first[name] > around.end:
            error = CompileError(
                f"undefined value {name}",
                range,
                code=codes.ONLY_IN_TSC,
                hint=f"define '{name}' above: @torch.jit.script compiles at once",
            )
            raise naming([extensions.LATER_DEFINITIONS], error)
