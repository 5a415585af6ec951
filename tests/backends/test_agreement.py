"""Modules of the archives' tests give with a backend what they give without; each backend in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.oracle
pytest.importorskip("torch")

PACKAGES = {"native": "tsc", "onnxruntime": "onnxruntime", "openvino": "openvino"}
LEAST_HANDED_OVER = 70
"""Of about a hundred calls: the others return texts, fork, or change what is no tensor."""


@pytest.mark.parametrize("backend", PACKAGES)
def test_results_of_all_modules_are_equal(backend: str) -> None:
    pytest.importorskip(PACKAGES[backend])
    command = [sys.executable, "-W", "ignore", "-m", "tests.backends.agreement", backend]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    told = re.search(r"(\d+) calls, (\d+) equal, (\d+) handed over", ran.stdout)
    assert told is not None
    calls, equal, handed_over = map(int, told.groups())
    assert equal == calls, ran.stdout
    assert handed_over >= LEAST_HANDED_OVER
