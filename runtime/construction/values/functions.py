"""What can be called: functions of a source text, of Python, and what wraps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tsc.compiler.frontend.tree_views import Def, Lambda
from tsc.runtime.construction.values.arguments import bound_arguments
from tsc.runtime.construction.values.protocol import Evaluator, Frame, Scope
from tsc.runtime.construction.values.value import Value, type_name


class _Function(Value):
    """What becomes a method in the body of a class."""

    __slots__ = ()

    name: str

    @property
    def is_callable(self) -> bool:
        return True

    def bound(self, evaluator: Evaluator, receiver: Any, cls: Any) -> Any:
        return BoundMethod(receiver, self)

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        return self.name if name == "__name__" else super().find_attribute(evaluator, name)


@dataclass(slots=True, eq=False)
class FunctionObject(_Function):
    """A function of a source text: its tree, its defaults, and where its free names are.

    `owner` is the class in whose body it stands, for ``super()``.
    """

    definition: Def | Lambda
    name: str
    scope: Scope
    closure: Frame | None
    defaults: Mapping[str, object]
    owner: Any = None

    @property
    def type_name(self) -> str:
        return "function"

    @property
    def qualified_name(self) -> str:
        """The name with that of its class, as messages have it."""
        return self.name if self.owner is None else f"{self.owner.name}.{self.name}"

    def become_owned(self, owner: Any) -> None:
        if self.owner is None:
            self.owner = owner

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        tree = self.definition
        params = tree.decl.params
        variables = bound_arguments(self.qualified_name, params, self.defaults, arguments, keywords)
        receiver = arguments[0] if arguments else None
        frame = Frame(self.scope, self.closure, variables, self.owner, receiver, is_function=True)
        frame.position = tree.body.range if isinstance(tree, Lambda) else tree.name.range
        with evaluator.entered(frame, self.name):
            if isinstance(tree, Lambda):
                return evaluator.evaluate(tree.body, frame)
            signal = evaluator.execute(tree.statements, frame)
            return None if signal is None else signal.value

    def __repr__(self) -> str:
        return f"<function {self.qualified_name}>"


class AbstractMethod(FunctionObject):
    """A method marked ``@abstractmethod``."""

    __slots__ = ()


def function_object(
    evaluator: Evaluator, tree: Def | Lambda, name: str, frame: Frame
) -> FunctionObject:
    """The function of a definition; its defaults are evaluated now."""
    defaults = {
        param.name: evaluator.evaluate(param.default, frame)
        for param in tree.decl.params
        if param.default is not None
    }
    closure = frame.outer if frame.is_class else frame
    if closure is not None and not closure.is_function and closure.outer is None:
        closure = closure if closure.locals else None
    return FunctionObject(tree, name, frame.scope, closure, defaults)


@dataclass(slots=True, eq=False)
class NativeFunction(_Function):
    """A function that Python implements: called with the evaluator, then its arguments."""

    name: str
    function: Callable[..., Any]
    path: str = ""
    """Of a function of torch: ``torch.nn.functional.relu``, ``aten::relu``."""

    @property
    def type_name(self) -> str:
        return "builtin_function_or_method"

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        evaluator.step()
        return call_native(self.name, self.function, evaluator, *arguments, **keywords)

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        return self

    def __repr__(self) -> str:
        return f"<built-in function {self.name}>"


def call_native(
    name: str, function: Callable[..., Any], /, *arguments: Any, **keywords: Any
) -> Any:
    """Call what Python implements; arguments that do not fit are told in the program's terms."""
    try:
        return function(*arguments, **keywords)
    except TypeError as error:
        traceback = error.__traceback__
        if traceback is None or traceback.tb_next is not None:
            raise
        _, separator, problem = str(error).partition("() ")
        if not separator or problem.startswith("takes"):
            problem = "does not take so many arguments"
        raise TypeError(f"{name}() {problem}") from None


@dataclass(slots=True, eq=False)
class BoundMethod(Value):
    """``instance.method``"""

    receiver: Any
    function: Any

    @property
    def type_name(self) -> str:
        return "method"

    @property
    def is_callable(self) -> bool:
        return True

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        if name == "__name__":
            return getattr(self.function, "name", "function")
        return (
            self.receiver
            if name == "__self__"
            else super(BoundMethod, self).find_attribute(evaluator, name)
        )

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return evaluator.call(self.function, [self.receiver, *arguments], keywords)

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        return BoundMethod(copied(self.receiver), self.function)

    def __repr__(self) -> str:
        return f"<bound method {getattr(self.function, 'name', '?')}>"


@dataclass(slots=True, eq=False)
class PartialObject(Value):
    """``functools.partial(function, ...)``"""

    function: Any
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]

    @property
    def is_callable(self) -> bool:
        return True

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        parts = {"func": self.function, "args": self.arguments, "keywords": self.keywords}
        return (
            parts[name]
            if name in parts
            else super(PartialObject, self).find_attribute(evaluator, name)
        )

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        evaluator.step()
        merged = {**self.keywords, **keywords}
        return evaluator.call(self.function, [*self.arguments, *arguments], merged)

    def deep_copy(self, known: dict[int, Any], copied: Callable[[Any], Any]) -> Any:
        arguments = tuple(copied(each) for each in self.arguments)
        keywords = {name: copied(each) for name, each in self.keywords.items()}
        return PartialObject(copied(self.function), arguments, keywords)


@dataclass(slots=True, eq=False)
class _Wrapper(Value):
    """What ``@staticmethod`` and ``@classmethod`` make of a function."""

    function: Any

    def become_owned(self, owner: Any) -> None:
        become_owned(self.function, owner)

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        evaluator.step()
        return evaluator.call(self.function, arguments, keywords)


class StaticMethod(_Wrapper):
    """``@staticmethod``"""

    __slots__ = ()

    def bound(self, evaluator: Evaluator, receiver: Any, cls: Any) -> Any:
        return self.function

    def unbound(self, cls: Any) -> Any:
        return self.function


class ClassMethod(_Wrapper):
    """``@classmethod``"""

    __slots__ = ()

    def bound(self, evaluator: Evaluator, receiver: Any, cls: Any) -> Any:
        return BoundMethod(cls, self.function)

    def unbound(self, cls: Any) -> Any:
        return BoundMethod(cls, self.function)


@dataclass(slots=True, eq=False)
class PropertyObject(Value):
    """``@property``"""

    getter: Any
    setter: Any = None

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        if name != "setter":
            return super(PropertyObject, self).find_attribute(evaluator, name)
        return NativeFunction(name, lambda _evaluator, setter: PropertyObject(self.getter, setter))

    def bound(self, evaluator: Evaluator, receiver: Any, cls: Any) -> Any:
        return evaluator.call(self.getter, [receiver])

    def take_assignment(self, evaluator: Evaluator, receiver: Any, name: str, item: Any) -> bool:
        if self.setter is None:
            raise AttributeError(
                f"property '{name}' of '{type_name(receiver)}' object has no setter"
            )
        evaluator.call(self.setter, [receiver, item])
        return True

    def become_owned(self, owner: Any) -> None:
        become_owned(self.getter, owner)
        become_owned(self.setter, owner)


def become_owned(value: Any, owner: Any) -> None:
    """Tell a function of a class body whose it is, for ``super()``."""
    if isinstance(value, Value):
        value.become_owned(owner)


def bind(evaluator: Evaluator, found: Any, receiver: Any, cls: Any) -> Any:
    """What an attribute of a class is for an instance; `MISSING` stays that."""
    return found.bound(evaluator, receiver, cls) if isinstance(found, Value) else found
