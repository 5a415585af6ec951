"""Record PyTorch's answers to the corpus: ``python -m tests.oracle.record [TOPIC...]`` (or ``make record``)."""

from __future__ import annotations

import json
import sys

from .programs import ANSWERS
from .programs import topics as all_topics
from .pytorch import answer


def main(topics: list[str]) -> None:
    ANSWERS.mkdir(exist_ok=True)
    for topic, programs in all_topics().items():
        if topics and topic not in topics:
            continue
        answers = {program.name: answer(program) for program in programs}
        text = json.dumps(answers, indent=1, ensure_ascii=False, sort_keys=True)
        (ANSWERS / f"{topic}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{topic}: {len(answers)} programs")
        for name, each in answers.items():
            if "error" in each:
                print(f"  {name}: {each['error'] or each.get('note')}")


if __name__ == "__main__":
    main(sys.argv[1:])
