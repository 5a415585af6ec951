"""Where tsc's graph, code or acceptance differs from PyTorch's on purpose, and why.

Keys are ``topic/program``; values name what differs (``graph``, ``code``, ``error``, ``result``) and the reason.
A deviation that no longer shows fails the tests, so the list stays true.
"""

from __future__ import annotations

from .extensions import deviations as deviations_of_extensions

_LONG_NAMES = (
    "PyTorch's own parser does not read this program; scripted from Python, its functions have longer "
    "qualified names, at which PyTorch breaks lines into more parts"
)

_UNION_AMONG_OTHERS = (
    "PyTorch sets a variable of a Union together with others, without its type, "
    "and cannot read that back"
)

_DROPPED_WRITE = (
    "PyTorch takes what a loop gives for what its body makes, though the loop may not run, and drops a "
    "write that its eager mode makes"
)

_ONE_GENERATOR = "PyTorch makes a generator when it compiles, and every call goes on with it"

DEVIATIONS: dict[str, dict[str, str]] = {
    **deviations_of_extensions(),
    "devices/generators_made": {"graph": _ONE_GENERATOR, "code": _ONE_GENERATOR},
    "unions/narrowed_by_and_or": {"code": _UNION_AMONG_OTHERS},
    "unions/returns_of_two_types": {"code": _UNION_AMONG_OTHERS},
    "control_flow/write_after_a_loop_that_does_not_run": dict.fromkeys(
        ("graph", "code", "result"), _DROPPED_WRITE
    ),
    "classes/interface": {"code": _LONG_NAMES},
    "samples/shape_functions": {"code": _LONG_NAMES},
}
