"""Mutated archives: each is made of a number, is read in every way there is, and may end in ArchiveError alone."""

from __future__ import annotations

import copy
import io
import json
import random
import re
import resource
import signal
import struct
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.exir.recorded import recorded_path
from tsc.compiler.source import Error
from tsc.runtime.exported.loading import load_exported
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exported.saving import save_exported
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.kinds import Kind, identify
from tsc.runtime.serialization.pickle_operations import OPERATIONS
from tsc.runtime.serialization.pickle_structure import children
from tsc.runtime.serialization.records import QuantizedTensorRecord, TensorRecord
from tsc.runtime.serialization.saved_values import read_saved_values
from tsc.runtime.serialization.tensors import Storages, archive_storages
from tsc.runtime.serialization.zip_reader import ZipReader
from tsc.runtime.serialization.zip_writer import ZipWriter

from .samples import archive_paths

MOST_SECONDS = 5
MOST_MEGABYTES = 256
PROGRAMS = (
    "Branches",
    "Loop",
    "Map",
    "Scan",
    "Counter",
    "SizeArithmetic",
    "Ordered",
    "TiedWeights",
)
"""Exported programs, with one thing or another in them."""
PICKLES = ("data.pkl", "constants.pkl", "bytecode.pkl")

_NUMBERS = (0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
_OPCODES = [opcode for opcode, operation in enumerate(OPERATIONS) if operation is not None]
_SNIPPETS = (
    *(b"ctorch._utils\n_rebuild_tensor_v2\n", b"ctorch\nFloatStorage\n", b"c__torch__\nNet\n"),
    *(b"ctorch.jit._pickle\nbuild_intlist\n", b"ctorch.jit._pickle\nrestore_type_tag\n"),
    *(b"ccollections\nOrderedDict\n", b"cos\nsystem\n", b"cbuiltins\ncomplex\n"),
    *(b"X\x07\0\0\0storage", b"X\x01\0\0\x000", b"X\x03\0\0\0cpu", b"K\x03", b"J\xff\xff\xff\xff"),
    *(
        b"(",
        b"t",
        b"R",
        b"]",
        b"}",
        b")",
        b"\x81",
        b"b",
        b"e",
        b"u",
        b"q\x00",
        b"h\x00",
        b"Q",
        b"2",
    ),
)

_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 1 << 40, 1 << 70, 0.5, "", "x", "aten", [], {}, [[]], {"as_int": 3}),
    *("torch.ops.higher_order.while_loop", "torch.ops.aten.add.Tensor", "_operator.getitem"),
    *({"as_none": True}, {"as_string": "sin"}, {"as_tensor": {"name": "x"}}, "Infinity"),
    "Add(Symbol('s0', integer=True), Integer(-1))",
)


class TooSlow(BaseException):
    """Reading took longer than it may."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a part: how many archives were refused, how long the slowest took, and what went wrong."""

    archives: int
    refused: int
    megabytes: int
    seconds: float
    failure: str | None


def read_everything(content: bytes) -> None:
    """Read all that a file has to say. Raises `ArchiveError`, and nothing else."""
    kind = identify(content).kind
    if kind is Kind.EXPORTED_PROGRAM:
        _read_exported(content)
        return
    if content[:2] != b"PK" or kind in (Kind.PICKLED_OBJECTS, Kind.PACKAGE):
        _read_saved_values(content)
        return
    archive = ArchiveReader(content)
    errors: list[ArchiveError] = []
    for read in _readings(archive):
        try:
            read()
        except ArchiveError as error:
            str(error)
            errors.append(error)
    if errors:
        raise errors[0]


def _read_exported(content: bytes) -> None:
    """A program, its texts, the file that is made of it, and the graph that runs it."""
    program = load_exported(content)
    assert str(program)
    assert str(program.graph)
    _write_exported(program)
    try:
        program.module().graph.lint()
    except ArchiveError:
        raise
    except Error as error:  # it calls what there is not, or wrongly
        assert "bug of tsc" not in str(error)


def _write_exported(program: LoadedProgram) -> None:
    """What can be written is read again as the same program."""
    written = io.BytesIO()
    try:
        save_exported(program, written)
    except ArchiveError as error:
        assert "bug of tsc" not in str(error)
        return
    assert str(load_exported(written.getvalue())) == str(program)


def _readings(archive: ArchiveReader) -> list[Callable[[], object]]:
    """The ways to read an archive, each of which may be refused."""
    codes = [name for name in archive.names() if name.endswith(".py")]
    return [
        lambda: archive.version,
        lambda: archive.byte_order,
        archive.code_files,
        archive.extra_files,
        lambda: [archive.zip.verify(name) for name in archive.zip],
        *(lambda name=name: archive.source_ranges(name.removeprefix("code/")) for name in codes),
        *(lambda name=name: _read_values(archive, name) for name in PICKLES if name in archive),
    ]


def _read_saved_values(content: bytes) -> None:
    saved = read_saved_values(content)
    for record in _tensors(saved.value):
        _touch(saved.storages, record)


def _read_values(archive: ArchiveReader, name: str) -> None:
    """The values of a pickle and the tensors in it."""
    folder = name.removesuffix(".pkl")
    storages = archive_storages(archive, folder)
    for record in _tensors(archive.pickle(name)):
        _touch(storages, record)


def _touch(storages: Storages, record: TensorRecord | QuantizedTensorRecord) -> None:
    try:
        array = storages.tensor(record).array
    except ArchiveError:
        return
    if 0 < array.nbytes <= 1 << 20:
        array.tobytes()


def _tensors(root: Any) -> list[TensorRecord | QuantizedTensorRecord]:
    found: list[TensorRecord | QuantizedTensorRecord] = []
    pending, seen = [root], set[int]()
    while pending:
        value = pending.pop()
        if isinstance(value, (TensorRecord, QuantizedTensorRecord)):
            found.append(value)
        if id(value) not in seen:
            seen.add(id(value))
            pending.extend(children(value))
    return found


# Mutations --------------------------------------------------------------------------------------


def mutated(number: int) -> bytes:
    """The archive of a number, always the same."""
    return _mutant(_seeds(), random.Random(number))


def mutated_program(number: int) -> bytes:
    """As `mutated`, of exported programs alone."""
    return _mutant(_seeds()[-len(PROGRAMS) :], random.Random(number))


def _mutant(seeds: list[bytes], choice: random.Random) -> bytes:
    content = choice.choice(seeds)
    if content[:2] == b"PK" and choice.random() < 0.6:
        return _with_changed_record(content, choice)
    return _changed_bytes(content, choice)


_loaded: list[bytes] = []


def _seeds() -> list[bytes]:
    if not _loaded:
        _loaded.extend(
            path.read_bytes() for path in (*archive_paths(), *map(recorded_path, PROGRAMS))
        )
    return _loaded


def _changed_bytes(content: bytes, choice: random.Random) -> bytes:
    """Several small changes anywhere, most of them near the end, where the directory is."""
    changed = bytearray(content)
    for _ in range(choice.choice((1, 1, 1, 2, 4, 16))):
        if not changed:
            break
        start = choice.randrange(len(changed))
        if choice.random() < 0.5:
            start = max(len(changed) - choice.randrange(1, 1200), 0)
        _CHANGES[choice.randrange(len(_CHANGES))](changed, start, choice)
    return bytes(changed)


def _flip(content: bytearray, start: int, choice: random.Random) -> None:
    content[start] ^= 1 << choice.randrange(8)


def _set_byte(content: bytearray, start: int, choice: random.Random) -> None:
    content[start] = choice.randrange(256)


def _set_number(content: bytearray, start: int, choice: random.Random) -> None:
    form = choice.choice(("<H", "<I", "<Q"))
    raw = struct.pack("<Q", choice.choice(_NUMBERS))[: struct.calcsize(form)]
    content[start : start + len(raw)] = raw


def _remove(content: bytearray, start: int, choice: random.Random) -> None:
    del content[start : start + choice.choice((1, 4, 64, 1000))]


def _repeat(content: bytearray, start: int, choice: random.Random) -> None:
    piece = bytes(content[start : start + choice.choice((1, 4, 64, 1000))])
    content[start:start] = piece * choice.choice((1, 2, 100))


def _cut(content: bytearray, start: int, choice: random.Random) -> None:
    del content[start:]


def _splice(content: bytearray, start: int, choice: random.Random) -> None:
    other = choice.choice(_seeds())
    begin = choice.randrange(len(other))
    content[start : start + choice.randrange(100)] = other[begin : begin + choice.randrange(100)]


_CHANGES = (_flip, _set_byte, _set_number, _remove, _repeat, _cut, _splice)


def _with_changed_record(content: bytes, choice: random.Random) -> bytes:
    """An archive whose container is right, with right checksums, and one of whose records is not."""
    reader = ZipReader(content)
    names = list(reader)
    telling = [name for name in names if name.endswith(("pkl", ".json"))]
    target = choice.choice(telling if choice.random() < 0.8 else names)
    out = io.BytesIO()
    writer = ZipWriter(out.write)
    for name in names:
        record = bytes(reader.read(name))
        writer.add(name, _changed_record(record, choice) if name == target else record)
    writer.close()
    return out.getvalue()


def _changed_record(record: bytes, choice: random.Random) -> bytes:
    kind = choice.random()
    if record[:1] == b"{" and kind < 0.7:
        return _with_other_values(record, choice)
    if kind < 0.15:
        return _random_pickle(choice)
    if kind < 0.4 and record:
        return _with_snippets(record, choice)
    if kind < 0.7:
        return _with_other_numbers(record, choice)
    return _changed_bytes(record, choice)


def _with_other_values(record: bytes, choice: random.Random) -> bytes:
    """JSON with some values exchanged for others of it, taken out, or made absurd."""
    try:
        root = json.loads(record)
    except ValueError:
        return record
    places = [(each, key) for each in _containers(root) for key in _keys(each)]
    for _ in range(choice.choice((1, 1, 2, 5)) if places else 0):
        container, key = choice.choice(places)
        other, there = choice.choice(places)
        if choice.random() < 0.2 and isinstance(container, dict):
            container.pop(key, None)
        elif choice.random() < 0.5:
            container[key] = choice.choice(_VALUES)
        elif there in _keys(other) and key in _keys(container):
            container[key] = copy.deepcopy(other[there])
    return json.dumps(root).encode()


def _containers(root: Any) -> list[Any]:
    found, pending = [], [root]
    while pending:
        each = pending.pop()
        if isinstance(each, dict | list):
            found.append(each)
            pending.extend(each.values() if isinstance(each, dict) else each)
    return found


def _keys(container: Any) -> list[Any]:
    return list(container) if isinstance(container, dict) else list(range(len(container)))


def _random_pickle(choice: random.Random) -> bytes:
    """Opcodes and names that make sense on their own."""
    pieces = [b"\x80\x02"]
    for _ in range(choice.choice((5, 20, 100, 2000))):
        if choice.random() < 0.7:
            pieces.append(choice.choice(_SNIPPETS))
        else:
            arguments = choice.randbytes(choice.randrange(5))
            pieces.append(bytes([choice.choice(_OPCODES)]) + arguments)
    return b"".join(pieces) * choice.choice((1, 1, 1, 50)) + b"."


def _with_snippets(record: bytes, choice: random.Random) -> bytes:
    changed = bytearray(record)
    for _ in range(choice.randrange(1, 6)):
        start = choice.randrange(len(changed) + 1)
        piece = choice.choice(_SNIPPETS) * choice.choice((1, 1, 1, 2, 3000))
        changed[start : start + choice.choice((0, 0, 1, len(piece)))] = piece
    return bytes(changed)


def _with_other_numbers(record: bytes, choice: random.Random) -> bytes:
    """A pickle that stays well-formed, with absurd sizes, offsets and counts in it."""
    places = [place for place, byte in enumerate(record[:-1]) if byte == ord("K")]
    for place in sorted(
        choice.sample(places, min(len(places), choice.randrange(1, 4))), reverse=True
    ):
        number = choice.choice(_NUMBERS) * choice.choice((1, 1, -1, 1 << 31))
        raw = struct.pack("<2sq", b"\x8a\x08", max(number, -(1 << 62)))
        record = record[:place] + raw + record[place + 2 :]
    return record


# Parts ------------------------------------------------------------------------------------------


def run_part(first: int, count: int) -> Outcome:
    """Read the archives of `count` numbers from `first` on, until one goes wrong."""
    return tried("archive", range(first, first + count), mutated, _is_read, MOST_MEGABYTES)


def run_part_of_programs(first: int, count: int) -> Outcome:
    """As `run_part`, of exported programs alone."""
    numbers = range(first, first + count)
    return tried("exported program", numbers, mutated_program, _is_read, MOST_MEGABYTES)


def _is_read(content: bytes) -> bool:
    try:
        read_everything(content)
    except ArchiveError:
        return False
    return True


def tried(
    what: str,
    numbers: range,
    make: Callable[[int], Any],
    use: Callable[[Any], bool],
    most_megabytes: int,
) -> Outcome:
    """Use what `make` makes of each number, until one goes wrong; `use` tells whether it was not refused."""
    refused, longest, failure = 0, 0.0, None
    for done, number in enumerate(numbers, 1):
        mutant = make(number)
        started = time.process_time()
        try:
            with alarm(MOST_SECONDS):
                refused += not use(mutant)
        except (Exception, TooSlow) as error:  # noqa: BLE001  whatever else is raised was looked for
            failure = f"{what} {number}: {type(error).__name__}: {error}"
        longest = max(longest, time.process_time() - started)
        if failure is None and megabytes() > most_megabytes:
            failure = f"{what} {number}: more than {most_megabytes} MB"
        if failure is not None:
            return Outcome(done, refused, megabytes(), longest, failure)
    return Outcome(len(numbers), refused, megabytes(), longest, None)


@contextmanager
def alarm(seconds: float) -> Any:
    """Raise TooSlow when the processor has worked so long within a ``with`` statement."""

    def ring(_signal: int, _frame: object) -> None:
        raise TooSlow(f"took longer than {seconds} s")

    previous = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def megabytes() -> int:
    """The most memory that this process has had, which may have been started by a large one."""
    status = Path("/proc/self/status")
    if status.exists():
        (peak,) = re.findall(r"^VmHWM:\s*(\d+) kB", status.read_text(), re.MULTILINE)
        return int(peak) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
