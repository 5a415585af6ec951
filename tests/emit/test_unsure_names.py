"""Names that a statement sets or changes which is not executed: what they stand for is not known, and so not told."""

from __future__ import annotations

from pathlib import Path

import pytest

import tsc

SET_AGAIN = {
    "+=": "X = 1\nX += 1\n",
    "if": "X = 1\nif len('ab') == 2:\n    X = 2\n",
    "elif": "X = 1\nif False:\n    pass\nelif True:\n    X = 2\n",
    "else": "X = 1\nif False:\n    pass\nelse:\n    X = 2\n",
    "for": "X = 1\nfor X in range(5):\n    pass\n",
    "in for": "X = 1\nfor i in range(5):\n    X = i\n",
    "else of for": "X = 1\nfor i in []:\n    pass\nelse:\n    X = 2\n",
    "while": "X = 1\nwhile X < 5:\n    X += 1\n",
    "with": "import io\nX = 1\nwith io.StringIO('a') as X:\n    pass\n",
    "in with": "import io\nX = 1\nwith io.StringIO('a'):\n    X = 2\n",
    "try": "X = 1\ntry:\n    X = 2\nexcept ValueError:\n    pass\n",
    "except": "X = 1\ntry:\n    raise ValueError\nexcept ValueError:\n    X = 2\n",
    "finally": "X = 1\ntry:\n    pass\nfinally:\n    X = 2\n",
    "match": "X = 1\nmatch 1:\n    case 1:\n        X = 2\n",
    "nested": "X = 1\nif True:\n    for i in range(3):\n        X += 1\n",
    "import": "X = 1\nif True:\n    import math as X\n",
    "from import": "X = 1\nif True:\n    from math import pi as X\n",
    "def": "X = 1\nif True:\n    def X():\n        return 2\n",
    "class": "X = 1\nif True:\n    class X:\n        pass\n",
    "a tuple": "X = 1\nX, Y = 2, 3\n",
    "del": "X = 1\ndel X\n",
    "an item": "X = [1, 2]\nX[0] = 3\n",
    "del of an item": "X = [1, 2]\ndel X[0]\n",
    "an item of a dict": "X = {'a': 1}\nX['b'] = 3\n",
    "append": "X = [1, 2]\nX.append(3)\n",
    "update": "X = {'a': 1}\nX.update(b=2)\n",
    "append in a loop": "X = [1, 2]\nfor i in range(3):\n    X.append(i)\n",
}

CERTAIN = {
    "the guard of a script": "X = 1\nif __name__ == '__main__':\n    X = 2\n",
    "types alone": "from typing import TYPE_CHECKING\nX = 1\nif TYPE_CHECKING:\n    X = 2\n",
    "set once more in the end": "X = 2\nX += 1\nX = 1\n",
    "another name": "X = 1\nY = 2\nY += 1\n",
    "use of it": "X = 1\nprint(X)\nassert X\n",
    "a function of that name elsewhere": "X = 1\nif True:\n    def g():\n        X = 2\n",
    "an annotation": "X: int\nX = 1\n",
    "an alternative import": "X = 1\ntry:\n    import math\nexcept ImportError:\n    import cmath as math\n",
    "settings of a library": "import torch\nX = 1\ntorch.backends.cudnn.benchmark = True\n",
}


def unit(folder: Path, text: str) -> tsc.CompilationUnit:
    path = folder / "program.py"
    path.write_text(text)
    return tsc.compile_file(str(path))


USES = {
    "a function": "def f():\n    return X\n",
    "a constant": "Y = X\n\ndef f():\n    return Y\n",
    "a default": "def f(x=X):\n    return x\n",
    "an attribute of a module": (
        "import torch\n\nclass f(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.x = X\n\n    def forward(self):\n        return self.x\n"
    ),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("text", SET_AGAIN.values(), ids=SET_AGAIN)
def test_a_value_that_is_not_known_is_refused(tmp_path: Path, text: str, use: str) -> None:
    compiled = unit(tmp_path, f"{text}\n{use}\ndef g() -> int:\n    return 1\n")
    assert compiled.g() == 1
    with pytest.raises(tsc.CompileError, match=r"python value '[XY]' cannot be used") as caught:
        compiled.f()
    if "Y" not in use:
        assert "set or changed here:" in str(caught.value)


def test_an_imported_value_that_is_not_known_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("X = 1\nX += 1\n")
    for text in (
        "from other import X\n\ndef f():\n    return X\n",
        "import other\n\ndef f():\n    return other.X\n",
    ):
        with pytest.raises(tsc.CompileError, match="cannot be used"):
            unit(tmp_path, text).f()


@pytest.mark.parametrize("text", CERTAIN.values(), ids=CERTAIN)
def test_a_value_that_is_known_is_used(tmp_path: Path, text: str) -> None:
    assert unit(tmp_path, f"{text}\ndef f() -> int:\n    return X\n").f() == 1


REPLACED = {
    "in an if": "if True:\n    def f(x: int) -> int:\n        return 2\n",
    "by a wrapper": "def wrapped(g):\n    return g\n\nf = wrapped(f)\n",
    "by another function": "def h(x: int) -> int:\n    return 2\n\nf = h\n",
    "del": "del f\n",
}
KEPT = {
    "scripted": "import torch\n\nf = torch.jit.script(f)\n",
    "attributes": "f.__doc__ = 'one'\nf.note = 'two'\n",
    "itself": "f = f\n",
}


@pytest.mark.parametrize("text", REPLACED.values(), ids=REPLACED)
def test_a_function_that_is_replaced_is_refused(tmp_path: Path, text: str) -> None:
    compiled = unit(tmp_path, f"def f(x: int) -> int:\n    return 1\n\n{text}")
    with pytest.raises(tsc.CompileError, match="python value 'f' cannot be used"):
        compiled.f(1)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_a_function_that_stays_is_compiled(tmp_path: Path, text: str) -> None:
    assert unit(tmp_path, f"def f(x: int) -> int:\n    return 1\n\n{text}").f(1) == 1


@pytest.mark.parametrize(
    "text", ["C.x = 2\n", "if True:\n    class C:\n        x: int = 2\n", "del C\n"]
)
def test_a_class_that_is_changed_is_refused(tmp_path: Path, text: str) -> None:
    program = (
        f"class C:\n    def m(self) -> int:\n        return 1\n\n{text}\n"
        "def made() -> int:\n    return C().m()\n\ndef taken(c: C) -> int:\n    return 1\n"
    )
    for name in ("made", "taken"):
        with pytest.raises(tsc.CompileError, match="python value 'C' cannot be used"):
            getattr(unit(tmp_path, program), name)
