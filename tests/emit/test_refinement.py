"""What conditions tell about variables, and how `and`, `or` and `not` combine it."""

from __future__ import annotations

from tsc.compiler.emit.statements.refinement import NOTHING_KNOWN, Refinement, RefinementSet
from tsc.compiler.types import FLOAT, INT, STRING

X_IS_INT = RefinementSet((Refinement("x", INT),), (Refinement("x", STRING),))
Y_IS_INT = RefinementSet((Refinement("y", INT),), (Refinement("y", STRING),))


def test_and_knows_both_if_true_and_neither_if_false() -> None:
    combined = X_IS_INT.both(Y_IS_INT)
    assert combined.if_true == (Refinement("x", INT), Refinement("y", INT))
    assert combined.if_false == ()


def test_or_knows_neither_if_true_and_both_if_false() -> None:
    combined = X_IS_INT.either(Y_IS_INT)
    assert combined.if_true == ()
    assert combined.if_false == (Refinement("x", STRING), Refinement("y", STRING))


def test_what_both_sides_say_stays_either_way() -> None:
    assert X_IS_INT.both(X_IS_INT) == X_IS_INT
    assert X_IS_INT.either(X_IS_INT) == X_IS_INT


def test_sides_that_disagree_say_nothing() -> None:
    other = RefinementSet((Refinement("x", FLOAT),))
    assert X_IS_INT.both(other).if_true == ()


def test_not_exchanges_the_cases() -> None:
    assert X_IS_INT.negated().if_true == X_IS_INT.if_false
    assert X_IS_INT.negated().negated() == X_IS_INT


def test_one_side_without_knowledge() -> None:
    assert X_IS_INT.both(NOTHING_KNOWN).if_true == X_IS_INT.if_true
    assert X_IS_INT.either(NOTHING_KNOWN).if_true == ()
