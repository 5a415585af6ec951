"""Calls: what can be called, and how arguments find their parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tsc.compiler.frontend.tree_views import Def, Lambda, Param
from tsc.runtime.construction.frames import Frame
from tsc.runtime.construction.values import (
    MISSING,
    BoundMethod,
    ClassMethod,
    ClassObject,
    FunctionObject,
    InstanceObject,
    ModuleClass,
    ModuleInstance,
    NativeFunction,
    PartialObject,
    StaticMethod,
    SuperObject,
    TypeForm,
)
from tsc.runtime.context.grad_mode import NoGrad

if TYPE_CHECKING:
    from tsc.runtime.construction.evaluator import Evaluator


def call(
    evaluator: Evaluator, function: Any, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    """What a value gives when it is called."""
    if isinstance(function, BoundMethod):
        return call(evaluator, function.function, [function.receiver, *arguments], keywords)
    if isinstance(function, FunctionObject):
        return _call_function(evaluator, function, arguments, keywords)
    evaluator.step()
    if isinstance(function, NativeFunction):
        return call_native(function.name, function.function, evaluator, *arguments, **keywords)
    if isinstance(function, ClassObject):
        return instantiate(evaluator, function, arguments, keywords)
    if isinstance(function, ModuleInstance):
        from tsc.runtime.construction.module_calls import call_module

        return call_module(evaluator, function, arguments, keywords)
    if isinstance(function, PartialObject):
        merged = {**function.keywords, **keywords}
        return call(evaluator, function.function, [*function.arguments, *arguments], merged)
    if isinstance(function, InstanceObject):
        method = function.cls.find("__call__")
        if method is not MISSING:
            return call(evaluator, method, [function, *arguments], keywords)
    if isinstance(function, StaticMethod | ClassMethod):
        return call(evaluator, function.function, arguments, keywords)
    if isinstance(function, TypeForm):
        return TypeForm(function.name)
    if isinstance(function, NoGrad) and len(arguments) == 1:
        return arguments[0]  # ``@torch.no_grad()``: no gradients are recorded anyway
    raise TypeError(f"'{type_name(function)}' object is not callable")


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


def is_callable(value: Any) -> bool:
    """``callable(value)``"""
    if isinstance(value, InstanceObject):
        return value.cls.find("__call__") is not MISSING
    callables = (BoundMethod, FunctionObject, NativeFunction, ClassObject, ModuleInstance)
    return isinstance(value, (*callables, PartialObject))


def type_name(value: Any) -> str:
    """The name of the type of a value, for messages."""
    if isinstance(value, InstanceObject | ModuleInstance):
        return value.cls.name
    known = {
        FunctionObject: "function",
        NativeFunction: "builtin_function_or_method",
        BoundMethod: "method",
        ClassObject: "type",
        SuperObject: "super",
    }
    return known.get(type(value), type(value).__name__)


# -- Functions of a source text --------------------------------------------------------------


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
    if closure is not None and closure.function is None and closure.outer is None:
        closure = closure if closure.locals else None
    return FunctionObject(tree, name, frame.scope, closure, defaults)


def _call_function(
    evaluator: Evaluator, function: FunctionObject, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    variables = _bound(function, arguments, keywords)
    receiver = arguments[0] if arguments else None
    frame = Frame(function.scope, function.closure, variables, function, receiver)
    tree = function.definition
    frame.position = tree.body.range if isinstance(tree, Lambda) else tree.name.range
    with evaluator.entered(frame, function.name):
        if isinstance(tree, Lambda):
            return evaluator.evaluate(tree.body, frame)
        signal = evaluator.execute(tree.statements, frame)
        return None if signal is None else signal.value


def _bound(
    function: FunctionObject, arguments: list[Any], keywords: dict[str, Any]
) -> dict[str, Any]:
    """The value of each parameter. Raises TypeError for arguments that do not fit."""
    variables: dict[str, Any] = {}
    rest = dict(keywords)
    position = 0
    for param in function.definition.decl.params:
        name = param.name
        if param.prefix == "*":
            variables[name] = tuple(arguments[position:])
            position = len(arguments)
        elif param.prefix == "**":
            variables[name], rest = rest, {}
        elif not param.kwarg_only and position < len(arguments):
            if name in rest and not param.positional_only:
                raise TypeError(
                    f"{function.qualified_name}() got multiple values for argument '{name}'"
                )
            variables[name] = arguments[position]
            position += 1
        elif name in rest and not param.positional_only:
            variables[name] = rest.pop(name)
        elif name in function.defaults:
            variables[name] = function.defaults[name]
    _check_bound(function, variables, arguments, position, rest)
    return variables


def _check_bound(
    function: FunctionObject,
    variables: dict[str, Any],
    arguments: list[Any],
    position: int,
    rest: dict[str, Any],
) -> None:
    params = function.definition.decl.params
    if position < len(arguments):
        raise TypeError(_too_many_message(function, len(arguments)))
    if rest:
        raise TypeError(
            f"{function.qualified_name}() got an unexpected keyword argument '{next(iter(rest))}'"
        )
    missing = [each for each in params if each.name not in variables]
    if missing:
        raise TypeError(_missing_message(function, missing))


def _too_many_message(function: FunctionObject, given: int) -> str:
    positional = [
        each for each in function.definition.decl.params if not (each.kwarg_only or each.prefix)
    ]
    most = len(positional)
    least = most - sum(each.default is not None for each in positional)
    takes = str(most) if least == most else f"from {least} to {most}"
    plural = "" if takes == "1" else "s"
    were = "was" if given == 1 else "were"
    name = function.qualified_name
    return f"{name}() takes {takes} positional argument{plural} but {given} {were} given"


def _missing_message(function: FunctionObject, missing: list[Param]) -> str:
    kind = "keyword-only" if missing[0].kwarg_only else "positional"
    names = [f"'{each.name}'" for each in missing if each.kwarg_only == missing[0].kwarg_only]
    plural = "" if len(names) == 1 else "s"
    joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{function.qualified_name}() missing {len(names)} required {kind} argument{plural}: {joined}"


# -- Classes -----------------------------------------------------------------------------------


def instantiate(
    evaluator: Evaluator, cls: ClassObject, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    """A new instance of a class."""
    make = cls.find("__new__")
    if isinstance(make, FunctionObject | StaticMethod):
        return _made_by_new(evaluator, make, cls, arguments, keywords)
    create = next((each.create for each in cls.mro if each.create is not None), None)
    if create is None:
        raise TypeError(f"cannot create '{cls.name}' instances")
    return call_native(cls.name, create, evaluator, cls, *arguments, **keywords)


def _made_by_new(
    evaluator: Evaluator,
    make: Any,
    cls: ClassObject,
    arguments: list[Any],
    keywords: dict[str, Any],
) -> Any:
    """What the class's own ``__new__`` gives, initialized if it is an instance of the class."""
    made = call(evaluator, make, [cls, *arguments], keywords)
    if isinstance(made, InstanceObject | ModuleInstance) and made.cls.is_subclass_of(cls):
        initialize(evaluator, made, arguments, keywords)
    return made


def new_instance(
    _evaluator: Evaluator, cls: ClassObject, /, *_arguments: Any, **_keywords: Any
) -> InstanceObject | ModuleInstance:
    """``object.__new__(cls)``"""
    return ModuleInstance(cls) if isinstance(cls, ModuleClass) else InstanceObject(cls)


def initialize(
    evaluator: Evaluator,
    instance: InstanceObject | ModuleInstance,
    arguments: list[Any],
    keywords: dict[str, Any],
) -> None:
    """Run ``__init__``, and refuse arguments that nobody takes."""
    initializer = instance.cls.find("__init__")
    if initializer is not MISSING:
        result = call(evaluator, initializer, [instance, *arguments], keywords)
        if result is not None:
            raise TypeError(f"__init__() should return None, not '{type_name(result)}'")
    elif arguments or keywords:
        raise TypeError(f"{instance.cls.name}() takes no arguments")
