"""The program of a `.pt2` file: the operators that its graphs call, by the policy; nothing of it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.targets import Target
from tsc.runtime.audit import findings as rules
from tsc.runtime.audit.code_scan import judged_operator
from tsc.runtime.audit.findings import Finding
from tsc.runtime.audit.policy import Policy
from tsc.runtime.exported.loading import read_without_tensors
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError

_PROGRAM: Final = "models"
_OF_PYTORCH: Final = ("_operator.", "operator.", "math.", "torch.")
"""Functions of Python that sizes are computed with, as programs name them."""


def scan_program(archive: ArchiveReader, policy: Policy) -> list[Finding]:
    """Findings in the graphs, those of branches and loops included; each message once, at the first call."""
    try:
        program, _ = read_without_tensors(archive)
    except ArchiveError as error:
        message = error.message.removeprefix(f"{archive.name}: ")
        return [Finding(rules.BROKEN_CODE, message, _PROGRAM)]
    found: dict[str, Finding] = {}
    for node, target in _calls(program.graph_module):
        for rule, message in _judged(target, policy):
            if message not in found:
                found[message] = Finding(rule, f"{message}: {node} calls it", _PROGRAM)
    return list(found.values())


def _calls(module: GraphModule) -> Iterator[tuple[str, Target]]:
    for node in module.graph.nodes:
        if isinstance(node.target, Target):
            yield node.name, node.target
    for each in module.modules.values():
        yield from _calls(each)


def _judged(target: Target, policy: Policy) -> Iterator[tuple[rules.Rule, str]]:
    if target.is_operator:
        yield from judged_operator(target.name, policy)
    elif not target.text.startswith(_OF_PYTORCH):
        yield rules.UNLISTED_OPERATOR, f"{target.text} is no function of PyTorch's programs"
