"""What an audit accepts: a policy, as a TOML file or the one that is built in."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tsc.compiler.source import UsageError
from tsc.runtime.audit.findings import RULES

DEFAULT_TEXT = """\
# The policy of `tsc audit`. Patterns have * and ?. What a file leaves out is as it is here.

[operators]
allow = ["aten::*", "prim::*", "quantized::*"]
# denied although they are allowed: files, Python, other machines, memory of other tensors
deny = [
    "aten::save", "aten::from_file", "aten::set_data", "prim::PythonOp", "prim::IgnoredPythonOp",
    "prim::rpc_*", "aten::to_here", "aten::get_gradients", "c10d::*", "_c10d_functional*::*", "symm_mem::*",
    "debugprims::*", "inductor::*",
]
# reported as warnings: views and indices that are easily wrong
review = [
    "aten::as_strided*", "aten::_reshape_alias*", "aten::set_", "aten::set", "aten::resize_", "aten::resize_as_",
    "aten::_resize_output*", "aten::_unsafe_index*", "aten::_unsafe_masked_index*", "aten::_unsafe_view",
]

[pickles]
# names beside those of data that pickles may hold, such as "numpy.*"
allow = []

[code]
# classes that may have __setstate__, such as "__torch__.torch.ao.nn.*"
setstate = []
# classes of C++ that may be used
torchbind = []

[files]
max_bytes = 17_179_869_184
max_entries = 65_536
max_code_bytes = 16_777_216
# extra files that may be in an archive
extra = ["*.txt", "*.json", "*.yaml", "*.yml", "*.md", "*.csv"]

[findings]
# codes that are not reported
ignore = []
"""


@dataclass(frozen=True, slots=True)
class Policy:
    """Patterns and limits, named as in the file."""

    allowed_operators: tuple[str, ...]
    denied_operators: tuple[str, ...]
    reviewed_operators: tuple[str, ...]
    allowed_globals: tuple[str, ...]
    allowed_setstate: tuple[str, ...]
    allowed_torchbind: tuple[str, ...]
    max_bytes: int
    max_entries: int
    max_code_bytes: int
    allowed_extra: tuple[str, ...]
    ignored: frozenset[str]


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns fits the whole name."""
    return _compiled(patterns).match(name) is not None


@cache
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """All patterns as one; without patterns, one that fits nothing."""
    return re.compile("|".join(fnmatch.translate(each) for each in patterns) or r"(?!)")


def read_policy(path: str | None) -> Policy:
    """The policy in a file, or the built-in one.

    Raises:
        UsageError: the file cannot be read, or has keys or values that a policy has not.
    """
    defaults = tomllib.loads(DEFAULT_TEXT)
    if path is None:
        return _policy(defaults)
    try:
        given = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: this is no TOML: {error}") from None
    return _policy(_merged(defaults, given, path))


def _merged(defaults: dict[str, Any], given: dict[str, Any], path: str) -> dict[str, Any]:
    """The defaults with what is given instead; a key that is not among them is a mistake."""
    for section, values in given.items():
        if section not in defaults:
            raise UsageError(f"{path}: there is no section [{section}]; known: {_listed(defaults)}")
        if not isinstance(values, dict):
            raise UsageError(f"{path}: {section} is no section")
        for key, value in values.items():
            _check(f"{path}: {section}.{key}", defaults[section], key, value)
    return {section: values | given.get(section, {}) for section, values in defaults.items()}


def _check(place: str, defaults: dict[str, Any], key: str, value: Any) -> None:
    if key not in defaults:
        raise UsageError(f"{place} is unknown; known: {_listed(defaults)}")
    if isinstance(defaults[key], int):
        if type(value) is not int or value < 0:
            raise UsageError(f"{place} is no number")
    elif not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f"{place} is no list of texts")


def _listed(names: dict[str, Any]) -> str:
    return ", ".join(names)


def _policy(content: dict[str, Any]) -> Policy:
    operators, code, files = content["operators"], content["code"], content["files"]
    ignored = content["findings"]["ignore"]
    for each in ignored:
        if each not in RULES:
            raise UsageError(f"findings.ignore: there is no code {each}; known: {_listed(RULES)}")
    return Policy(
        tuple(operators["allow"]),
        tuple(operators["deny"]),
        tuple(operators["review"]),
        tuple(content["pickles"]["allow"]),
        tuple(code["setstate"]),
        tuple(code["torchbind"]),
        files["max_bytes"],
        files["max_entries"],
        files["max_code_bytes"],
        tuple(files["extra"]),
        frozenset(ignored),
    )
