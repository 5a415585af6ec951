"""The values of an evaluated program that Python's own types do not give.

Numbers, strings, lists, tuples, dicts, sets, ranges and slices are Python's; tensors, dtypes and
devices are the runtime's. Everything else is one of the classes here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
    from tsc.compiler.frontend.tree_views import ClassDef, Def, Expr, Lambda
    from tsc.runtime.construction.frames import Frame
    from tsc.runtime.construction.scopes import Scope


class Parameter(Tensor):
    """A tensor that a module registers as a parameter when it is assigned to an attribute."""

    __slots__ = ()

    def __init__(self, data: Tensor, requires_grad: bool = True) -> None:
        super().__init__(data.array)
        self.requires_grad = requires_grad

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"


class Buffer(Tensor):
    """A tensor that a module registers as a buffer when it is assigned to an attribute."""

    __slots__ = ("persistent",)

    def __init__(self, data: Tensor, persistent: bool = True) -> None:
        super().__init__(data.array)
        self.persistent = persistent


# -- Functions -----------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class FunctionObject:
    """A function of a source text: its tree, its defaults, and where its free names are.

    `owner` is the class in whose body it stands, for ``super()``.
    """

    definition: Def | Lambda
    name: str
    scope: Scope
    closure: Frame | None
    defaults: Mapping[str, object]
    owner: ClassObject | None = None

    @property
    def qualified_name(self) -> str:
        """The name with that of its class, as messages have it."""
        return self.name if self.owner is None else f"{self.owner.name}.{self.name}"

    def __repr__(self) -> str:
        return f"<function {self.qualified_name}>"


@dataclass(slots=True, eq=False)
class NativeFunction:
    """A function that Python implements: called with the evaluator, then its arguments."""

    name: str
    function: Callable[..., Any]
    path: str = ""
    """Of a function of torch: ``torch.nn.functional.relu``, ``aten::relu``."""

    def __repr__(self) -> str:
        return f"<built-in function {self.name}>"


@dataclass(slots=True, eq=False)
class BoundMethod:
    """``instance.method``"""

    receiver: Any
    function: Any

    def __repr__(self) -> str:
        return f"<bound method {getattr(self.function, 'name', '?')}>"


@dataclass(slots=True, eq=False)
class PartialObject:
    """``functools.partial(function, ...)``"""

    function: Any
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


@dataclass(slots=True, eq=False)
class StaticMethod:
    function: Any


@dataclass(slots=True, eq=False)
class ClassMethod:
    function: Any


@dataclass(slots=True, eq=False)
class PropertyObject:
    getter: Any
    setter: Any = None


@dataclass(slots=True, eq=False)
class SuperObject:
    """``super()``: attributes are looked up behind `after` in the receiver's MRO."""

    after: ClassObject
    receiver: Any


# -- Classes and their instances -----------------------------------------------------------------


@dataclass(slots=True, eq=False)
class ClassObject:
    """A class: of a source text if it has a `definition`, and else one that Python implements.

    `attributes` are those of the class body, functions among them, in their order; `annotations`
    are the trees of ``name: type``. `resolver` and `scope` are those of the file of the definition. A host class
    has `instances`, the Python types whose values are its instances, and makes them with `create`.
    """

    name: str
    qualified_name: str
    bases: tuple[ClassObject, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    annotations: dict[str, Expr] = field(default_factory=dict)
    definition: ClassDef | None = None
    resolver: SourceResolver | None = None
    instances: tuple[type, ...] = ()
    create: Callable[..., Any] | None = None
    mro: tuple[ClassObject, ...] = ()
    scope: Scope | None = None

    def __post_init__(self) -> None:
        if not self.mro:
            from tsc.runtime.construction.method_resolution import linearized

            self.mro = linearized(self)

    def find(self, name: str, after: ClassObject | None = None) -> Any:
        """The attribute of that name of the first class that has it, behind `after` in the MRO; or
        `MISSING`.
        """
        start = 0 if after is None else self.mro.index(after) + 1
        for each in self.mro[start:]:
            if name in each.attributes:
                return each.attributes[name]
        return MISSING

    def method(self, name: str) -> FunctionObject | None:
        """The function of a source text that is the method of that name, if it is one."""
        found = self.find(name)
        if isinstance(found, StaticMethod | ClassMethod):
            found = found.function
        return found if isinstance(found, FunctionObject) else None

    def is_subclass_of(self, other: ClassObject) -> bool:
        return other in self.mro

    @property
    def all_annotations(self) -> dict[str, Expr]:
        """The annotations of the class and those below it; the nearest counts."""
        found: dict[str, Expr] = {}
        for each in reversed(self.mro):
            found.update(each.annotations)
        return found

    def __repr__(self) -> str:
        return f"<class '{self.qualified_name.removeprefix('__torch__.')}'>"


class ModuleClass(ClassObject):
    """``nn.Module`` or a class derived from it.

    `qualified_name` is PyTorch's: ``__torch__.M`` for a class of the compiled file,
    ``__torch__.torch.nn.modules.linear.Linear`` for one of the library.
    """

    __slots__ = ()

    @property
    def constants(self) -> tuple[str, ...]:
        """The names in ``__constants__``."""
        found = self.find("__constants__")
        return tuple(found) if isinstance(found, list | tuple | set | frozenset) else ()


class _Missing:
    """What a lookup gives that finds nothing; None is a value."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()


@dataclass(slots=True, eq=False, repr=False)
class InstanceObject:
    """An instance of an ordinary class of a source text."""

    cls: ClassObject
    attributes: dict[str, Any] = field(default_factory=dict)
    is_frozen: bool = False

    def __eq__(self, other: object) -> bool:
        """As the class says: containers that hold instances compare them so."""
        if self is other:
            return True
        found = self._special("__eq__", other)
        return NotImplemented if found is MISSING else found

    def __lt__(self, other: object) -> bool:
        found = self._special("__lt__", other)
        return NotImplemented if found is MISSING else found

    def __hash__(self) -> int:
        """Instances that are equal without being the same need a hash of their own."""
        found = self._special("__hash__")
        if found is not MISSING:
            return found
        if self.cls.find("__eq__") is MISSING:
            return object.__hash__(self)
        if not self.is_frozen:
            raise TypeError(f"unhashable type: '{self.cls.name}'")
        return hash(tuple(self.attributes.values()))

    def _special(self, name: str, *arguments: object) -> Any:
        from tsc.runtime.construction.operations import special_method_of

        return special_method_of(self, name, *arguments)

    def __repr__(self) -> str:
        return f"<{self.cls.name} object>"


@dataclass(slots=True, eq=False, repr=False)
class Hook:
    """A hook of a module: any callable, with what ``register_*_hook`` said of it."""

    function: Any
    with_kwargs: bool = False


@dataclass(slots=True, eq=False, repr=False)
class ModuleInstance:
    """An evaluated module: what ``__init__`` left in it, in the order of creation.

    `attributes` are the plain ones; a parameter, buffer or submodule may be None. The containers
    (`Sequential`, `ModuleList`, `ModuleDict`) have their elements in `modules`, `ParameterList` and
    `ParameterDict` theirs in `parameters`. `initialized` is false until ``nn.Module.__init__`` ran.
    """

    cls: ModuleClass
    attributes: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Parameter | None] = field(default_factory=dict)
    buffers: dict[str, Tensor | None] = field(default_factory=dict)
    non_persistent: set[str] = field(default_factory=set)
    modules: dict[str, ModuleInstance | None] = field(default_factory=dict)
    training: bool = True
    forward_pre_hooks: list[Hook] = field(default_factory=list)
    forward_hooks: list[Hook] = field(default_factory=list)
    initialized: bool = False

    def __repr__(self) -> str:
        from tsc.runtime.construction.module_printing import module_text

        return module_text(self)


@dataclass(slots=True, eq=False)
class ExceptionObject:
    """An exception that was made but not raised: ``ValueError("...")``."""

    cls: ClassObject
    arguments: tuple[Any, ...]
    attributes: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        if len(self.arguments) == 1:
            return str(self.arguments[0])
        return str(self.arguments) if self.arguments else ""


@dataclass(slots=True)
class Namespace:
    """A module that tsc knows, by its path: ``torch.nn``, ``math``."""

    path: str

    def __repr__(self) -> str:
        return f"<module '{self.path}'>"


@dataclass(slots=True, eq=False)
class SourceModule:
    """Another source file, by the path that an import gives it; a folder has files in it."""

    path: str
    scope: Scope
    file: Callable[[str], SourceModule | None]

    def __repr__(self) -> str:
        return f"<module '{self.path}'>"


@dataclass(slots=True)
class TypeForm:
    """Something that is only good for annotations: ``Optional[int]``, ``TypeVar("T")``."""

    name: str
