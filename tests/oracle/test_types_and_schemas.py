"""What is recorded of PyTorch's types and schemas is still what PyTorch says."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import torch

from tests.oracle.type_relations import RECORD, relations
from tsc.compiler.schema import parse_schema

pytestmark = pytest.mark.oracle

SCHEMAS = Path(__file__).parents[1] / "schema" / "data" / "pytorch_schemas.txt.gz"


def test_recorded_relations_are_current() -> None:
    assert RECORD.read_text().splitlines() == list(relations())


def test_every_registered_schema_prints_as_it_was() -> None:
    texts = [str(schema) for schema in torch._C._jit_get_all_schemas()]
    assert len(texts) > 4000
    assert [str(parse_schema(text)) for text in texts] == texts


def test_recorded_schemas_are_registered() -> None:
    registered = {str(schema) for schema in torch._C._jit_get_all_schemas()}
    with gzip.open(SCHEMAS, "rt") as lines:
        recorded = set(lines.read().splitlines())
    missing = recorded - registered
    assert not missing
