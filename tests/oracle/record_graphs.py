"""Record PyTorch's graphs of the emitter's programs: ``python -m tests.oracle.record_graphs``."""

from __future__ import annotations

import torch

from tests.emit.recorded_graphs import FOLDER, read_graphs

from .answers import normalize_graph
from .programs import Program
from .pytorch import imported


def main() -> None:
    for path in sorted(FOLDER.glob("*.txt")):
        chunks = []
        for recorded in read_graphs(path):
            with imported(Program(path.stem, recorded.name, recorded.source, ())) as module:
                graph = normalize_graph(str(torch.jit.script(module.f).graph))
            chunks.append(f"===\n{recorded.source}---\n{graph}\n")
        path.write_text("".join(chunks), encoding="utf-8")
        print(f"{path.stem}: {len(chunks)} graphs")


if __name__ == "__main__":
    main()
