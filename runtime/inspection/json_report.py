"""What is in a file, as JSON, for scripts."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tsc.runtime.inspection.inspection import ArchiveContent, Inspection
from tsc.runtime.inspection.module_tree import ModuleInfo, TensorInfo


def json_report(found: Inspection, *, with_code: bool = False) -> str:
    """The facts as text."""
    return json.dumps(facts(found, with_code=with_code), indent=1) + "\n"


def facts(found: Inspection, *, with_code: bool = False) -> dict[str, Any]:
    """One object; keys that do not apply to the kind of file are left out."""
    content: dict[str, Any] = {
        "file": found.name,
        "kind": found.kind.kind.value,
        "description": found.kind.description,
        "advice": found.kind.advice,
        "size": found.size,
    }
    if found.totals is not None:
        content |= {"entries": found.entries, "totals": asdict(found.totals)}
    if found.archive is not None:
        content["likely_call"] = found.call
        content |= _archive(found.archive, with_code)
    elif found.totals is not None:
        content["tensors"] = [_tensor(each) for each in found.tensors]
        content["values"] = found.values
    for heading, named in found.facts.items():
        content[heading.replace(" ", "_")] = named
    return content


def _archive(archive: ArchiveContent, with_code: bool) -> dict[str, Any]:
    declared, inventory = archive.declarations, archive.inventory
    content: dict[str, Any] = {
        "version": archive.version,
        "byte_order": archive.byte_order,
        "traced": archive.is_traced,
        "made_from": archive.origins,
        "problems": archive.problems,
        "methods": [method.declaration for _, method in archive.entry_methods],
        "modules": [_module(row) for row in archive.modules],
        "constants": [_tensor(each) for each in archive.constants],
        "operators": dict(inventory.counts.most_common()),
        "lacking_operators": inventory.lacking,
        "torchbind_classes": dict(inventory.torchbind),
        "devices_in_code": dict(inventory.devices),
        "classes": [
            {
                "name": each.name,
                "kind": each.kind,
                "attributes": each.attributes,
                "methods": [method.declaration for method in each.methods.values()],
            }
            for each in declared.classes.values()
        ],
        "functions": {name: method.declaration for name, method in declared.functions.items()},
        "extra_files": archive.extra_files,
    }
    if with_code:
        content["code"] = {path: code.text for path, code in archive.files.items()}
    return content


def _module(row: ModuleInfo) -> dict[str, Any]:
    return {
        "path": row.path,
        "class": row.class_name,
        "same_as": row.same_as,
        "tensors": [_tensor(each) for each in row.tensors],
        "attributes": row.attributes,
        "constants": row.constants,
        "methods": row.methods,
        "total_parameters": row.total_parameters,
        "total_bytes": row.total_bytes,
    }


def _tensor(tensor: TensorInfo) -> dict[str, Any]:
    return asdict(tensor) | {"elements": tensor.count, "bytes": tensor.nbytes}
