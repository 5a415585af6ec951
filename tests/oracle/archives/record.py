"""Writes the archives of the folder ``recorded`` anew, and what PyTorch computes with them.

.venv-oracle/bin/python -m tests.oracle.archives.record
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from .answers import described

if TYPE_CHECKING:
    from .table import Sample

FOLDER = Path(__file__).parent / "recorded"
NAMES = (
    *(
        "attributes",
        "class_attributes",
        "class_instances",
        "constants",
        "containers",
        "control_flow",
    ),
    *(
        "dtypes",
        "enums",
        "forks",
        "get_state",
        "grad_mode",
        "hooks_inside",
        "hooks_outside",
        "interface",
    ),
    *("interface_list", "named_tuples", "optional_absent", "optional_there", "several_methods"),
    *("shared_tensors", "texts", "gru_tagger", "traced_sequential", "mobilenet"),
    *("traced_numbers", "other_first_parameter"),
)


def answer(path: Path, sample: Sample) -> dict[str, Any]:
    """State, code and results of a saved module, as PyTorch has them after loading it."""
    module = torch.jit.load(path)
    found = {"state": described(dict(module.state_dict())), "code": codes(module), "calls": []}
    for call in sample.calls:
        arguments = described(list(call.arguments))
        method = module if call.method == "forward" else getattr(module, call.method)
        result = described(method(*call.arguments))
        found["calls"].append({"method": call.method, "arguments": arguments, "result": result})
    return found


def codes(module: torch.jit.ScriptModule) -> dict[str, str]:
    """The text of every method of every module, hooks excepted."""
    found: dict[str, str] = {}
    for path, each in module.named_modules():
        for name in each._c._method_names():
            found[f"{path}.{name}"] = each._c._get_method(name).code
    return found


def _without_origins(path: Path) -> None:
    """Traced modules record whole tracebacks, with the folders of this machine: leave them out."""
    with zipfile.ZipFile(path) as archive:
        kept = {
            name: archive.read(name)
            for name in archive.namelist()
            if not name.endswith(".debug_pkl")
        }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in kept.items():
            archive.writestr(zipfile.ZipInfo(name), content)


def _with_short_filename(*arguments: Any) -> Any:
    lines, first_line, filename = _source_lines(*arguments)
    return lines, first_line, Path(filename or "unknown.py").name


_source_lines = torch._sources.get_source_lines_and_file


def main() -> None:
    torch._sources.get_source_lines_and_file = _with_short_filename
    from .table import SAMPLES  # compiles classes

    FOLDER.mkdir(exist_ok=True)
    answers: dict[str, Any] = {}
    for sample in SAMPLES:
        if sample.name in NAMES:
            path = FOLDER / f"{sample.name}.pt"
            sample.make().save(path)
            if sample.name.startswith("traced_"):
                _without_origins(path)
            answers[sample.name] = answer(path, sample)
    text = json.dumps(answers, indent=None, separators=(",", ":"))
    (FOLDER / "answers.json").write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
