"""PyTorch's answers to the samples of tensor operators."""

from __future__ import annotations

import warnings
from typing import Any

import ml_dtypes
import numpy as np
import torch

from tests.runtime.tensor_samples import Sample, describe


def answer(sample: Sample) -> Any:
    """The result and the arguments written to, or the error."""
    namespace, _, name = sample.name.partition("::")
    overloads = getattr(getattr(torch.ops, namespace), name)
    operator = getattr(overloads, sample.overload or "default")
    arguments, keywords = sample.arguments()
    arguments = [_tensors(value) for value in arguments]
    keywords = {key: _tensors(value) for key, value in keywords.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = operator(*arguments, **_renamed(operator, keywords))
    except Exception as error:  # noqa: BLE001  any failure of the reference is an answer
        return {"error": str(error).split("\n")[0], "kind": type(error).__name__}
    given = dict(zip((each.name for each in operator._schema.arguments), arguments)) | keywords
    written = [
        given[argument.name]
        for argument in operator._schema.arguments
        if argument.alias_info is not None
        and argument.alias_info.is_write
        and isinstance(given.get(argument.name), torch.Tensor)
    ]
    return {"result": describe(_arrays(result)), "written": describe(_arrays(written))}


def _renamed(operator: Any, keywords: dict[str, Any]) -> dict[str, Any]:
    """A keyword that Python does not allow is written with an underscore."""
    names = {argument.name for argument in operator._schema.arguments}
    return {
        key if key in names else key.removesuffix("_"): value for key, value in keywords.items()
    }


def _tensors(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        if value.dtype == ml_dtypes.bfloat16:
            return torch.from_numpy(value.astype(np.float32)).to(torch.bfloat16)
        return torch.from_numpy(value).clone()  # in memory that may be resized
    if isinstance(value, list):
        return [_tensors(each) for each in value]
    return value


def _arrays(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        value = value.detach().resolve_conj().resolve_neg()
        if value.dtype == torch.bfloat16:
            return value.float().numpy().astype(ml_dtypes.bfloat16)
        return value.numpy()
    if isinstance(value, (list, tuple)):
        return [_arrays(each) for each in value]
    return value
