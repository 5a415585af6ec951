"""Archives whose code and constants are made to hurt: classes, heads, bodies, texts, constants, ``__setstate__``."""

# ruff: noqa: E501  a family is a line

from __future__ import annotations

from collections.abc import Sequence

from tests.limits.families.cases import Families
from tests.limits.hostile_archives import (
    CLASS,
    FORWARD,
    archive,
    attributes,
    integer,
    module,
    set_state,
    text,
)
from tests.limits.hostile_sources import FAMILIES as SOURCES
from tests.serialization.hostile_zips import zip_of


def _code(code: str, data: bytes = module()) -> bytes:
    return archive(code, data)


def _file(content: bytes) -> bytes:
    """A code file of these bytes."""
    return zip_of(
        {
            "m/data.pkl": module(),
            "m/code/__torch__.py": content,
            "m/constants.pkl": b"\x80\x02).",
            "m/version": b"3\n",
        }
    )


def with_body(*lines: str, result: str = "int", parameters: str = "") -> bytes:
    head = f"  def forward(self: __torch__.M{parameters}) -> {result}:\n"
    return _code(CLASS + head + "".join(f"    {line}\n" for line in lines))


def _attribute(type_text: str, value: bytes = b"N") -> bytes:
    return _code(f"{CLASS}  a : {type_text}\n{FORWARD}", module(attributes(a=value)))


def _constants(use: str, *values: bytes) -> bytes:
    code = f"{CLASS}  def forward(self: __torch__.M) -> int:\n    x = {use}\n    return 1\n"
    return archive(code, module(), constants=b"\x80\x02(" + b"".join(values) + b"t.")


def _method(name: str) -> bytes:
    return _code(CLASS + FORWARD.replace("forward", name))


def _class_head(head: str) -> bytes:
    return _code(f"{CLASS}{FORWARD}{head}\n  a : int\n")


def _source(pair: tuple[str, int]) -> bytes:
    """A hostile program as a file of code, behind a class that is none."""
    family, size = pair
    return _code(CLASS + FORWARD + SOURCES[family](size))


def setting(body: str) -> bytes:
    """Lines of ``__setstate__`` alone."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    method = (
        f"  def __setstate__(self: __torch__.M, state: int) -> NoneType:\n{lines}    return None\n"
    )
    return _code(f"{CLASS}  b : int\n{method}{FORWARD}", module(b"K\1"))


def _many_states(count: int) -> bytes:
    """Many objects, each of which makes something of its state."""
    code = (
        f"{CLASS}  a : List[__torch__.K]\n{FORWARD}class K(Module):\n  __parameters__ = []\n  __buffers__ = []\n  b : List[int]\n"
        "  def __setstate__(self: __torch__.K, state: int) -> NoneType:\n"
        "    self.b = torch.mul([1], state)\n    return None\n"
    )  # fmt: skip
    value = b"](" + (b"c__torch__\nK\n)\x81" + integer(100_000) + b"b") * count + b"e"
    return _code(code, module(attributes(a=value)))


_TEXTS = (
    *(b"", b"\n" * 300_000, b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"class", b"class M", b"class M(Module):", b"(" * 5000, b"'" * 4001, b"\\\n" * 5000),
    *(b"class M(Module):\n" + b" " * n + b"a : int\n" for n in (0, 1000, 200_000)),
    *(b"#" * 300_000, b"\t" * 3000 + b"x", b"\x0c\n" * 3000, b"\r\n".join([b"class M(Module):", b"  pass"]), "class \u00c4(Module):\n  pass\n".encode(), b"import os\nos.system('x')\n"),
    *(b"op_version_set = " + value + b"\n" + (CLASS + FORWARD).encode() for value in (b"1", b"99", b"'x'", b"10**9", b"-1")),
)  # fmt: skip
_TYPES = (
    *("", "x", "int[", "List[", "List[]", "List[int, int]", "Dict[int]", "Dict[List[int], int]", "Tuple[]", "Optional[]", "Union[int]", "Final[int]"),
    *("List[" * 50 + "int" + "]" * 50, "List[" * 3000 + "int" + "]" * 3000, "Tuple[" + "int, " * 10_000 + "]", "Optional[" * 300 + "int" + "]" * 300),
    *("__torch__.X", "__torch__.M", "__torch__.m.X", "__torch__", "torch.Tensor", "os.system", "'int'", "1", "None", "int | str", "Callable[[int], int]"),
    *("Tensor[int]", "Future[Future[int]]", "RRef[int]", "__torch__.torch.classes.x.Y", "NoneType", "number", "Any", "Storage", "Generator", "f()", "lambda: 1"),
)  # fmt: skip
_EXPRESSIONS = (
    *("CONSTANTS.c0", "CONSTANTS.c99999", "CONSTANTS.x", "CONSTANTS", "CONSTANTS.c-1", "CONSTANTS.c" + "9" * 5000),
    *("uninitialized(int)", "uninitialized(x)", "annotate(int, 's')", "annotate(List[int], [])", "unchecked_cast(int, None)", "unchecked_cast(x)"),
    *("torch.nothing(1)", "ops.prim.nothing(1)", "ops.a.b.c.d()", "ops.aten.add(1, 2)", "ops.prim.Print(1)", "fork(1)", "awaitable(1)", "self.x", "self.forward()"),
    *("(self).forward()", "(self).forward(self)", "__torch__.M()", "__torch__.f(1)", "__torch__", "__torch__.nothing.X()", "getattr(self, 'x')", "float('inf')", "inf", "nan"),
    *("torch.mul(" * 300 + "1" + ", 1)" * 300, "[" * 300 + "1" + "]" * 300, "(" * 3000 + "1" + ")" * 3000, "1" + " + 1" * 5000, "'" + "a" * 300_000 + "'", "9" * 5000),
    *("torch.ones([100000, 100000])", "torch.zeros([-1])", "torch.arange(9223372036854775807)", "torch.tensor([1, 2.5])", "b'x'", "'\\ud800'", "'\\x1b[31m'", "...", "*1", "**{}"),
    *("lambda x: x", "[x for x in [1]]", "x if x else x", "x := 1", "await x", "yield", "not x", "torch.slice([1], 0, 1, 0)", "torch.floordiv(1, 0)", "torch.pow(2, 100000)"),
    *("torch.mul('a', 10000000000)", "torch.format('{}' , 1)", "torch.format('{', 1)", "torch.percentFormat('%d', 'x')", "torch.percentFormat('%999999999d', 1)"),
)  # fmt: skip
_BODIES: dict[str, Sequence[str]] = {
    "nested loops": [f"{'  ' * depth}for _{depth} in range(1000):" for depth in range(20)] + ["  " * 20 + "pass", "return 1"],
    "a loop without end": ["while True:", "  pass", "return 1"],
    "recursion": ["return (self).forward()"],
    "recursion in a list": ["x = [(self).forward(), (self).forward()]", "return 1"],
    "no return": ["x = 1"],
    "two returns": ["return 1", "return 2"],
    "another type": ["return 'x'"],
    "a global": ["global x", "return 1"],
    "an import": ["import os", "return 1"],
    "a class": ["class X:", "  pass", "return 1"],
    "a function": ["def f(x: int) -> int:", "  return x", "return 1"],
    "a raise": ["ops.prim.RaiseException('\\x1b[31m')", "return 1"],
    "a raise of much": ["ops.prim.RaiseException(torch.mul('a', 10000000))", "return 1"],
    "unknown names": ["return x"],
    "a long line": ["x = [" + "1, " * 30_000 + "]", "return 1"],
    "many lines": ["x = 1"] * 20_000 + ["return 1"],
    "many names": [f"x{i} = {i}" for i in range(10_000)] + ["return 1"],
    "many calls": ["x = torch.add(1, 1)"] * 3000 + ["return 1"],
    "folded texts": ["x = 'ab'"] + ["x = torch.add(x, x)"] * 60 + ["return torch.len(x)"],
    "folded lists": ["x = [1]"] + ["x = torch.add(x, x)"] * 60 + ["return torch.len(x)"],
    "folded powers": ["x = 9"] + ["x = torch.mul(x, x)"] * 60 + ["return x"],
    "tuples that double": ["x = (1, 2)"] + ["x = (x, x)"] * 60 + ["return 1"],
    "an alias of itself": ["x = annotate(List[Any], [])", "_0 = torch.append(x, x)", "print(x)", "return 1"],
    "unpacked": ["a, b, = (1, 2, 3)", "return 1"],
    "a deep target": ["(" * 300 + "a" + ",)" * 300 + " = 1", "return 1"],
    "a with": ["with self:", "  pass", "return 1"],
    "asserts": ["assert 1, '\\x1b[31m'"] * 1000 + ["return 1"],
    "a huge default": ["x = torch.arange(1000000000000)", "return 1"],
    "prints": ["print('\\x1b]0;title\\x07')", "return 1"],
}  # fmt: skip
_STATES = (
    *("self.b = 1", "self.nothing = 1", "self.b = 'x'", "pass", "return 1", "(self).__setstate__(state)", "(self).forward()", "print(self)", "self.forward = 1"),
    *("x = (self).__setstate__\nself.b = 1", "raise 1", "ops.prim.RaiseException('x')", "self = 1", "state = 's'", "x = fork((self).forward)\nself.b = 1"),
    *("for i in range(1000000000):\n  self.b = i", "x = torch.rand([10000, 1000])\nfor i in range(100000):\n  x = torch.sin(x)\nself.b = 1", "x = torch.bernoulli(torch.ones([50000000]))"),
    *("x = torch.mm(torch.ones([5000, 1000]), torch.ones([1000, 5000]))\nfor i in range(1000):\n  x = torch.mm(x, x)", "x = torch.arange(1000000000)", "x = torch.list('a')\nfor i in range(60):\n  x = torch.add(x, x)"),
    *("x = torch.conv2d(torch.ones([8, 64, 256, 256]), torch.ones([64, 64, 7, 7]))", "x = torch.repeat(torch.ones([1000]), [100000])", "x = torch.cumsum(torch.ones([30000000]), 0)"),
    *("x = torch.linalg_svd(torch.rand([3000, 3000]))", "x = torch.einsum('ij,jk,kl->il', [torch.rand([3000, 3000]), torch.rand([3000, 3000]), torch.rand([3000, 3000])])", "x = torch.range(0, 1000000000)"),
    *("x = {0: 0}\nfor i in range(10000000):\n  x[i] = i", "x = torch.split('a b', ' ')\nfor i in range(60):\n  x = torch.add(x, x)", "x = torch.cdist(torch.rand([20000, 300]), torch.rand([20000, 300]))"),
)  # fmt: skip
_CONSTANT_VALUES = (b"N", b"K\1", text("x"), b"](K\1e", b"}", b")", b"c__torch__\nM\n)\x81}b", b"\x88", b"](](K\1ee", text("\x1b[31m" * 1000), b"c__torch__\nE\n(K\1tR")  # fmt: skip
FAMILIES: Families = {
    "bytes of code": (_file, _TEXTS),
    "types of attributes": (_attribute, _TYPES),
    "types of results": (lambda kind: with_body("return 1", result=kind), _TYPES[::2]),
    "types of parameters": (lambda kind: with_body("return 1", parameters=f", x: {kind}"), _TYPES[1::2]),
    "expressions": (lambda each: with_body(f"x = {each}", "return 1"), _EXPRESSIONS),
    "returned expressions": (lambda each: with_body(f"return {each}"), _EXPRESSIONS[::3]),
    "defaults": (lambda each: with_body("return 1", parameters=f", x: int={each}"), _EXPRESSIONS[1::3]),
    "bodies": (lambda name: with_body(*_BODIES[name]), tuple(_BODIES)),
    "states that are set": (setting, _STATES),
    "states that are set with results": (lambda body: set_state(f"l = {body}"), ("torch.ones([3])", "torch.rand([99999999])", "[1]")),
    "many states": (_many_states, (3, 20, 2000)),
    "constants": (lambda value: _constants("CONSTANTS.c0", value), _CONSTANT_VALUES),
    "many constants": (lambda count: _constants(f"CONSTANTS.c{count - 1}", b"K\1" * count), (10, 30_000)),
    "methods": (_method, ("__init__", "__getattr__", "__class__", "__getstate__", "__call__", "__del__", "class", "a" * 30_000, "forward.x", "__len__", "train", "state_dict")),
    "heads": (lambda head: _code(CLASS + f"  def {head}:\n    return 1\n"), ("f()", "f(x)", "f(self)", "f(self, self)", "f(*x)", "f(self: int)", "f(self: __torch__.M, x: int=)", "f(self: __torch__.X)", "(self)", "f", "f(self,,)", "f(self: __torch__.M" + ", x: int" * 3000 + ")")),
    "many parameters": (lambda n: with_body("return 1", parameters="".join(f", x{i}: int={i}" for i in range(n))), (10, 3000)),
    "classes": (
        _class_head,
        ("class M(Module):", "class (Module):", "class K(X):", "class K(K):", "class K(Module, Module):", "class K(Module, metaclass=X):", "class K(__torch__.M):", "class K(Interface):", "class K(Enum):",
         "class K(NamedTuple):", "class K(ModuleInterface):", "class K(torch.nn.Module):", "class K[T]:", "class K(" + "(" * 300, "class K(Module)", "class\tK:", "class K(Exception):", "class K(Future[int]):"),
    ),
    "members": (
        lambda line: _code(f"{CLASS}  {line}\n{FORWARD}"),
        ("__parameters__ = 1", "__parameters__ = ['x']", "__buffers__ = [1]", "__annotations__ = []", "__annotations__['a.b'] = int", "__forward_hooks__ = ['x']", "__forward_pre_hooks__ = [x, ]",
         "__overloads__ = {}", "__constants__ = ['a']", "a : Final[int] = 1", "a : Final[int] = x", "a : int = 1", "a = 1", "a.b : int", "a : int\n  a : str", "pass", "x", "1", "for i in x: pass", "if True: pass", "@x\n  def f(self): pass",
         "__jit_unused_properties__ = [1]", "__parameters__ = [" + "'a', " * 30_000 + "]", "training : str", "__init__ : int", "class X: pass"),
    ),
    "classes in a circle": (lambda n: _code("".join(f"class K{i}:\n  a : __torch__.K{(i + 1) % n}\n" for i in range(n)) + f"{CLASS}  a : __torch__.K0\n{FORWARD}", module(attributes(a=b"N"))), (1, 2, 500)),
    "bases in a circle": (lambda n: _code("".join(f"class K{i}(K{(i + 1) % n}):\n  a : int\n" for i in range(n)) + f"{CLASS}  a : __torch__.K0\n{FORWARD}", module(attributes(a=b"N"))), (1, 2, 500)),
    "many classes": (lambda n: _code("".join(f"class K{i}:\n  a : int\n" for i in range(n)) + CLASS + FORWARD), (10, 20_000)),
    "many methods": (lambda n: _code(CLASS + "".join(FORWARD.replace("forward", f"f{i}") for i in range(n)) + FORWARD), (10, 2000)),
    "members of enums": (lambda n: _code(f"class E(Enum):\n{''.join(f'  A{i} = {i}{chr(10)}' for i in range(n))}{CLASS}  a : __torch__.E\n{FORWARD}", module(attributes(a=b"c__torch__\nE\n(K\1tR"))), (1, 10_000)),
    "enums": (lambda value: _code(f"class E(Enum):\n  A = {value}\n{CLASS}  a : __torch__.E\n{FORWARD}", module(attributes(a=b"c__torch__\nE\n(K\1tR"))), ("1", "'x'", "1.5", "[1]", "x", "1 + 1", "None", "E.A", "9" * 5000)),
    "interfaces": (lambda body: _code(f"class I(ModuleInterface):\n{body}{CLASS}  a : __torch__.I\n{FORWARD}", module(attributes(a=b"c__torch__\nM\n)\x81}b"))), ("  def forward(self) -> int:\n    pass\n", "  pass\n", "", "  a : int\n", "  def f(self: __torch__.I) -> __torch__.I:\n    pass\n")),
    "sources": (_source, [(family, size) for at, family in enumerate(SOURCES) for size in ((30, 1000)[at % 2],)]),
}  # fmt: skip
