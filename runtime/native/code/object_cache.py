"""Object code that is kept between processes, in the user's cache folder.

What is kept is run, so it is read only from a folder and files that are the user's own and that nobody else may
write. A file tells what it was made from and ends in a checksum: one that is damaged, or lies under another name, is
not found. The folder may be deleted at any time. Where files have no owners, nothing is kept.
"""

from __future__ import annotations

import functools
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

VARIABLE: Final = "TSC_NATIVE_CACHE"
"""Names another folder in the environment; ``off`` keeps nothing."""
MOST_BYTES: Final = 64 << 20
_MOST_FILES: Final = 4096
_KEPT: Final = 3 / 4
"""Of what there may be, what is left when the oldest are thrown out."""
_OPEN: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FOREIGN: Final = stat.S_IWGRP | stat.S_IWOTH
_DAY: Final = 24 * 3600.0
_CHECKSUM_BYTES: Final = sha256().digest_size
_BETWEEN_LOOKS: Final = 32
"""Files written by a process between two looks at how many there are."""


def folder() -> Path | None:
    """Where object code is kept; None where it is not."""
    named = os.environ.get(VARIABLE, "")
    if named.lower() in ("off", "0") or not hasattr(os, "geteuid"):
        return None
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tsc" / "native"


def exists() -> bool:
    """Whether something may have been kept before."""
    path = folder()
    return path is not None and path.is_dir()


def key(*parts: str) -> str:
    """The name of what is made from these texts."""
    digest = sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content))
        digest.update(content)
    return digest.hexdigest()


def find(key: str) -> bytes | None:
    """What was kept under a key; None if there is nothing that can be trusted."""
    with suppress(OSError, RuntimeError), _opened(make=False) as place:
        file = os.open(key, os.O_RDONLY | _OPEN, dir_fd=place)
        with os.fdopen(file, "rb") as opened:
            found = os.fstat(file)
            if not stat.S_ISREG(found.st_mode) or not _is_own(found):
                return None
            content = _checked(key, opened.read(MOST_BYTES))
            if content is not None and time.time() - found.st_mtime > _DAY:
                os.utime(file)  # it is needed: the oldest go first
            return content
    return None


def keep(key: str, content: bytes) -> None:
    """Keep something, whole or not at all; where that is not possible, nothing is kept."""
    with suppress(OSError, RuntimeError), _opened(make=True) as place:
        new = f"{key}.{os.urandom(8).hex()}"
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN, 0o600, dir_fd=place)
        try:
            with os.fdopen(file, "wb") as opened:
                opened.write(content + _checksum(key, content))
            os.replace(new, key, src_dir_fd=place, dst_dir_fd=place)
        except OSError:
            os.unlink(new, dir_fd=place)
            raise
        _count_written(place)


@contextmanager
def _opened(*, make: bool) -> Iterator[int]:
    """The folder, if it is the user's own. Raises OSError."""
    path = folder()
    if path is None:
        raise FileNotFoundError
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
    place = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _OPEN)
    try:
        if not _is_own(os.fstat(place)):
            raise PermissionError
        yield place
    finally:
        os.close(place)


def _is_own(found: os.stat_result) -> bool:
    """Whether nobody but the user may have written it."""
    return found.st_uid == os.geteuid() and not found.st_mode & _FOREIGN


def _checksum(key: str, content: bytes) -> bytes:
    return sha256(key.encode() + content).digest()


def _checked(key: str, written: bytes) -> bytes | None:
    content = written[:-_CHECKSUM_BYTES]
    return content if _checksum(key, content) == written[-_CHECKSUM_BYTES:] else None


# -- How much is kept ----------------------------------------------------------------------------


@functools.cache
def _written(_process: int) -> list[int]:
    """How many files a process has written."""
    return [0]


def _count_written(place: int) -> None:
    counted = _written(os.getpid())
    if counted[0] % _BETWEEN_LOOKS == 0:
        throw_out_oldest(place)
    counted[0] += 1


def throw_out_oldest(place: int, most_bytes: int = MOST_BYTES) -> None:
    """Keep within the bounds, by what was least recently of use."""
    with os.scandir(place) as entries:
        found = [(entry.stat(follow_symlinks=False), entry.name) for entry in entries]
    found.sort(key=lambda each: each[0].st_mtime, reverse=True)
    bytes_kept = 0
    is_full = sum(each.st_size for each, _ in found) > most_bytes or len(found) > _MOST_FILES
    for files_kept, (each, name) in enumerate(found if is_full else (), start=1):
        bytes_kept += each.st_size
        if bytes_kept > most_bytes * _KEPT or files_kept > _MOST_FILES * _KEPT:
            with suppress(OSError):
                os.unlink(name, dir_fd=place)
