"""Records graphs of PyTorch together with the Python it prints for them.

Run it with ``python -m tests.oracle.printed_code``; it writes ``RECORD``. With ``--check`` it says which of
the recorded functions PyTorch prints otherwise today. It wants a process of its own: it gives PyTorch
new compilation units, which functions compiled before do not survive.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

from tests.oracle.deviations import DEVIATIONS
from tests.oracle.programs import Program, all_programs, read_programs

PRINTING = Path(__file__).parents[1] / "printing"
RECORD = PRINTING / "data" / "pytorch_code.json.gz"
_COMMENT = re.compile(r" # [^\n]*?:\d+:\d+$", re.MULTILINE)

_UNREADABLE = re.compile(
    r"Enum<|torch\.Generator\(|=Device|Device [a-z]+=|Union\([^)]*\) \w+=|= ?torch\.device"
)
"""What PyTorch writes into a graph or a schema, but does not read there."""

Recorded = dict[str, Any]


def printed_programs() -> list[Program]:
    """The corpus but for code that is known to differ, and what the printer needs beyond it."""
    corpus = [each for each in all_programs() if "code" not in DEVIATIONS.get(each.key, {})]
    return [*corpus, *read_programs(PRINTING / "programs.txt")]


def recordings(program: Program) -> list[Recorded]:
    """Graph, schema and code of each function; nothing if the program does not compile."""
    import torch

    from tests.oracle.pytorch import imported

    warnings.simplefilter("ignore")
    with imported(program, whole=False) as module:
        try:
            functions = {n: torch.jit.script(getattr(module, n)) for n in program.functions}
        except Exception:  # noqa: BLE001  the corpus has programs that must not compile
            return []
        return [
            {
                "key": f"{program.key}/{name}",
                "name": name,
                "graph": _COMMENT.sub("", str(function.graph)),
                "schema": str(function.schema),
                "functions": _qualified_names(function.graph),
                "code": function.code,
            }
            for name, function in functions.items()
            if "___torch_mangle_" not in function.code  # several functions of one name
            and not _UNREADABLE.search(f"{function.schema}\n{function.graph}")
        ]


def _qualified_names(graph: Any) -> dict[str, str]:
    """What the functions named in a graph are called in full."""
    names: dict[str, str] = {}
    blocks = [graph]
    while blocks:
        for node in blocks.pop().nodes():
            blocks.extend(node.blocks())
            if node.hasAttribute("Subgraph"):
                blocks.append(node.g("Subgraph"))
            if node.hasAttribute("name") and node.kind() == "prim::Constant":
                names[node.s("name")] = node.output().type().annotation_str
    return names


def record() -> None:
    """Write what PyTorch prints now."""
    everything = [each for program in printed_programs() for each in recordings(program)]
    RECORD.parent.mkdir(exist_ok=True)
    text = json.dumps(everything, indent=0, ensure_ascii=False)
    RECORD.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(everything)} functions")


def stale() -> list[str]:
    """The recorded functions of programs that are still there which PyTorch prints otherwise."""
    recorded = {each["key"]: each for each in json.loads(gzip.decompress(RECORD.read_bytes()))}
    now = [each for program in printed_programs() for each in recordings(program)]
    return [each["key"] for each in now if recorded.get(each["key"], each) != each]


if __name__ == "__main__":
    if "--check" in sys.argv:
        print("\n".join(found := stale()))
        sys.exit(1 if found else 0)
    record()
