"""Blocks of native code's lists: used again, stretched with what is in them, and given back where they are large."""

from __future__ import annotations

import ctypes
import random

import pytest

pytest.importorskip("llvmlite")

from tsc.runtime.native.code.memory_pool import memory_symbols

_SIZES = (0, 1, 63, 64, 65, 1000, 1024, 1025, 2048, 2049, 65536, 65537, 300_000)


@pytest.fixture
def functions() -> tuple[ctypes._CFunctionType, ...]:
    symbols, address = memory_symbols(), ctypes.c_void_p
    return (
        ctypes.PYFUNCTYPE(address, ctypes.c_size_t)(symbols["malloc"]),
        ctypes.PYFUNCTYPE(address, address, ctypes.c_size_t)(symbols["realloc"]),
        ctypes.PYFUNCTYPE(None, address)(symbols["free"]),
    )


def test_blocks_do_not_overlap_and_keep_their_content(
    functions: tuple[ctypes._CFunctionType, ...],
) -> None:
    take, stretch, give_back = functions
    choose = random.Random(1)
    held: dict[int, bytes] = {}
    for _ in range(3000):
        if held and choose.random() < 0.5:
            block, content = held.popitem() if choose.random() < 0.5 else _first(held)
            assert ctypes.string_at(block, len(content)) == content
            if choose.random() < 0.6:
                give_back(block)
                continue
            size = choose.choice(_SIZES)
            block = stretch(block, size)
            kept = min(size, len(content))
            assert ctypes.string_at(block, kept) == content[:kept]
        else:
            size = choose.choice(_SIZES)
            block = take(size)
        assert block % 16 == 0
        assert block not in held
        held[block] = choose.randbytes(size)
        ctypes.memmove(block, held[block], size)
    for block, content in held.items():
        assert ctypes.string_at(block, len(content)) == content
        give_back(block)


def _first(held: dict[int, bytes]) -> tuple[int, bytes]:
    block = next(iter(held))
    return block, held.pop(block)


def test_what_was_freed_is_used_again(functions: tuple[ctypes._CFunctionType, ...]) -> None:
    take, stretch, give_back = functions
    block = take(100)
    give_back(block)
    assert take(128) == block
    assert stretch(block, 120) == block
    give_back(block)
    give_back(None)
    assert take(2**64 - 8) is None
    assert take(2**62) is None
