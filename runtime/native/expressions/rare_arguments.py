"""Functions of arguments that are rare: vectors that have none of them pass by.

Loops over elements are made loops over vectors by LLVM, which finds the forms of a function for vectors by its mark.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tsc.runtime.arrays.dtypes import DOUBLE
from tsc.runtime.native.expressions.arithmetic import Arithmetic
from tsc.runtime.native.expressions.instructions import Element, Instructions, constant

_LANES: Final = (2, 4, 8)
"""The lengths of vectors of float64 that there are forms for."""
_MARKS: Final = 'noinline nounwind willreturn memory(none) "min-legal-vector-width"="512"'
_FABS: Final = "declare double @llvm.fabs.f64(double)"


@dataclass(frozen=True, slots=True)
class RareFunction:
    """Of float64 whose magnitude is not below `bound`; `write` appends the instructions for one."""

    name: str
    bound: float
    write: Callable[[Instructions, Element], Element]

    def in_place_of(self, on: Arithmetic, y: Element, x: Element) -> Element:
        """`y`, but what this function makes of x where that is such an argument."""
        forms = ",".join(
            f"_ZGV_LLVM_N{lanes}v_{self.name}({self.name}.{lanes})" for lanes in _LANES
        )
        call = f'call double @{self.name}(double {x.name}) "vector-function-abi-variant"="{forms}"'
        found = on.code.call_of(call, self._definitions, DOUBLE)
        return on.where("ult", on.magnitude(x), self.bound, y, found)

    def _definitions(self) -> list[str]:
        """The function, and its forms for vectors."""
        code = Instructions()
        made = self.write(code, Element("%x", DOUBLE))
        lines = [
            f"define internal double @{self.name}(double %x) {_MARKS} {{",
            "  %size = call double @llvm.fabs.f64(double %x)",
            f"  %is.rare = fcmp uge double %size, {constant(self.bound, DOUBLE).name}",
            "  br i1 %is.rare, label %rare, label %common",
            "common:",
            "  ret double 0.0",
            "rare:",
            *code.lines,
            f"  ret double {made.name}",
            "}",
        ]
        declared = [each for lanes in _LANES for each in _declarations(lanes)]
        forms = map(self._of_vector, _LANES)
        return ["\n".join(lines), *forms, *declared, _FABS, *code.intrinsics]

    def _of_vector(self, lanes: int) -> str:
        """Called for each element, if one of them is rare."""
        vector, truths = f"<{lanes} x double>", f"<{lanes} x i1>"
        code = Instructions()
        made = "poison"
        for lane in range(lanes):
            each = code.add(f"extractelement {vector} %x, i32 {lane}")
            found = code.add(f"call double @{self.name}(double {each})")
            made = code.add(f"insertelement {vector} {made}, double {found}, i32 {lane}")
        fabs, bound = f"@llvm.fabs.v{lanes}f64", constant(self.bound, DOUBLE).name
        lines = [
            f"define {vector} @{self.name}.{lanes}({vector} %x) {_MARKS} {{",
            f"  %size = call {vector} {fabs}({vector} %x)",
            f"  %are.rare = fcmp uge {vector} %size, splat (double {bound})",
            f"  %is.rare = call i1 @llvm.vector.reduce.or.v{lanes}i1({truths} %are.rare)",
            "  br i1 %is.rare, label %rare, label %common",
            "common:",
            f"  ret {vector} zeroinitializer",
            "rare:",
            *code.lines,
            f"  ret {vector} {made}",
            "}",
        ]
        return "\n".join(lines)


def _declarations(lanes: int) -> list[str]:
    """What forms for vectors call; those of several functions of a kernel share them."""
    vector = f"<{lanes} x double>"
    return [
        f"declare i1 @llvm.vector.reduce.or.v{lanes}i1(<{lanes} x i1>)",
        f"declare {vector} @llvm.fabs.v{lanes}f64({vector})",
    ]
