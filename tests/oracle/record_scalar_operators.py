"""Record PyTorch's answers to the cases of scalar operators.

python -m tests.oracle.record_scalar_operators [NAME... | all]
"""

from __future__ import annotations

import json
import sys

from tests.oracle.scalar_operators import answers
from tests.runtime.operator_cases import schemas
from tests.runtime.scalar_answers import RECORDED


def main(wanted: list[str]) -> None:
    """Record the operators of these names, or those that are not recorded yet, or ``all``."""
    known = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    recorded = {}
    for schema in schemas():
        text = str(schema)
        again = text not in known or schema.name in wanted or "all" in wanted
        recorded[text] = answers(schema) if again else known[text]
    lines = [f"{json.dumps(text)}: {json.dumps(each)}" for text, each in recorded.items()]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(lines)} operators")


if __name__ == "__main__":
    main(sys.argv[1:])
