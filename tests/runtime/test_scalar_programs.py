"""Programs on ints and lists do what CPython does, by every plan."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.runtime.plans import PLANS, script
from tests.runtime.scalar_programs import programs


def in_python(source: str, a: int, b: int) -> Any:
    namespace: dict[str, Any] = {"List": list, "Tuple": tuple}
    exec(source, namespace)
    return namespace["f"](a, b)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(-5, 9), st.integers(-5, 9))
def test_programs_agree_with_cpython(source: str, a: int, b: int) -> None:
    expected = in_python(source, a, b)
    function = script(source)
    for name, run in PLANS.items():
        assert run(function, [a, b]) == expected, f"{name}:\n{source}"
