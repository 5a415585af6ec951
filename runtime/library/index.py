"""The library: TorchScript source files beside this one, found by qualified name, compiled on demand.

A function ``__torch__.torch.nn.functional.relu`` is defined in one of the files of the folder
``torch/nn/functional``. A file is cut into its definitions, and only the ones asked for are parsed.
What has classes, ``torch/nn/modules/linear.py`` or ``torch/nn/utils/rnn.py``, is a whole file of that name.

Several definitions of one name are its overloads, in the order in which they are tried. All but the
first have a number in their qualified names, as PyTorch's have when they are the first to be compiled:
``__torch__.torch.functional.___torch_mangle_0.norm`` is the second definition of ``norm``. Overloads
whose body is ``...`` share that of the last definition, which is none of them.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tsc.compiler.compile import Toolchain, declare
from tsc.compiler.emit.resolvers.sibling_files import SiblingFiles
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import Module
from tsc.compiler.ir import DEFINING, Function
from tsc.compiler.source import Source
from tsc.compiler.source.paths import is_file

FOLDER = Path(__file__).parent
PREFIX = "__torch__."
_DEFINITION = re.compile(r"^def (\w+)", re.MULTILINE)
_NO_BODY = ": ..."
_OVERLOAD = re.compile(r"(?P<module>.+?)(?:\.___torch_mangle_(?P<number>\d+))?")


class Definition(NamedTuple):
    """The text that defines a function, and of an overload that is only a signature, the text whose body it takes."""

    source: Source
    implementation: Source | None = None

    def parse(self) -> Module:
        """The tree of a text that defines the function."""
        module = parse_source(self.source)
        if self.implementation is None:
            return module
        (signature,) = module.definitions
        (definition,) = parse_source(self.implementation).definitions
        return Module(module.range, [replace(definition, decl=signature.decl)])


class _File(NamedTuple):
    resolver: SourceResolver
    functions: dict[str, Function]


class Library:
    """The functions of the library that were asked for so far."""

    def __init__(self) -> None:
        self._functions: dict[str, Function | None] = {}
        self._files: dict[str, _File | None] = {}
        self._toolchain: Toolchain | None = None

    def use(self, toolchain: Toolchain) -> None:
        """Compile with `toolchain`, which in turn finds its library functions here."""
        self._toolchain = toolchain

    def function(self, qualified_name: str) -> Function | None:
        """The function of that name, or None if the library has none."""
        if qualified_name not in self._functions:
            with DEFINING:
                if qualified_name not in self._functions:
                    self._functions[qualified_name] = self._compile(qualified_name)
        return self._functions[qualified_name]

    def file(self, module: str) -> SourceResolver | None:
        """What a source file of the library defines, classes included; None if there is no such file."""
        found = self._file(module)
        return None if found is None else found.resolver

    def _file(self, module: str) -> _File | None:
        if module not in self._files:
            with DEFINING:
                if module not in self._files:
                    self._files[module] = self._read(module)
        return self._files[module]

    def _read(self, module: str) -> _File | None:
        text = text_of_file(module)
        if text is None or self._toolchain is None:
            return None
        tree = parse_source(Source(text, f"{module.replace('.', '/')}.py"))
        functions: dict[str, Function] = {}
        toolchain = self._toolchain
        siblings = SiblingFiles(partial(declare, toolchain=toolchain))
        prefix = f"{PREFIX}{module}."
        resolver, _ = declare(tree, functions, prefix, siblings, toolchain=toolchain)
        return _File(resolver, functions)

    def _compile(self, qualified_name: str) -> Function | None:
        namespace, _, name = qualified_name.rpartition(".")
        place = _OVERLOAD.fullmatch(namespace.removeprefix(PREFIX))
        if place is None or self._toolchain is None:
            return None
        number = place["number"]
        file = self._file(place["module"])
        if file is not None:
            return file.functions.get(name) if number is None else None
        index = 0 if number is None else int(number) + 1
        overloads = definitions_of(place["module"]).get(name, [])
        if index >= len(overloads):
            return None
        functions: dict[str, Function] = {}
        siblings = SiblingFiles(partial(declare, toolchain=self._toolchain))
        module = overloads[index].parse()
        declare(module, functions, f"{namespace}.", siblings, toolchain=self._toolchain)
        functions[name].ensure_defined()
        return functions[name]


@functools.cache
def text_of_file(module: str) -> str | None:
    """The text of the library file with that dotted path, such as ``torch.nn.modules.linear``."""
    path = FOLDER.joinpath(*module.split(".")).with_suffix(".py")
    is_library = module.startswith("torch.nn.") and is_file(path)
    return path.read_text(encoding="utf-8") if is_library else None


@functools.cache
def definitions_of(module: str) -> dict[str, list[Definition]]:
    """The definitions in the files of a library module, by name: several are overloads."""
    return {name: _overloads(sources) for name, sources in _texts_of(module).items()}


def _overloads(sources: list[Source]) -> list[Definition]:
    if not any(source.text.endswith(_NO_BODY) for source in sources):
        return [Definition(source) for source in sources]
    *signatures, implementation = sources
    return [Definition(signature, implementation) for signature in signatures]


def _texts_of(module: str) -> dict[str, list[Source]]:
    found: dict[str, list[Source]] = {}
    folder = FOLDER.joinpath(*module.split("."))
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        starts = [*_DEFINITION.finditer(text)]
        ends = [match.start() for match in starts[1:]] + [len(text)]
        for match, end in zip(starts, ends):
            line = text.count("\n", 0, match.start()) + 1
            filename = f"{module.replace('.', '/')}/{path.name}"
            source = Source(text[match.start() : end].rstrip(), filename, line)
            found.setdefault(match.group(1), []).append(source)
    return found
