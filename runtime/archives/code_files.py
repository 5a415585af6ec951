"""The code of an archive: classes and functions as text, in one file for each qualifier.

Files, and what is in each, are in PyTorch's order: first the classes of the values that are saved, then what
is used by what was printed, as it was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import cast

from tsc.compiler.ir import Function, Graph, Node, called_function, prim
from tsc.compiler.printing.printed_file import PrintedFile
from tsc.compiler.printing.python_classes import NamedType, is_class, methods_of_class, print_class
from tsc.compiler.printing.python_constants import ConstantsTable
from tsc.compiler.printing.python_printer import print_python_graph
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.types import ClassType, InterfaceType, TupleType, Type
from tsc.runtime.archives.operator_versions import version_needed_by
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.source_ranges import CodeOrigin, SourceRanges

_ROOT = "__torch__"
_NO_GRAD = "__torch__.torch.autograd.grad_mode.no_grad"
_BROUGHT_ALONG = {
    _NO_GRAD: f"""class no_grad:
  prev : bool
  def __init__(self: {_NO_GRAD}) -> NoneType:
    self.prev = False
    return None
  def __enter__(self: {_NO_GRAD}) -> NoneType:
    self.prev = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    return None
  def __exit__(self: {_NO_GRAD},
    type: Any,
    value: Any,
    traceback: Any) -> NoneType:
    torch.set_grad_enabled(self.prev)
    return None
"""
}
"""Classes whose methods the runtime has; PyTorch wants their text."""


class CodeFiles:
    """The texts by their paths, the constants in them, and the version of the format that they need."""

    def __init__(self) -> None:
        self.constants = _Constants(self._name_of)
        self.version = 0
        self._files: dict[str, list[str]] = {}
        self._states: dict[str, PrintedFile] = {}
        self._waiting: dict[str, NamedType | Function] = {}
        self._printed: set[str] = set()
        self._names: dict[int, str] = {}
        self._functions: dict[str, Function] = {}
        self._seen: set[int] = set()

    def add(self, types: Iterable[ClassType]) -> None:
        """Print classes, and then all that they need."""
        for type in types:
            self._print(type.annotation, type)
        while self._waiting:
            name = next(iter(self._waiting))
            self._print(name, self._waiting.pop(name))

    def texts(self) -> dict[str, str]:
        return {_path(name): "".join(texts) for name, texts in self._files.items()}

    def source_ranges(self) -> dict[str, SourceRanges]:
        """Which programs the texts were made from, by their paths."""
        return {
            _path(name): SourceRanges(tuple(CodeOrigin(*origin) for origin in file.origins))
            for name, file in self._states.items()
            if file.origins
        }

    # -- Names -----------------------------------------------------------------------------------

    def _name_of(self, function: Function) -> str:
        """The qualified name of a function: each function has one of its own."""
        known = self._names.get(id(function))
        if known is None:
            known = function.qualified_name
            known = known if known.startswith(f"{_ROOT}.") else f"{_ROOT}.{known}"
            path, _, last = known.rpartition(".")
            number = 0
            while self._functions.get(known, function) is not function:
                known = f"{path}.___torch_mangle_{number}.{last}"
                number += 1
            self._names[id(function)] = known
            self._functions[known] = function
        return known

    # -- Printing --------------------------------------------------------------------------------

    def _print(self, name: str, what: NamedType | Function) -> None:
        if name in self._printed:
            return
        self._printed.add(name)
        qualifier, _, last = name.rpartition(".")
        texts = self._files.setdefault(qualifier, [])
        file = self._states.setdefault(qualifier, PrintedFile())
        start = file.length
        if name in _BROUGHT_ALONG:
            text = _BROUGHT_ALONG[name]
        elif isinstance(what, Function):
            graph, schema = what.graph, what.schema
            self._need_all_of(what)
            text = print_python_graph(
                graph, last, schema, self.constants, file=file, tells_self=True
            )
        else:
            self._need_members(what)
            text = print_class(what, self.constants, file)
        texts.append(text)
        file.length = start + len(text.encode("utf-8", "surrogatepass"))

    # -- What is needed --------------------------------------------------------------------------

    def _need_members(self, type: NamedType) -> None:
        """What the statement of a class mentions, in its order."""
        if isinstance(type, ClassType):
            for attribute in type.attributes.values():
                self._need(attribute.type)
            for method in methods_of_class(type):
                self._need_all_of(method)
        elif isinstance(type, InterfaceType):
            for schema in type.methods.values():
                self._need_schema(cast("FunctionSchema", schema))
        elif isinstance(type, TupleType):
            for element in type.elements:
                self._need(element)

    def _need_all_of(self, function: Function) -> None:
        self._need_schema(function.schema)
        self._need_graph(function.graph)
        self.version = max(self.version, version_needed_by(function.graph))

    def _need_schema(self, schema: FunctionSchema) -> None:
        for argument in (*schema.arguments, *schema.returns):
            self._need(argument.type)

    def _need_graph(self, graph: Graph) -> None:
        for node in graph.all_nodes():
            _refuse_python(node)
            for value in (*node.inputs, *node.outputs):
                self._need(value.type)
            if node.kind == prim.CallFunction:
                callee = called_function(node.inputs[0])
                if callee is not None:
                    self._waiting.setdefault(self._name_of(callee), callee)
            for attribute in node.attributes.values():
                if isinstance(attribute, Graph):
                    self._need_graph(attribute)
                for type in _types_in(attribute):
                    self._need(type)

    def _need(self, type: Type) -> None:
        """The classes in a type, what they are made of first."""
        if id(type) in self._seen:
            return
        if isinstance(type, ClassType):
            self._seen.add(id(type))
            for attribute in type.attributes.values():
                self._need(attribute.type)
        elif type.kind.name != "FunctionType":
            for part in type.contained:
                self._need(part)
        name = type.annotation
        if is_class(type) and name not in self._printed:
            self._waiting.setdefault(name, type)


def _path(qualifier: str) -> str:
    return f"{qualifier.replace('.', '/')}.py"


class _Constants(ConstantsTable):
    """Functions have the names that they have in the archive."""

    __slots__ = ("_name_of",)

    def __init__(self, name_of: Callable[[Function], str]) -> None:
        super().__init__()
        self._name_of = name_of

    def _object(self, value: object) -> str:
        if isinstance(value, Function):
            return self._name_of(value)
        return super()._object(value)


def _types_in(attribute: object) -> Iterator[Type]:
    if isinstance(attribute, list | tuple):
        for each in cast("Iterable[object]", attribute):
            if isinstance(each, Type):
                yield each


def _refuse_python(node: Node) -> None:
    """A function that ``@ignore`` leaves to Python is in no archive."""
    if node.kind == prim.PythonOp:
        name = node.string_attribute("python_name")
        raise ArchiveError(
            f"Could not export Python function call '{name}'. Remove calls to Python functions "
            f"before export ({node.range})",
            hint="decorate the function with @unused to have calls of it raise in archives",
        )
