"""How reports say what is in an archive: without what PyTorch's bookkeeping adds to every module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tsc.runtime.inspection.module_tree import ModuleInfo
from tsc.runtime.inspection.operators_used import Inventory
from tsc.runtime.inspection.visible import counted

_MANGLED = re.compile(r"___torch_mangle_\d+\.")
_OF_PYTORCH = re.compile(r"(?:^|/)(?:site|dist)-packages/torch/|^torch/")
_LONG_FLOAT = re.compile(r"-?\d+\.\d{12,}(?:e[-+]?\d+)?", re.ASCII)
_BOOKKEEPING = {"_is_full_backward_hook": "None", "_backward_hooks": "None"}
_MOST_FILES = 8
_THERE = ("cpu",)


def class_in_words(name: str) -> str:
    """A class without the package that all of them are in, and without the number that keeps equal names apart."""
    return _MANGLED.sub("", name.removeprefix("__torch__."))


def attributes_worth_telling(row: ModuleInfo, outermost: ModuleInfo) -> Iterator[tuple[str, str]]:
    """Attributes and constants, but for hooks that are not there and the mode that all modules are in."""
    mode = outermost.attributes.get("training")
    for name, value in (*row.attributes.items(), *row.constants.items()):
        is_common = name == "training" and value == mode
        if not is_common and _BOOKKEEPING.get(name) != value:
            yield name, _shortest_number(value)


def _shortest_number(text: str) -> str:
    """Code spells floats with 17 digits: ``0.10000000000000001`` is ``0.1``."""
    return repr(float(text)) if _LONG_FLOAT.fullmatch(text) else text


def mode_text(rows: Sequence[ModuleInfo]) -> str | None:
    """Whether the modules are in the mode for training or in that for evaluation."""
    modes = [row.attributes["training"] for row in rows if "training" in row.attributes]
    if not modes:
        return None
    training = modes.count("True")
    if training == 0:
        return "evaluation"
    if training == len(modes):
        return "training (dropout and the like are active; eval() ends that)"
    return f"mixed: {training} of {len(modes)} modules are in training mode"


def obstacles(inventory: Inventory) -> Iterator[str]:
    """What of the code tsc cannot run, or not as it stands."""
    if inventory.lacking:
        count = counted(len(inventory.lacking), "operator")
        yield f"{count} that tsc has not: {_listed(inventory.lacking)}"
    if inventory.torchbind:
        yield f"classes of C++, which tsc has not: {_listed([*inventory.torchbind])}"
    devices = [name for name in inventory.devices if not name.startswith(_THERE)]
    if devices:
        yield f"the code names devices, take them for the CPU with map_location: {_listed(devices)}"


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _MOST_FILES
    return ", ".join(names[:_MOST_FILES]) + (f" and {rest} more" if rest > 0 else "")


def made_from(origins: Sequence[str]) -> str:
    """The files that the code was made from; those of PyTorch itself are counted."""
    named_files = [each for each in origins if not each.startswith("<")]  # not "<string>"
    own = [each for each in named_files if _OF_PYTORCH.search(each) is None]
    rest = len(own) - _MOST_FILES
    parts = own[:_MOST_FILES]
    parts += [f"{rest} other files"] if rest > 0 else []
    library = len(named_files) - len(own)
    parts += [f"{library} file{'s' if library > 1 else ''} of PyTorch"] if library else []
    return ", ".join(parts)
