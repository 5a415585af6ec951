"""What tests of native code share: calls that run as later ones do, and code that is there when it is wanted."""

from __future__ import annotations

from typing import Any

import pytest

from tsc.runtime.execution import graph_executor


@pytest.fixture(autouse=True)
def groups_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """First calls look for groups, too."""
    monkeypatch.setattr(graph_executor, "first_calls", lambda _graph, _plan: None)


@pytest.fixture
def code_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of a group is made when it is first called, and that call waits for it."""
    from tsc.runtime.native.fusion import fusion_groups

    monkeypatch.setattr(fusion_groups, "_WORTH_COMPILING", 0.0)
    monkeypatch.setattr(fusion_groups, "_MOST_SKIPPED", 0)
    monkeypatch.setattr(fusion_groups.BACKGROUND, "is_immediate", True)


@pytest.fixture
def made_code(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each kind of arguments that a group is given, whether there is code for it."""
    from tsc.runtime.native.fusion.fusion_groups import FusionGroup
    from tsc.runtime.native.fusion.refused import Refused

    made: list[bool] = []
    whole = FusionGroup._known

    def noted(self: FusionGroup, launch: Any) -> Any:
        made.append(launch is not None and not isinstance(launch, Refused))
        return whole(self, launch)

    monkeypatch.setattr(FusionGroup, "_known", noted)
    return made
