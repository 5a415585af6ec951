"""Where tsc accepts more than PyTorch: the one table of extensions.

An extension has a name that messages and ``docs/language.md`` use. Where a program uses one, the
emitter says so through its ``Acceptance``, which refuses it in strict mode.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.source.source import SourceRange
from tsc.compiler.value_classes import value_class


@value_class
class Extension:
    """Something that PyTorch refuses, and that is lowered to what it knows.

    If it ``changes_types``, programs that PyTorch accepts would get other types by it. It is then
    left out at first, and only what does not compile without it is tried again with it.
    """

    name: str
    summary: str
    changes_types: bool = False


@value_class
class ExtensionUse:
    """An extension, and where a program needs it."""

    extension: Extension
    range: SourceRange


# Functions --------------------------------------------------------------------------------------

RECURSION: Final = Extension(
    "recursion", "functions with an annotated result may call themselves and each other"
)
NESTED_FUNCTIONS: Final = Extension(
    "nested-functions", "functions may be defined inside of functions, and use their variables"
)
LAMBDAS: Final = Extension("lambdas", "lambdas, whose parameters take the types they are given")
FUNCTION_PARAMETERS: Final = Extension(
    "function-parameters", "parameters annotated as `Callable[...]` take functions"
)
KEYWORD_ONLY_DEFAULTS: Final = Extension(
    "keyword-only-defaults",
    "keyword-only parameters may have defaults, and may be those of a function that is left to Python",
)
POSITIONAL_ONLY: Final = Extension(
    "positional-only-parameters", "parameters in front of `/` are given by their place"
)

MUTABLE_DEFAULTS: Final = Extension(
    "mutable-defaults", "defaults may be lists, which each call has anew"
)

# Types ------------------------------------------------------------------------------------------

ANNOTATIONS: Final = Extension(
    "annotations",
    "`torch.Size`, `torch.layout`, `torch.memory_format`, `Annotated[T, …]`, `Final[T]`, `Optional[None]`, "
    "quoted `A | B` and quotes in quotes are types everywhere",
)

# Names ------------------------------------------------------------------------------------------

LATER_DEFINITIONS: Final = Extension(
    "later-definitions", "what is under `@torch.jit.script` may use what stands below it"
)

MODULE_CONSTANTS: Final = Extension(
    "module-constants", "functions may use constants that are assigned outside of them"
)

LIBRARY_FUNCTIONS: Final = Extension(
    "library-functions",
    "all functions of `torch.nn.init`, `gaussian_nll_loss`, what asks for CUDA, ONNX or "
    "distribution, and `torch._C._VariableFunctions`, of which PyTorch compiles some only, and `torch.slice`, "
    "`torch.view` and other operators that are no functions of `torch` in Python",
)

# Classes ----------------------------------------------------------------------------------------

OPTIONAL_ATTRIBUTES: Final = Extension(
    "optional-attributes",
    "`self.x: Optional[T] = None` in `__init__`, or `x: Optional[T]` in the body of a class, makes "
    "an attribute that may be a `T` later",
)
RECURSIVE_CLASSES: Final = Extension(
    "recursive-classes", "objects may hold objects of their own class, in tsc alone"
)
DATA_CLASSES: Final = Extension(
    "data-classes",
    "data classes need no `@torch.jit.script`, and may be frozen, have keyword-only fields with defaults, "
    "and members of enums as defaults",
)
DEFAULT_CONSTRUCTORS: Final = Extension(
    "default-constructors", "a class without `__init__` can be instantiated"
)
CLASS_CONSTANTS: Final = Extension(
    "class-constants", "constants assigned in the body of a class are known by their names"
)
INHERITANCE: Final = Extension(
    "inheritance", "a class has the methods of the classes below it, and may call `super()`"
)
INSTANCE_STATIC_METHODS: Final = Extension(
    "instance-static-methods", "static methods may be called on objects, and class methods as well"
)

# Statements -------------------------------------------------------------------------------------

LEFT_BRANCHES: Final = Extension(
    "left-branches", "a branch that ends in break or continue need not set what the other one sets"
)

LOOP_REFINEMENTS: Final = Extension(
    "loop-refinements",
    "the condition of `while` refines types in its body, and after a loop without break",
    changes_types=True,
)
LEFT_REFINEMENTS: Final = Extension(
    "left-refinements",
    "what follows an `if` that ends in break or continue knows that its condition was false",
    changes_types=True,
)

REFINED_ASSIGNMENTS: Final = Extension(
    "refined-assignments",
    "where an `if` refines a variable, an `if` in it may set it to any type that it has outside",
)

AUGMENTED_OPERATORS: Final = Extension("augmented-operators", "`x //= y` and `x @= y`")
VARIABLE_COMMENTS: Final = Extension(
    "variable-comments", "a `# type:` comment behind an assignment declares the variable"
)

# Comprehensions and loops -----------------------------------------------------------------------

COMPREHENSION_CONDITIONS: Final = Extension(
    "comprehension-conditions", "comprehensions may have conditions, which refine types"
)
COMPREHENSION_LOOPS: Final = Extension(
    "comprehension-loops", "comprehensions may have several `for` clauses"
)
REVERSED: Final = Extension("reversed", "`reversed(x)` of a list, a string, a tuple or a range")

CONDITIONAL_UNIONS: Final = Extension(
    "conditional-unions", "`a if c else b` is of the Union that an annotation asks for"
)

MODULE_CONTAINERS: Final = Extension(
    "module-containers",
    "slices of module lists hold modules that can be called; module and parameter lists are unpacked, and "
    "parameter dicts looped over",
)

# Values -----------------------------------------------------------------------------------------

LEAST_INTEGER: Final = Extension("least-integer", "`-9223372036854775808`, the least integer")

ELEMENT_ANNOTATIONS: Final = Extension(
    "element-annotations",
    "an annotation says what empty lists and dicts inside of a container hold",
)

EXTENSIONS: Final[tuple[Extension, ...]] = tuple(
    value for value in list(globals().values()) if isinstance(value, Extension)
)
"""All of them, in the order of this file."""
