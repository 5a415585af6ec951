"""Libraries of kernels in memory, asked for by several threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("llvmlite")

from tsc.runtime.native.code import kernel_library

TEXT = "define void @kernel(ptr %p, ptr %l, i64 %b, i64 %e, ptr %n) {\n  ret void\n}"


def test_threads_that_ask_at_once_are_given_one_library(monkeypatch: pytest.MonkeyPatch) -> None:
    barrier = threading.Barrier(2)
    load = kernel_library.loaded

    def loaded(*arguments: object) -> kernel_library.Loaded:
        barrier.wait(60)
        return load(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(kernel_library, "loaded", loaded)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(kernel_library.library_of, [TEXT + "\n; twice"] * 2))
    assert found[0] is found[1]


def test_what_was_not_asked_for_longest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_library, "_MOST_LIBRARIES", 1)
    monkeypatch.setattr(kernel_library, "_LIBRARIES", OrderedDict())
    first = kernel_library.library_of(TEXT)
    kernel_library.library_of(TEXT + "\n; another")
    assert kernel_library.library_of(TEXT) is not first
