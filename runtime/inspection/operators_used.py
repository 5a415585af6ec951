"""Which operators the code of an archive mentions, how often, and which of them tsc has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tsc.compiler.emit.calls.builtin_functions import builtin_definitions
from tsc.compiler.emit.names.known_modules import OPERATOR_PREFIXES
from tsc.compiler.schema import OperatorTable
from tsc.runtime.serialization.code_text import CodeText, Mention

TORCHBIND = "__torch__.torch.classes."
_BARE_TORCHBIND = "torch.classes."
_OF_THE_COMPILER = {"prim::fork", "prim::awaitable"}
"""What the compiler makes itself, and no table lists."""
_PLAIN_CALLS = {
    "int": "aten::Int",
    "float": "aten::Float",
    "bool": "aten::Bool",
    "str": "aten::str",
    "complex": "aten::Complex",
    "len": "aten::len",
    "print": "prim::Print",
    "ord": "aten::ord",
    "chr": "aten::chr",
    "hex": "aten::hex",
    "abs": "prim::abs",
    "unchecked_cast": "prim::unchecked_cast",
    "uninitialized": "prim::Uninitialized",
    "fork": "prim::fork",
    "awaitable": "prim::awaitable",
}
_LONGEST_PREFIX = "torch.ops."


@dataclass(slots=True)
class Inventory:
    """How often each operator is mentioned, by name, and what else the code needs."""

    counts: Counter[str] = field(default_factory=Counter)
    lacking: list[str] = field(default_factory=list)
    torchbind: Counter[str] = field(default_factory=Counter)
    devices: Counter[str] = field(default_factory=Counter)


def take_inventory(files: Iterable[CodeText], table: OperatorTable) -> Inventory:
    """Count operators, classes of C++ and device literals in code files."""
    found = Inventory()
    for code in files:
        for mention in code.mentions():
            use = operator_of(mention)
            if use is not None:
                found.counts[use] += 1
            if use == "aten::device" or mention.name == "torch.device":
                literal = code.string_after(mention.offset)
                if literal is not None:
                    found.devices[literal] += 1
            if mention.name.startswith((TORCHBIND, _BARE_TORCHBIND)):
                name = mention.name.removeprefix("__torch__.")
                found.torchbind[f"__torch__.{name}"] += 1
    known = set(table.names()) | _OF_THE_COMPILER
    found.lacking = sorted(
        name for name in found.counts if name not in known and not builtin_definitions(name)
    )
    return found


def operator_of(mention: Mention) -> str | None:
    """The operator that a name means, if it means one: ``torch.relu`` is ``aten::relu``."""
    name = mention.name
    root, dot, rest = name.partition(".")
    if root == "torch" and dot:
        return _torch_operator(name)
    if root == "ops" and dot:
        return _in_namespace(rest)
    if not dot and mention.is_called:
        return _PLAIN_CALLS.get(name)
    return None


def _torch_operator(name: str) -> str | None:
    """The archive's ``torch`` has all operators of ``aten``, those of modules under longer names."""
    if name.startswith(_LONGEST_PREFIX):
        return _in_namespace(name.removeprefix(_LONGEST_PREFIX))
    module, _, last = name.rpartition(".")
    prefix = OPERATOR_PREFIXES.get(module)
    if prefix is None:
        return None if name.startswith("torch.classes") else f"aten::{last}"
    return f"{prefix}{last}"


def _in_namespace(path: str) -> str | None:
    namespace, dot, name = path.partition(".")
    return f"{namespace}::{name.partition('.')[0]}" if dot and name else None
