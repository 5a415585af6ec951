"""What these tests call once runs as it does when it is called again."""

from __future__ import annotations

import pytest

from tsc.runtime.execution import graph_executor


@pytest.fixture(autouse=True)
def groups_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """First calls look for groups, too."""
    monkeypatch.setattr(graph_executor, "first_calls", lambda _graph, _plan: None)
