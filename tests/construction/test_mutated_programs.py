"""Programs with tokens exchanged at random: whatever is wrong with them, tsc's own errors say it."""

from __future__ import annotations

import os
import random
import re

import pytest

from tests.construction.cases import all_cases
from tsc.compiler.source import Source
from tsc.compiler.source.diagnostics import Error
from tsc.runtime.construction.construct import Construction
from tsc.runtime.context.limits import limits

_EXAMPLES = int(os.environ.get("TSC_FUZZ_EXAMPLES", "150"))
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_CASES = all_cases()
_ADDED = ("None", "-1", "0", "''", "[]", "{}", "10**9", "lambda: 0", "self", "super()", "*", "**")
_KNOWN = {token for case in _CASES for token in _TOKEN.findall(case.source)}
_TOKENS = [*sorted(_KNOWN), *_ADDED]


def mutated(source: str, chance: random.Random) -> str:
    tokens = _TOKEN.findall(source)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(tokens))
        change = chance.random()
        if change < 0.5:
            tokens[place] = chance.choice(_TOKENS)
        elif change < 0.7:
            tokens[place] = ""
        else:
            tokens.insert(place, chance.choice(_TOKENS))
    return "".join(tokens)


@pytest.mark.parametrize("part", range(5))
def test_a_mutated_program_is_evaluated_or_refused(part: int) -> None:
    chance = random.Random(part)
    for _ in range(_EXAMPLES // 5):
        case = chance.choice(_CASES)
        source, question = mutated(case.source, chance), chance.choice(case.questions)
        try:
            with limits(max_steps=30_000, max_seconds=3):
                construction = Construction.from_source(Source(source))
                value = construction.evaluate_expression(question)
                with construction.evaluator.running():
                    assert isinstance(construction.evaluator.representation(value), str)
        except Error as error:
            assert str(error)
