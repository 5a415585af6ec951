"""List and dict comprehensions: a loop that appends, in a scope of its own.

PyTorch has neither conditions nor further ``for`` clauses; here they are Ifs and nested loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tsc.compiler.emit.acceptance import Reading
from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call
from tsc.compiler.emit.expressions.container_hints import (
    DictHint,
    ListHint,
    check_key_type,
    element_hint,
)
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.emit.statements.conditions import emit_condition, insert_refinements
from tsc.compiler.emit.statements.control_flow import emit_for_each
from tsc.compiler.frontend.tree_views import CompFor, Comprehension, DictComp, Expr, ListComp
from tsc.compiler.ir import Value, aten, constant_value, prim
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import STRING, TENSOR, DictType, ListType, Type, UnionType, unify_types


class ListBuilder:
    """A list that a loop appends to. Its element type is the hint's, or that of the first one."""

    __slots__ = ("_hint", "_is_typed", "emitter", "list", "range")

    def __init__(self, emitter: Emitter, range: SourceRange, type_hint: Type | None) -> None:
        self.emitter = emitter
        self.range = range
        self._hint = ListHint(range, type_hint)
        hinted = self._hint.element
        self._is_typed = hinted is not None
        self.list = emitter.insert(prim.ListConstruct).output.set_type(ListType(hinted or TENSOR))

    @property
    def element_hint(self) -> Type | None:
        return element_hint(self.emitter, self.range, self._hint.element)

    def append(self, element: Value) -> None:
        self._check(element.type)
        if self._hint.element is not None:
            element = _as_hinted(self.emitter, element, self._hint.element)
        arguments = [NamedValue(element, self.range)]
        target = NamedValue(self.list, self.range, "self")
        emit_builtin_call(self.range, self.emitter, aten.append, arguments, [], target)

    def _check(self, type: Type) -> None:
        if not self._is_typed:
            self.list.set_type(ListType(self._hint.element_for(type)))
            self._is_typed = True
            return
        known = self.list.type
        assert isinstance(known, ListType)
        if not type.is_subtype_of(known.element):
            unified = type
            if self._hint.element is None:
                unified = unify_types(known.element, type, default_to_union=True) or type
            ListHint(self.range, known).element_for(unified)


class DictBuilder:
    """A dict that a loop fills. Its type is the hint's, or that of the first item."""

    __slots__ = ("_hint", "_is_typed", "dict", "emitter", "range")

    def __init__(self, emitter: Emitter, range: SourceRange, type_hint: Type | None) -> None:
        self.emitter = emitter
        self.range = range
        self._hint = DictHint(range, type_hint)
        hinted = self._hint.type_of_empty() if len(self._hint.candidates) == 1 else None
        self._is_typed = hinted is not None
        self.dict = emitter.insert(prim.DictConstruct).output
        self.dict.set_type(hinted or DictType(STRING, TENSOR))

    @property
    def value_hint(self) -> Type | None:
        return element_hint(self.emitter, self.range, self._hint.value)

    def set_item(self, key: Value, value: Value) -> None:
        self._check(key.type, value.type)
        type = self.dict.type
        if self._hint.value is not None and isinstance(type, DictType):
            value = _as_hinted(self.emitter, value, type.value)
        arguments = [NamedValue(operand, self.range) for operand in (self.dict, key, value)]
        emit_builtin_call(self.range, self.emitter, aten.set_item, arguments)

    def _check(self, key: Type, value: Type) -> None:
        if isinstance(key, UnionType):
            raise CompileError(
                "Dicts may only contain homogeneous keys, but the type of the first generated key "
                f"was {key.message_text}",
                self.range,
                code=codes.MIXED_ELEMENTS,
            )
        if self._is_typed:
            DictHint(self.range, self.dict.type).type_of_comprehension(key, value)
            return
        type = self._hint.type_of_comprehension(key, value)
        check_key_type(type.key, self.range)
        self.dict.set_type(type)
        self._is_typed = True


def _as_hinted(emitter: Emitter, element: Value, type: Type) -> Value:
    """A constant under the type that the annotation gives to all elements.

    PyTorch gives it to what any node computes, as in ``int? = aten::add``, which is no graph to rely on.
    """
    if element.node.kind != prim.Constant or element.type == type:
        return element
    if emitter.acceptance.reading is Reading.STRICT:
        return _with_type_everywhere(emitter, element, type)
    with emitter.graph.insert_at(element.node.next):  # numbers are shared: others keep the type
        return emitter.graph.insert_constant(constant_value(element)).set_type(type)


def _with_type_everywhere(emitter: Emitter, element: Value, type: Type) -> Value:
    """A constant as PyTorch gives it a type: wherever the function has it, which operators may not bear."""
    used = next((use.node for use in element.uses if use.node.operator is not None), None)
    if used is not None:
        refusal = f"the elements are {type.message_text}, and so is this constant then"
        emitter.acceptance.use(extensions.ELEMENT_ANNOTATIONS, used.range, refusal)
    return element.set_type(type)


def emit_list_comprehension(emitter: Emitter, tree: ListComp, type_hint: Type | None) -> Value:
    builder = ListBuilder(emitter, tree.range, type_hint)

    def emit_element() -> None:
        builder.append(emitter.emit_expression(tree.elt, builder.element_hint))

    _emit_comprehension(emitter, tree, emit_element)
    return builder.list


def emit_dict_comprehension(emitter: Emitter, tree: DictComp, type_hint: Type | None) -> Value:
    builder = DictBuilder(emitter, tree.range, type_hint)

    def emit_item() -> None:
        key = emitter.emit_expression(tree.key)
        value = emitter.emit_expression(tree.value, builder.value_hint)
        builder.set_item(key, value)

    _emit_comprehension(emitter, tree, emit_item)
    return DictHint(tree.range, type_hint).cast_to_choice(emitter, builder.dict)


def _emit_comprehension(
    emitter: Emitter, tree: Comprehension, emit_element: Callable[[], None]
) -> None:
    _note_extensions(emitter, tree)
    with emitter.local_variables(tree.range):
        _emit_clauses(emitter, tree.range, tree.clauses, emit_element)


def _note_extensions(emitter: Emitter, tree: Comprehension) -> None:
    if len(tree.clauses) > 1:
        refusal = "Only a single generator is TorchScript: a comprehension has one `for`"
        emitter.acceptance.use(extensions.COMPREHENSION_LOOPS, tree.range, refusal)
    for clause in tree.clauses:
        for condition in clause.conditions[:1]:
            refusal = "Comprehension ifs are not supported yet"
            emitter.acceptance.use(extensions.COMPREHENSION_CONDITIONS, condition.range, refusal)


def _emit_clauses(
    emitter: Emitter,
    range: SourceRange,
    clauses: Sequence[CompFor],
    emit_element: Callable[[], None],
) -> None:
    """Emit the loops of the clauses, each within the one before."""
    if not clauses:
        emit_element()
        return
    clause = clauses[0]

    def emit_body() -> None:
        _emit_if_all(
            emitter,
            clause.conditions,
            lambda: _emit_clauses(emitter, range, clauses[1:], emit_element),
        )

    emit_for_each(emitter, range, [clause.target], clause.iter, emit_body)


def _emit_if_all(
    emitter: Emitter, conditions: Sequence[Expr], emit_body: Callable[[], None]
) -> None:
    """Emit the body where all conditions hold, each knowing what those before it tell."""
    if not conditions:
        emit_body()
        return
    tree = conditions[0]
    condition = emit_condition(emitter, tree)
    node = emitter.insert(prim.If, [condition.value], 0, tree.range)
    then_block, _ = node.add_block(), node.add_block()
    with emitter.scope(then_block):
        insert_refinements(emitter, condition.refinements, tree.range)
        _emit_if_all(emitter, conditions[1:], emit_body)
