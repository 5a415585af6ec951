"""What to write in place of what modules have in Python, but not in programs."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

_NAMING = "name them, as in `self.weight`, or loop over the layers with self.children()"
_OUTSIDE = "call it in Python, on the compiled module: a program cannot change how it is compiled"
_IN_INIT = "call it in __init__: which attributes a module has is fixed when it is compiled"
_WAYS_OUT = {
    **dict.fromkeys(("parameters", "named_parameters", "buffers", "state_dict"), _NAMING),
    **dict.fromkeys(("train", "eval", "requires_grad_", "zero_grad", "apply"), _OUTSIDE),
    **dict.fromkeys(("load_state_dict", "to", "float", "double", "half"), _OUTSIDE),
    **dict.fromkeys(("cuda", "cpu"), "leave it out: tsc computes on the CPU"),
    **dict.fromkeys(("register_buffer", "register_parameter", "add_module"), _IN_INIT),
    **dict.fromkeys(("register_module", "register_forward_hook"), _IN_INIT),
    "append": "append in __init__: which layers a container has is fixed when it is compiled",
}


def member_hint(name: str, known: Sequence[str]) -> str:
    """What to do about a name that a module has not, of which it has the ``known`` ones."""
    if name in _WAYS_OUT:
        return _WAYS_OUT[name]
    similar = get_close_matches(name, known, 1)
    return f"did you mean '{similar[0]}'?" if similar else "set it in __init__"
