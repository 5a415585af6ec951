"""Object files of ELF for x86-64 as code in memory: what a linker would do with one, as far as LLVM needs it.

With it, code that was made before runs without LLVM, which takes longer to load than most code to make.
The format: System V Application Binary Interface, AMD64 Architecture Processor Supplement.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

_HEADER: Final = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")
_RELOCATION: Final = struct.Struct("<QIIq")  # place, type, symbol, addend
_MAGIC: Final = b"\x7fELF\x02\x01\x01"
_RELOCATABLE, _X86_64 = 1, 62
_IN_MEMORY, _WRITABLE = 0x2, 0x1
_SYMBOLS, _RELOCATIONS, _ZEROS, _UNWIND = 2, 4, 8, 0x70000001

_ADDRESS, _RELATIVE, _CALL, _RELATIVE_LONG = 1, 2, 4, 24
_BY_TABLE: Final = frozenset({9, 41, 42})
"""Relocations that read an address from the table of addresses."""
_WORD: Final = 8
_ADDRESSES: Final = ".data.rel.ro"
"""What the names of sections of constant addresses begin with."""
_JUMP: Final = b"\xff\x25"
"""To the address that lies so many bytes further on."""
_JUMP_BYTES: Final = 8
_READ_AND_RUN: Final = 0x1 | 0x4


class NotLoaded(Exception):
    """An object file has something in it that is not known here; the message says what."""


@dataclass(frozen=True, slots=True)
class _Section:
    name: str
    type: int
    flags: int
    begin: int
    size: int
    link: int
    info: int
    alignment: int

    @property
    def is_loaded(self) -> bool:
        return bool(self.flags & _IN_MEMORY) and self.type != _UNWIND

    @property
    def is_written(self) -> bool:
        """Whether code writes to it, and not only who puts addresses there."""
        return bool(self.flags & _WRITABLE and self.size) and not self.name.startswith(_ADDRESSES)


class _Relocation(NamedTuple):
    """A place in a section where an address is to be put, and of what."""

    section: int
    place: int
    type: int
    symbol: int
    addend: int


class ObjectFile:
    """Code in memory, which stays there as long as this is kept."""

    __slots__ = (
        *("_addresses", "_code", "_elsewhere", "_jumps", "_memory", "_places", "_sections"),
        *("_slots", "_start", "_symbols"),
    )

    def __init__(self, code: bytes, symbols: Mapping[str, int]) -> None:
        """With the addresses of what the code calls; the rest is the process's. Raises NotLoaded."""
        self._code, self._elsewhere = code, symbols
        self._sections = _sections(code)
        self._symbols = self._read_symbols()
        relocations = list(self._relocations())
        self._places, end = self._layout()
        needed = sorted({each.symbol for each in relocations if self._needs_slot(each)})
        self._slots = {symbol: end + _WORD * k for k, symbol in enumerate(needed)}
        end += _WORD * len(needed)
        self._jumps = {symbol: end + _JUMP_BYTES * k for k, symbol in enumerate(needed)}
        self._memory = mmap.mmap(-1, end + _JUMP_BYTES * len(needed) or 1)
        self._start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._fill()
        for each in relocations:
            self._relocate(each)
        self._addresses = {
            name: self._address_of(number)
            for number, (name, section, _) in enumerate(self._symbols)
            if name and section in self._places
        }
        self._protect()

    def address(self, name: str) -> int:
        """Where a function begins."""
        return self._addresses[name]

    # -- What is in the file -----------------------------------------------------------------------

    def _read_symbols(self) -> list[tuple[str, int, int]]:
        """Names, sections (0 for what is elsewhere) and places in them."""
        table = next((each for each in self._sections if each.type == _SYMBOLS), None)
        if table is None:
            return []
        names = self._sections[table.link]
        rows = _SYMBOL.iter_unpack(self._code[table.begin : table.begin + table.size])
        return [
            (_text(self._code, names.begin + name), section, value)
            for name, _, _, section, value, _ in rows
        ]

    def _relocations(self) -> Iterator[_Relocation]:
        for section in self._sections:
            if section.type == _RELOCATIONS and self._sections[section.info].is_loaded:
                rows = self._code[section.begin : section.begin + section.size]
                for row in _RELOCATION.iter_unpack(rows):
                    yield _Relocation(section.info, *row)

    def _is_elsewhere(self, symbol: int) -> bool:
        return not self._symbols[symbol][1]

    def _needs_slot(self, relocation: _Relocation) -> bool:
        return relocation.type in _BY_TABLE or self._is_elsewhere(relocation.symbol)

    # -- Memory ------------------------------------------------------------------------------------

    def _layout(self) -> tuple[dict[int, int], int]:
        """Where each section begins, and where what follows them does."""
        places: dict[int, int] = {}
        end = 0
        for number, section in enumerate(self._sections):
            if section.is_loaded:
                if section.is_written:
                    raise NotLoaded("a section that is written to")
                end = places[number] = _aligned(end, section.alignment)
                end += section.size
        return places, _aligned(end, _WORD)

    def _fill(self) -> None:
        """The sections, the table of addresses, and the jumps to what may be too far away for a call."""
        for number, place in self._places.items():
            section = self._sections[number]
            if section.type != _ZEROS:
                content = self._code[section.begin : section.begin + section.size]
                self._memory[place : place + section.size] = content
        for symbol, slot in self._slots.items():
            struct.pack_into("<Q", self._memory, slot, self._address_of(symbol))
            jump = self._jumps[symbol]
            self._memory[jump : jump + len(_JUMP)] = _JUMP
            self._write("<i", jump + len(_JUMP), slot - (jump + len(_JUMP) + 4))

    def _address_of(self, symbol: int) -> int:
        name, section, value = self._symbols[symbol]
        if section in self._places:
            return self._start + self._places[section] + value
        if section:
            raise NotLoaded(f"the symbol {name} of section {section:#x}")
        known = self._elsewhere.get(name)
        return _address_in_process(name) if known is None else known

    def _relocate(self, relocation: _Relocation) -> None:
        type, symbol, addend = relocation.type, relocation.symbol, relocation.addend
        at = self._places[relocation.section] + relocation.place
        if type in _BY_TABLE:
            self._write("<i", at, self._slots[symbol] + addend - at)
        elif type == _ADDRESS:
            self._write("<Q", at, self._address_of(symbol) + addend)
        elif type == _CALL and self._is_elsewhere(symbol):
            self._write("<i", at, self._jumps[symbol] + addend - at)
        elif type in (_RELATIVE, _CALL):
            self._write("<i", at, self._address_of(symbol) - self._start + addend - at)
        elif type == _RELATIVE_LONG:
            self._write("<q", at, self._address_of(symbol) - self._start + addend - at)
        else:
            raise NotLoaded(f"a relocation of type {type}")

    def _write(self, form: str, place: int, value: int) -> None:
        try:
            struct.pack_into(form, self._memory, place, value)
        except struct.error:
            raise NotLoaded("a distance of more than two gigabytes") from None

    def _protect(self) -> None:
        """From now on the memory may be run, but not written."""
        size = ctypes.c_size_t(len(self._memory))
        if ctypes.CDLL(None).mprotect(ctypes.c_void_p(self._start), size, _READ_AND_RUN):
            raise NotLoaded("memory cannot be made executable")


def _sections(code: bytes) -> list[_Section]:
    if len(code) < _HEADER.size:
        raise NotLoaded("no object file")
    identity, type, machine, _, _, _, begin, _, _, _, _, size, count, names = _HEADER.unpack_from(
        code
    )
    if not identity.startswith(_MAGIC) or (type, machine) != (_RELOCATABLE, _X86_64):
        raise NotLoaded("no object file of ELF for x86-64")
    rows = [_SECTION.unpack_from(code, begin + size * k) for k in range(count)]
    first_name = rows[names][4]
    return [
        _Section(
            _text(code, first_name + name), kind, flags, place, length, link, info, max(step, 1)
        )
        for name, kind, flags, _, place, length, link, info, step, _ in rows
    ]


def _text(code: bytes, begin: int) -> str:
    return code[begin : code.index(b"\0", begin)].decode()


def _aligned(place: int, alignment: int) -> int:
    return -(-place // alignment) * alignment


def _address_in_process(name: str) -> int:
    try:
        function = getattr(ctypes.CDLL(None), name)
    except AttributeError:
        raise NotLoaded(f"the process has no {name}") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0
