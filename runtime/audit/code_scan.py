"""The code of an archive: operators by the policy, what runs at load, and ways to hide either."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tsc.compiler.emit.names.known_modules import OPERATOR_PREFIXES
from tsc.runtime.audit import findings as rules
from tsc.runtime.audit.findings import Finding
from tsc.runtime.audit.policy import Policy, matches
from tsc.runtime.inspection.declarations import Declarations
from tsc.runtime.inspection.operators_used import TORCHBIND, operator_of
from tsc.runtime.serialization.code_text import CodeText, Mention

_PYTHON_OP = re.compile(r"\^[^\W\d]\w*\(")
_NAMESPACE = re.compile(r"(?:torch\.)?ops(?:\.\w+)?")
_MOST_FINDINGS = 1000  # of a file
_SPECIAL_ROOTS = ("torch", "ops", "__torch__", "CONSTANTS", "math")


def scan_code(files: dict[str, CodeText], declared: Declarations, policy: Policy) -> list[Finding]:
    """Findings in code files, in the order of files and lines; each message once a file."""
    found: dict[tuple[str, str], Finding] = {}
    for path, code in files.items():
        entry = f"code/{path}"
        if path in declared.problems:
            finding = Finding(rules.BROKEN_CODE, declared.problems[path], entry)
            found[entry, finding.message] = finding
        for rule, message, offset in islice(_scan_file(code, policy), _MOST_FINDINGS):
            key = (entry, message)
            if key not in found:
                found[key] = Finding(rule, message, entry, code.line_of(offset))
    for name, method in declared.methods():
        if method.name == "__setstate__" and not matches(name[:-13], policy.allowed_setstate):
            entry = f"code/{method.file}"
            message = f"{name} runs when the archive is loaded"
            found[entry, message] = Finding(rules.RUNS_AT_LOAD, message, entry, method.line)
    return list(found.values())


def _scan_file(code: CodeText, policy: Policy) -> Iterator[tuple[rules.Rule, str, int]]:
    """Rule, message and offset of each suspicious mention."""
    seen: set[str] = set()
    for mention in code.mentions():
        if mention.name == "getattr":
            yield from _looked_up(code, mention, policy)
        elif mention.name not in seen:
            seen.add(mention.name)
            for rule, message in _judged(mention, policy):
                yield rule, message, mention.offset
    for call in _PYTHON_OP.finditer(code.bare):
        if matches("prim::PythonOp", policy.denied_operators):
            yield rules.DENIED_OPERATOR, f"prim::PythonOp calls {call[0][1:-1]}", call.start()


def _judged(mention: Mention, policy: Policy) -> Iterator[tuple[rules.Rule, str]]:
    name = mention.name
    if name == "torch" or name in OPERATOR_PREFIXES or _NAMESPACE.fullmatch(name):
        yield rules.HIDDEN_OPERATOR, f"{name} is used as a value"
        return
    if name.startswith((TORCHBIND, "torch.classes.")):
        class_ = name.replace("torch.classes.", TORCHBIND) if name[0] == "t" else name
        if not matches(class_, policy.allowed_torchbind):
            yield rules.TORCHBIND_CLASS, f"{class_} is a class of C++"
        return
    operator = operator_of(mention)
    if operator is not None:
        yield from judged_operator(operator, policy)
    elif name.partition(".")[0] not in _SPECIAL_ROOTS:
        yield from _judged_attribute(name, policy)


def judged_operator(operator: str, policy: Policy) -> Iterator[tuple[rules.Rule, str]]:
    """What the policy says of an operator by its name."""
    if matches(operator, policy.denied_operators):
        yield rules.DENIED_OPERATOR, f"{operator} is denied"
    elif matches(operator, policy.reviewed_operators):
        yield rules.REVIEWED_OPERATOR, f"{operator} is to be reviewed"
    elif not matches(operator, policy.allowed_operators):
        yield rules.UNLISTED_OPERATOR, f"{operator} is not among the operators that are allowed"


def _judged_attribute(name: str, policy: Policy) -> Iterator[tuple[rules.Rule, str]]:
    """A method of a tensor is an operator of the same name; here every value may be a tensor."""
    for part in name.split(".")[1:]:
        operator = f"aten::{part}"
        if matches(operator, policy.denied_operators):
            yield rules.DENIED_OPERATOR, f".{part} may be {operator}, which is denied"
        elif matches(operator, policy.reviewed_operators):
            yield rules.REVIEWED_OPERATOR, f".{part} may be {operator}, which is to be reviewed"


_GETATTR = re.compile(
    r"getattr\s*\(\s*[\w.()\[\]]{1,200}\s*,\s*(\"[^\"\\\n]*\"|'[^'\\\n]*')\s*[,)]"
)


def _looked_up(
    code: CodeText, mention: Mention, policy: Policy
) -> Iterator[tuple[rules.Rule, str, int]]:
    """``getattr`` of a plain text is how attributes with odd names are written."""
    found = _GETATTR.match(code.text, mention.offset)
    if found is None:
        yield rules.HIDDEN_OPERATOR, "getattr of a name that is not plain", mention.offset
        return
    for rule, message in _judged_attribute(f".{found[1][1:-1]}", policy):
        yield rule, message, mention.offset
