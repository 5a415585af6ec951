"""What an audit can find: the rules with their codes, and findings at places of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding. Its code never changes its meaning."""

    code: str
    name: str
    severity: Severity
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule, broken at a place: an entry of the archive, and a line of it if it is code."""

    rule: Rule
    message: str
    entry: str = ""
    line: int | None = None


def _rule(code: str, name: str, severity: Severity, title: str, reason: str) -> Rule:
    rule = Rule(code, name, severity, title, reason)
    RULES[code] = rule
    return rule


RULES: dict[str, Rule] = {}

REFUSED_CONTAINER = _rule(
    "TA101",
    "refused-container",
    "error",
    "the zip archive is made to mislead its reader",
    "Overlapping or doubled entries, names that lead out of the archive and contradicting directories show each "
    "reader another content. No PyTorch writes them.",
)
HIDDEN_BYTES = _rule(
    "TA102",
    "hidden-bytes",
    "warning",
    "bytes of the file belong to no entry",
    "Bytes before, between or behind the entries are seen by no reader of archives, and may be another file.",
)
COMPRESSED = _rule(
    "TA103",
    "compressed-entry",
    "note",
    "an entry is compressed",
    "PyTorch stores all entries but code as they are; the archive was written or changed by another program.",
)
BOMB = _rule(
    "TA104",
    "zip-bomb",
    "error",
    "an entry grows beyond all measure when it is read",
    "It exhausts the memory of whoever reads it.",
)
FOREIGN_ENTRY = _rule(
    "TA105",
    "foreign-entry",
    "warning",
    "an entry that PyTorch does not write",
    "Loading does not use it. It may be a program that is smuggled past a scan of the model.",
)
EXTRA_FILE = _rule(
    "TA106",
    "extra-file",
    "warning",
    "an extra file that the policy does not allow",
    "Extra files are handed to the program that loads the archive, which may do anything with them.",
)
TOO_LARGE = _rule(
    "TA107",
    "too-large",
    "error",
    "more than the policy allows",
    "The policy limits sizes and numbers.",
)
WRONG_CHECKSUM = _rule(
    "TA108",
    "wrong-checksum",
    "error",
    "the bytes of an entry are not those that were written",
    "The file was damaged, or changed by someone who did not know of the checksum.",
)
OTHER_PROGRAM = _rule(
    "TA109",
    "unexamined-program",
    "warning",
    "the file holds a program that is not TorchScript",
    "Its code is not examined here.",
)
UNUSED_ENTRY = _rule(
    "TA110",
    "unused-entry",
    "note",
    "an entry that nobody reads, and that is no program",
    "Loading does not use it: a picture, a text or a table that somebody added.",
)
DANGEROUS_GLOBAL = _rule(
    "TA201",
    "dangerous-global",
    "error",
    "a pickle names a function that can do anything",
    "Python's pickle, and torch.load without weights_only, import and call what a pickle names.",
)
FOREIGN_GLOBAL = _rule(
    "TA202",
    "foreign-global",
    "warning",
    "a pickle names something that is no data",
    "Loading it with Python imports the module that it names, and calls what it names there.",
)
BROKEN_PICKLE = _rule(
    "TA203",
    "broken-pickle",
    "error",
    "a pickle that cannot be read to its end",
    "What follows the place where a scan stops may still be run by another reader.",
)
BEHIND_PICKLE = _rule(
    "TA204",
    "bytes-behind-pickle",
    "warning",
    "bytes follow the end of a pickle",
    "Readers stop at the end of a pickle; what follows is unseen, and may be a second one.",
)
TORCHBIND_OBJECT = _rule(
    "TA205",
    "torchbind-object",
    "warning",
    "an object of a C++ class",
    "Loading it runs the C++ code that unpacks its state.",
)
OUT_OF_BOUNDS = _rule(
    "TA206",
    "tensor-out-of-bounds",
    "error",
    "a tensor reaches beyond its storage",
    "A reader that does not check this reads memory that is not the file's.",
)
RUNS_AT_LOAD = _rule(
    "TA301",
    "runs-at-load",
    "warning",
    "a method that runs while the archive is loaded",
    "PyTorch calls __setstate__ of each object that has one, before anybody has called the model.",
)
DENIED_OPERATOR = _rule(
    "TA302",
    "denied-operator",
    "error",
    "an operator that the policy denies",
    "By default these are the ones that write or map files, talk to other machines, or call Python.",
)
UNLISTED_OPERATOR = _rule(
    "TA303",
    "unlisted-operator",
    "warning",
    "an operator that the policy does not allow",
    "Operators outside of PyTorch's own namespaces are libraries of C++ that must be loaded before.",
)
HIDDEN_OPERATOR = _rule(
    "TA304",
    "hidden-operator",
    "error",
    "the code hides which operators it uses",
    "It gives a namespace of operators another name, or looks one up by a text. No PyTorch writes this.",
)
TORCHBIND_CLASS = _rule(
    "TA305",
    "torchbind-class",
    "warning",
    "the code uses a class of C++",
    "Its methods are no TorchScript and cannot be examined.",
)
BROKEN_CODE = _rule(
    "TA306",
    "broken-code",
    "error",
    "code that cannot be parsed",
    "No PyTorch writes it; another reader may see other code in it.",
)
REVIEWED_OPERATOR = _rule(
    "TA307",
    "risky-operator",
    "warning",
    "an operator that has been used to reach foreign memory",
    "Views with arbitrary strides and unchecked indices read or write out of bounds where a check is missing.",
)
