"""Functions of LLVM as text, with loops: what a loop changes stands in slots, which LLVM keeps in registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tsc.runtime.native.expressions.instructions import Instructions


class LoopText(Instructions):
    """The body of one function."""

    def __init__(self) -> None:
        super().__init__()
        self._slots: list[str] = []
        self._labels = 0

    def function(self, head: str) -> list[str]:
        """The whole function; `head` is what stands in front of its body."""
        return [f"{head} {{", "entry:", *self._slots, *self.lines, "  ret void", "}"]

    def slot(self, type: str, begins: str) -> str:
        """A variable of the function, which has this value from here on."""
        name = self.room(type)
        self.lines.append(f"  store {type} {begins}, ptr {name}")
        return name

    def room(self, type: str) -> str:
        """A variable of the function, which has no value yet."""
        self._labels += 1
        name = f"%slot{self._labels}"
        self._slots.append(f"  {name} = alloca {type}")
        return name

    def word(self, base: str, offset: int, type: str = "i64") -> str:
        """The word at `offset` of a table."""
        return self.add(
            f"load {type}, ptr {self.add(f'getelementptr i64, ptr {base}, i64 {offset}')}"
        )

    def moved(self, base: str, *steps: tuple[str, str]) -> str:
        """An address after steps of an index and a stride in bytes each."""
        for index, stride in steps:
            base = self.add(
                f"getelementptr i8, ptr {base}, i64 {self.add(f'mul i64 {index}, {stride}')}"
            )
        return base

    @contextmanager
    def loop(self, begin: str, end: str, step: int | str = 1) -> Iterator[str]:
        """Turns while the index is below `end`."""
        at = self.slot("i64", begin)
        self._labels += 1
        turn, test, done = (f"{word}{self._labels}" for word in ("turn", "test", "done"))
        self.lines += [f"  br label %{test}", f"{test}:"]
        index = self.add(f"load i64, ptr {at}")
        more = self.add(f"icmp slt i64 {index}, {end}")
        self.lines += [f"  br i1 {more}, label %{turn}, label %{done}", f"{turn}:"]
        yield index
        following = self.add(f"add nsw i64 {index}, {step}")
        self.lines += [f"  store i64 {following}, ptr {at}", f"  br label %{test}", f"{done}:"]

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """What is done only where a condition holds."""
        self._labels += 1
        so, after = f"so{self._labels}", f"after{self._labels}"
        self.lines += [f"  br i1 {condition}, label %{so}, label %{after}", f"{so}:"]
        yield
        self.lines += [f"  br label %{after}", f"{after}:"]

    def call(self, function: str, arguments: Sequence[str]) -> None:
        self.lines.append(f"  call void @{function}({', '.join(arguments)})")
