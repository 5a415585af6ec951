"""Names that are known even to a text that does not import them: ``torch``, ``np``, ``List``."""

from __future__ import annotations

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.emit.sugared_values import LibraryProvider, NamespaceValue, TypeValue
from tsc.compiler.emit.sugared_values.namespace_value import TENSOR_HINT
from tsc.compiler.source import SourceRange


def without_import(
    name: str, emitter: Emitter, range: SourceRange, library: LibraryProvider
) -> SugaredValue | None:
    """What a name means that nothing binds; None if that is nothing."""
    path = known.CUSTOMARY_ALIASES.get(name, name)
    if path in known.MODULES:
        return NamespaceValue(path, library, operators_first=True)
    module, _, member = path.rpartition(".")
    if module in known.MODULES:
        return NamespaceValue(module, library).attribute(range, emitter, member)
    if name in known.TYPING_NAMES:
        return TypeValue(name)
    return TypeValue(name, TENSOR_HINT) if name == "Tensor" else None
