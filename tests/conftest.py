"""Settings of the whole suite."""

from __future__ import annotations

import ast
import gc
import os
import re
from importlib.util import find_spec
from pathlib import Path

# Before NumPy is imported: the workers of the suite share the cores, and BLAS threads would fight over them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The user's cache is left alone.
os.environ.setdefault("TSC_NATIVE_CACHE", f"{Path(__file__).parent.parent}/.pytest_cache/native")

import pytest
from hypothesis import settings

from tests import work
from tsc.compiler.pipelines import VERIFICATION
from tsc.runtime.native.code.background import BACKGROUND

# When native code takes over does not depend on how busy a machine is.
BACKGROUND.is_immediate = True

# Each graph is verified after each pass.
VERIFICATION.wanted = True

HAS_PYTORCH = find_spec("torch") is not None
_NAMES_PYTORCH = re.compile(r"^(?:import|from) torch\b", re.MULTILINE)

# The same examples on every machine: a gate must not turn red by chance. TSC_FUZZ_EXAMPLES, which asks for a
# long search, also asks for new examples each time.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("search" if "TSC_FUZZ_EXAMPLES" in os.environ else "gate")


def pytest_configure(config: pytest.Config) -> None:
    """Give growth and hostile cases their whole size where ``-m slow`` asks for them."""
    work.whole_size = config.option.markexpr.strip() == "slow"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave files alone that import PyTorch, where there is none."""
    if HAS_PYTORCH or collection_path.suffix != ".py":
        return None
    return _imports_pytorch(collection_path.read_text(encoding="utf-8")) or None


def _imports_pytorch(text: str) -> bool:
    """Whether a file does so when it is imported; programs in its strings may as well."""
    if _NAMES_PYTORCH.search(text) is None:
        return False
    statements = ast.parse(text).body
    names = [
        each.name for node in statements if isinstance(node, ast.Import) for each in node.names
    ]
    names += [node.module or "" for node in statements if isinstance(node, ast.ImportFrom)]
    return any(name.partition(".")[0] == "torch" for name in names)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what compares with PyTorch, where there is none; where there is, let it warn."""
    compared = [item for item in items if item.get_closest_marker("oracle") is not None]
    if HAS_PYTORCH:
        for item in compared:
            item.add_marker(pytest.mark.filterwarnings("ignore"))
    elif compared:
        config.hook.pytest_deselected(items=compared)
        items[:] = [item for item in items if item.get_closest_marker("oracle") is None]


def pytest_collection_finish() -> None:
    """Spare the collector the million objects that tests are made of: it would look through them again and again."""
    gc.collect()
    gc.freeze()
