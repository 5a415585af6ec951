"""`dynamic_shapes` of an export, in all of its forms, as symbols for the sizes of arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from tsc.compiler.exir.symbols.dims import DerivedDim, Dim, DimHint, DimSpec
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.sym_values import SymInt
from tsc.compiler.source import UsageError

_KINDS: Final = (Dim, DerivedDim, DimHint, int)


def by_argument(
    dynamic_shapes: Any, names: Sequence[str], given: Sequence[str] = ()
) -> dict[str, Any]:
    """What is said of each argument: a dict by name, or a tuple or list in the order of all arguments, or of those
    that are `given`.

    Raises `UsageError` for a name that no argument has, and for a wrong number of them.
    """
    if dynamic_shapes is None:
        return {}
    if isinstance(dynamic_shapes, Mapping):
        told = cast("Mapping[Any, Any]", dynamic_shapes)
        unknown = [each for each in told if each not in names]
        if unknown:
            raise UsageError(
                f"dynamic_shapes: no argument is named {unknown[0]}; the arguments are: {', '.join(names)}"
            )
        return {str(key): each for key, each in told.items()}
    if isinstance(dynamic_shapes, tuple | list):
        listed = cast("Sequence[Any]", dynamic_shapes)
        if given and len(listed) == len(given):
            return dict(zip(given, listed, strict=True))
        if len(listed) != len(names):
            raise UsageError(f"dynamic_shapes: there are {len(names)} arguments, not {len(listed)}")
        return dict(zip(names, listed, strict=True))
    raise UsageError(
        f"dynamic_shapes is a dict, tuple or list, not {type(dynamic_shapes).__name__}"
    )


def inside(spec: Any, key: Any, path: str) -> Any:
    """What is said of an element of an argument that is a container. Raises `UsageError` where it is none."""
    if spec is None or isinstance(spec, DimHint):
        return spec
    if isinstance(spec, Mapping):
        return cast("Mapping[Any, Any]", spec).get(key)
    if isinstance(spec, tuple | list) and isinstance(key, int):
        listed = cast("Sequence[Any]", spec)
        if key < len(listed):
            return listed[key]
    raise UsageError(f"dynamic_shapes: {path} is a container, and {spec!r} does not say so")


def dimensions(spec: Any, rank: int, path: str) -> list[DimSpec]:
    """What is said of each dimension of a tensor: a dict by dimension (negative from the end), a tuple or list.

    Raises `UsageError` for a dimension that the tensor has not, and for what is said of none.
    """
    if spec is None or isinstance(spec, DimHint):
        return [spec] * rank
    if isinstance(spec, Mapping):
        found: list[DimSpec] = [None] * rank
        for key, each in cast("Mapping[Any, Any]", spec).items():
            if type(key) is not int or not -rank <= key < rank:
                raise UsageError(f"dynamic_shapes: {path} has {rank} dimensions, and no {key!r}")
            found[key] = _checked(each, path)
        return found
    if isinstance(spec, tuple | list):
        listed = [_checked(each, path) for each in cast("Sequence[Any]", spec)]
        if len(listed) != rank:
            raise UsageError(f"dynamic_shapes: {path} has {rank} dimensions, not {len(listed)}")
        return listed
    raise UsageError(f"dynamic_shapes: {path} is a tensor, and {spec!r} is no dict, tuple or list")


def _checked(spec: Any, path: str) -> DimSpec:
    if spec is None or isinstance(spec, _KINDS):
        return spec
    raise UsageError(f"dynamic_shapes: {spec!r} of {path} is no Dim, number or None")


class DeclaredDims:
    """Makes the sizes of inputs, and remembers what was said of them for `violations`."""

    def __init__(self, environment: ShapeEnvironment) -> None:
        self.environment = environment
        self.declared: list[tuple[SymInt, DimSpec]] = []

    def sizes(self, shape: Sequence[int], spec: Any, source: str) -> list[SymInt | int]:
        """Of a tensor whose place is `source`, ``L['x']``: a symbol for each dimension that may change."""
        specs = dimensions(spec, len(shape), source)
        return [
            self._size(size, each, f"{source}.size()[{dim}]")
            for dim, (size, each) in enumerate(zip(shape, specs, strict=True))
        ]

    def names(self) -> dict[str, str]:
        """The names of users by the symbols that stand for them."""
        known = ((self.environment.to_expression(size), spec) for size, spec in self.declared)
        return {
            str(expression): spec.name
            for expression, spec in known
            if isinstance(spec, Dim) and str(expression).isidentifier()
        }

    def _size(self, size: int, spec: DimSpec, source: str) -> SymInt | int:
        if spec is None or spec is DimHint.STATIC:
            return size
        if isinstance(spec, int):
            return self._fixed(size, spec, source)
        if size < 2:
            return self._small(size, spec, source)
        lower, upper = _range(spec)
        if size < lower or (upper is not None and size > upper):
            raise UsageError(f"{source} is {size}, and {spec} goes from {lower} to {upper}")
        automatic = spec is DimHint.AUTO
        found = self.environment.backed(size, source, lower, upper, is_automatic=automatic)
        self.declared.append((found, spec))
        return found

    def _fixed(self, size: int, wanted: int, source: str) -> int:
        if wanted != size:
            raise UsageError(f"{source} is {size}, and dynamic_shapes say that it is {wanted}")
        return size

    def _small(self, size: int, spec: DimSpec, source: str) -> int:
        if spec is DimHint.AUTO:
            return size
        raise UsageError(
            f"{source} is {size}: programs treat sizes of 0 and 1 otherwise than others, so that {spec} "
            "is not seen to change; give example arguments with a size of 2 or more, or Dim.AUTO"
        )


def _range(spec: DimSpec) -> tuple[int, int | None]:
    """Of one dimension as it is declared."""
    if isinstance(spec, Dim):
        return spec.min, spec.max
    if isinstance(spec, DerivedDim):
        root = spec.root
        most = None if root.max is None else spec.factor * root.max + spec.offset
        return spec.factor * root.min + spec.offset, most
    return (2 if spec is DimHint.DYNAMIC or spec is DimHint.AUTO else 0), None


def named(declared: Sequence[tuple[SymInt, DimSpec]]) -> Iterator[tuple[SymInt, Dim | DerivedDim]]:
    """Those that have a name, or follow from one."""
    for size, spec in declared:
        if isinstance(spec, Dim | DerivedDim):
            yield size, spec
