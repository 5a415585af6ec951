"""Archives and modules of PyTorch become PyTorch's operators in PyTorch's order, and give the same results there.

The command runs by itself: PyTorch's compiler leaves its marks in a process.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.oracle
pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[3]
OTHERWISE = {
    "traced_viewed_attention.forward[0]": "PyTorch takes another way of attention for this mask",
    "several_methods.forward[0]": "PyTorch leaves out the copy into a number's buffer",
    "policy.act[1]": "PyTorch leaves out the copy into a number's buffer",
    "policy.act[2]": "PyTorch leaves out the copy into a number's buffer",
    "linear_algebra": "PyTorch orders the effects of inverses by tokens",
    "AssertsWithoutMessage": "PyTorch loses an assertion without a message",
    "AutocastDecomposed": "PyTorch loses the casts within an einsum, and gives another dtype than the module",
    "Associative": "PyTorch computes regions of vmap by batching rules, tsc by map",
    "AssociativePairs": "PyTorch computes regions of vmap by batching rules, tsc by map",
    "Batched": "PyTorch computes regions of vmap by batching rules, tsc by map",
    "Printing": "PyTorch orders prints by tokens",
    "SizeArithmetic": "a difference of sizes is a sum with a negative number",
}


def test_programs_become_the_operators_of_pytorch() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.exporting.decompositions.agreement"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=900,
        check=True,
    )
    pattern = r"^(\S+): (?:other|another|refused)"
    assert set(re.findall(pattern, done.stdout, re.MULTILINE)) <= OTHERWISE.keys()
    counts = [int(each) for each in re.findall(r": \d+ of (\d+) become", done.stdout)]
    assert len(counts) == 2
    assert counts[0] >= 70
    assert counts[1] >= 60
