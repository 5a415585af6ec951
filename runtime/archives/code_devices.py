"""Devices that are baked into the code of an archive, as tracing on a GPU leaves them."""

from __future__ import annotations

import re

from tsc.runtime.serialization.code_text import CodeText

_LITERAL = re.compile(r"""torch\s*\.\s*device\(\s*(?P<name>"[^"\n]*"|'[^'\n]*')""")
_CPU = '"cpu"'


def moved_to_the_cpu(path: str, text: str) -> str:
    """The code with the CPU for every device that it names. All places in it stay where they were."""
    if "torch" not in text or "device" not in text:
        return text
    pieces: list[str] = []
    end = 0
    for mention in CodeText(path, text).mentions():
        if mention.name != "torch.device" or not mention.is_called:
            continue
        found = _LITERAL.match(text, mention.offset)
        if found is not None and len(found["name"]) >= len(_CPU):
            pieces += [text[end : found.start("name")], _CPU.ljust(len(found["name"]))]
            end = found.end()
    return "".join([*pieces, text[end:]])
