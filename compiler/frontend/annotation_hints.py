"""What to write in place of an annotation that is no type of TorchScript."""

from __future__ import annotations

from typing import Final

from tsc.compiler.types import (
    dtype_code,
)

CONTAINED_TYPE_EXAMPLES: Final = {
    "List": "List[int]",
    "Dict": "Dict[int, int]",
    "Tuple": "Tuple[int]",
    "Optional": "Optional[int]",
    "Union": "Union[int, str]",
}
_WAYS_OUT: Final = {
    "Sequence": "List[...] is the sequence that TorchScript has",
    "Iterable": "List[...] is the sequence that TorchScript has",
    "Collection": "List[...] is the sequence that TorchScript has",
    "Mapping": "Dict[...] is the mapping that TorchScript has",
    "DefaultDict": "Dict[...] is the mapping that TorchScript has",
    "OrderedDict": "Dict[...] keeps its order in TorchScript",
    "Set": "TorchScript has no sets; Dict[T, bool] does their work",
    "set": "TorchScript has no sets; Dict[T, bool] does their work",
    "FrozenSet": "TorchScript has no sets; Dict[T, bool] does their work",
    "Callable": "functions are no values in TorchScript; call the function by its name",
    "Literal": "use the type of the literal: int, str or bool",
    "Type": "types are no values in TorchScript",
    "object": "Any holds every value",
    "bytes": "strings are Unicode; use str",
    "Number": "numbers.Number is spelled Union[int, float] or Union[int, float, complex]",
    "ndarray": "use Tensor",
    "List": "say what it holds, as in List[int]",
    "Dict": "say what it holds, as in Dict[str, int]",
    "dict": "say what it holds, as in Dict[str, int]",
    "Tuple": "say what it holds, as in Tuple[int, str]",
    "Optional": "say what it holds, as in Optional[int]",
    "Union": "say what it holds, as in Union[int, str]",
}


def way_out(name: str) -> str | None:
    """The hint for a name that is no type; None if there is nothing to say."""
    last = name.rpartition(".")[2]
    if name == f"torch.{last}" and dtype_code(last) is not None:
        return "a dtype is no type: tensors of all dtypes are Tensors"
    if name.startswith("torch.nn."):
        return "modules are not types of values; take their parameters as Tensors"
    return _WAYS_OUT.get(name) or _WAYS_OUT.get(last)


def without_contained_type(name: str) -> str:
    """What is wrong with ``List`` alone, and what it is written like."""
    missing, wanted = ("a contained type", "a contained type")
    if name == "Dict":
        missing, wanted = ("contained types", "contained type")
    return (
        f"Attempted to use {name} without {missing}. "
        f"Please add {wanted}, e.g. {CONTAINED_TYPE_EXAMPLES[name]}"
    )
