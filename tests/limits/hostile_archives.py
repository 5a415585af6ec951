"""Archives that are made to take all time or memory of who loads them, from pickle opcodes and code."""

from __future__ import annotations

import io
import zipfile

CLASS = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
FORWARD = "  def forward(self: __torch__.M) -> int:\n    return 1\n"


def archive(
    code: str, data: bytes, *, constants: bytes = b"\x80\x02).", debug: bytes | None = None
) -> bytes:
    """An archive whose model is the class M of `code`."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        file.writestr("m/data.pkl", data)
        file.writestr("m/code/__torch__.py", code)
        if debug is not None:
            file.writestr("m/code/__torch__.py.debug_pkl", debug)
        file.writestr("m/constants.pkl", constants)
        file.writestr("m/version", "3\n")
    return target.getvalue()


def module(state: bytes = b"}") -> bytes:
    """The pickle of an object of the class M with a state."""
    return b"\x80\x02c__torch__\nM\n)\x81" + state + b"b."


def attributes(**values: bytes) -> bytes:
    """A dictionary with these names, of values that are opcodes."""
    items = b"".join(text(name) + value for name, value in values.items())
    return b"}(" + items + b"u"


def text(value: str) -> bytes:
    content = value.encode()
    return b"X" + len(content).to_bytes(4, "little") + content


def integer(value: int) -> bytes:
    return b"J" + value.to_bytes(4, "little", signed=True)


def doubled(times: int, opcode: bytes = b"\x86") -> bytes:
    """A tuple of twice the same tuple, of twice the same tuple, and so on."""
    result = b"K\x01K\x02\x86"
    for number in range(times):
        place = bytes([number % 250])
        result += b"q" + place + b"h" + place + opcode
    return result


def doubled_list(times: int) -> bytes:
    """The same of lists."""
    result = b"](K\x01K\x02e"
    for number in range(times):
        place = bytes([number % 250])
        result += b"q" + place + b"0](h" + place + b"h" + place + b"e"
    return result


def set_state(body: str, state: str = "int", value: bytes = b"K\x01") -> bytes:
    """A model whose ``__setstate__`` has these lines."""
    name = body.strip().rpartition("\n")[2].strip()[0]
    used = {"l": "print(torch.len(l))\n", "t": "print(torch.size(t))\n"}.get(name, "")
    lines = "".join(f"    {line}\n" for line in f"{body.strip()}\n{used}".splitlines())
    method = f"  def __setstate__(self: __torch__.M, state: {state}) -> NoneType:\n{lines}    return None\n"
    return archive(f"{CLASS}{method}{FORWARD}", module(value))


NESTED = "Tuple[int, int]"


def nested_type(times: int) -> str:
    result = NESTED
    for _ in range(times):
        result = f"Tuple[{result}, {result}]"
    return result


def named_tuples(count: int) -> str:
    lines = ["class N0(NamedTuple):\n  a : int\n  b : int\n"]
    lines += [
        f"class N{i}(NamedTuple):\n  a : __torch__.N{i - 1}\n  b : __torch__.N{i - 1}\n"
        for i in range(1, count)
    ]
    return "".join(lines)


LOOP = "i = 0\nwhile True:\n  i = torch.add(i, 1)"
ARCHIVES: dict[str, bytes] = {
    "shared tuples as constants": archive(
        CLASS + FORWARD, module(), constants=b"\x80\x02" + doubled(60) + b"\x85."
    ),
    "shared tuples as an attribute": archive(
        f"{CLASS}  a : {nested_type(3)}\n{FORWARD}", module(attributes(a=doubled(60)))
    ),
    "shared lists as constants": archive(
        CLASS + FORWARD, module(), constants=b"\x80\x02" + doubled_list(60) + b"\x85."
    ),
    "constants that are no tuple": archive(CLASS + FORWARD, module(), constants=b"\x80\x02K\x01."),
    "constants that are a dict": archive(CLASS + FORWARD, module(), constants=b"\x80\x02}."),
    "an endless __setstate__": set_state(LOOP),
    "an endless __setstate__ in each of 50 objects": archive(
        f"{CLASS}  a : List[__torch__.K]\n{FORWARD}"
        "class K(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
        "  def __setstate__(self: __torch__.K, state: int) -> NoneType:\n"
        "    for i in range(500000):\n      state = torch.add(state, 1)\n    return None\n",
        module(attributes(a=b"](" + b"c__torch__\nK\n)\x81K\x01b" * 50 + b"e")),
    ),
    "lists that double": set_state(
        "l = annotate(List[int], [1, 2])\n" + "l = torch.add(l, l)\n" * 40
    ),
    "a long text that doubles": set_state('l = "ab"\n' + "l = torch.add(l, l)\n" * 40),
    "a product of a list": set_state("l = torch.mul([1, 2], 1000000000)"),
    "a product of a text": set_state('l = torch.mul("abc", 10000000000)'),
    "a replaced text": set_state('l = torch.mul("a", 1000000)\nl = torch.replace(l, "a", l)'),
    "a padded text": set_state('l = torch.ljust("a", 100000000000)'),
    "a large tensor": set_state("t = torch.ones([25000, 25000])"),
    "many tensors": set_state(
        "l = annotate(List[Tensor], [])\nfor i in range(1000000):\n"
        "  _0 = torch.append(l, torch.ones([1000, 1000]))\nl = l"
    ),
    "an expanded tensor": set_state(
        "t = torch.add(torch.expand(torch.ones([1]), [100000, 100000]), 1)"
    ),
    "a tensor that doubles": set_state("t = torch.ones([2])\n" + "t = torch.cat([t, t])\n" * 40),
    "long sorts": set_state(
        "t = torch.rand([1000000])\nfor i in range(200):\n  t, _0 = torch.sort(torch.neg(t))\nt = t"
    ),
    "long sorts in a line": set_state(
        "t = torch.rand([1000000])\n" + "t, _0 = torch.sort(torch.neg(t))\n" * 400
    ),
    "long products": set_state("t = torch.ones([1000, 1000])\n" + "t = torch.mm(t, t)\n" * 900),
    "views of elements": set_state("l = torch.unbind(torch.ones([4000000]))"),
    "endless recursion": set_state("(self).__setstate__(state, )"),
    "endless prints": set_state("while True:\n  print(state)"),
    "a list that holds itself": set_state(
        "l = annotate(List[Any], [])\n_0 = torch.append(l, l)\nprint(torch.str(l))"
    ),
    "chained NamedTuples": archive(
        f"{named_tuples(60)}{CLASS}  a : __torch__.N59\n{FORWARD}",
        module(attributes(a=doubled(59))),
    ),
    "types of nested tuples": archive(
        f"{CLASS}  a : {nested_type(14)}\n{FORWARD}", module(attributes(a=doubled(14)))
    ),
    "8 MB of functions": archive(
        "".join(f"def f{i}(x: int) -> int:\n  return x\n" for i in range(220_000))
        + CLASS
        + FORWARD,
        module(),
    ),
    "a long text in the code": archive(
        f'{CLASS}  def forward(self: __torch__.M) -> str:\n    return "{"a" * 40_000_000}"\n',
        module(),
    ),
    "4 million numbers": archive(
        f"{CLASS}  a : List[str]\n{FORWARD}",
        module(attributes(a=b"](" + b"K\x01" * 4_000_000 + b"e")),
    ),
    "an enum of shared lists": archive(
        f"{CLASS}  a : __torch__.E\n{FORWARD}class E(Enum):\n  A = 1\n",
        module(attributes(a=b"c__torch__\nE\n(" + doubled_list(60) + b"tR")),
    ),
    "a text of another type, escaped": archive(
        f"{CLASS}  a : int\n{FORWARD}", module(attributes(a=text("\x1b[31m\x1b]0;title\x07")))
    ),
}
"""Each with what is hostile in it."""
