"""The reference page of all operators, made from what is declared.

python -m tsc.runtime.operators.reference > docs/operators.md
"""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

from tsc.runtime.operators import FAMILIES, import_families
from tsc.runtime.operators.registration import table

HEAD = """# Operators

Every schema that tsc implements, as `tsc ops` lists them: what is not here is not there. The texts are those of
PyTorch 2.13, where `(a!)` marks an argument that is written to and `(a)` one that the result shares memory with.
`tsc ops PATTERN` searches, `tsc ops --similar NAME` finds what was meant.

This page is generated: `make docs` writes it anew.
"""


def page() -> str:
    """The whole page, family by family in the order of their names."""
    import_families()
    schemas: dict[str, list[str]] = {family: [] for family in sorted(FAMILIES)}
    for operator in table.all():
        schemas[table.families[operator.qualified_name]].append(str(operator.schema))
    parts = [HEAD, f"{sum(map(len, schemas.values()))} schemas.\n"]
    for family, texts in schemas.items():
        if texts:
            title = family.rpartition(".")[2].replace("_", " ").capitalize()
            listing = "\n".join(sorted(texts))
            parts.append(f"## {title}\n\n{summary(family)}\n\n```\n{listing}\n```\n")
    return "\n".join(parts)


def summary(family: str) -> str:
    """The first sentence of what the family's file says about itself."""
    specification = find_spec(f"tsc.runtime.operators.{family}")
    assert specification is not None
    assert specification.origin is not None
    text = Path(specification.origin).read_text(encoding="utf-8")
    paragraph = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0]
    return " ".join(paragraph.split())


if __name__ == "__main__":
    print(page(), end="")
