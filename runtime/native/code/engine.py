"""The one door to LLVM: modules become object code for this processor, and object code becomes functions.

Object code is what is kept between processes, so all native code takes the same way: made, or found again, then loaded.
Whoever imports this file imports llvmlite, which takes a fifth of a second: it is loaded, by a hook, when native code
is first wanted.
"""

from __future__ import annotations

import atexit
import functools
from collections.abc import Mapping
from typing import Any, Final

from llvmlite import binding as llvm

from tsc.runtime.native.code.background import LLVM

atexit.register(LLVM.acquire)  # a process must not end in the middle of it
_FASTEST: Final = 3
"""LLVM's level of optimization."""


def _new_machine() -> Any:
    """What makes code for this processor, with all the instructions that it has."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=_FASTEST,
        reloc="pic",
        codemodel="default",
        jit=True,
    )


_machine = functools.cache(_new_machine)
"""The one that makes code; each that loads code belongs to what it has loaded, and goes with it."""


def processor() -> str:
    """The processor that code is made for, by name and features: code for one must not run on another."""
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


class Module:
    """A module of LLVM, verified and optimized."""

    __slots__ = ("_module",)

    def __init__(self, text: str, *, level: int = _FASTEST) -> None:
        """Of a module's text. Raises RuntimeError for one that LLVM finds wrong."""
        with LLVM:
            machine = _machine()
            module = llvm.parse_assembly(text)
            module.triple, module.data_layout = machine.triple, str(machine.target_data)
            module.verify()
            tuning = llvm.create_pipeline_tuning_options(speed_level=level)
            tuning.loop_vectorization = tuning.slp_vectorization = level > 1
            builder = llvm.create_pass_builder(machine, tuning)
            builder.getModulePassManager().run(module, builder)
            self._module = module

    @property
    def text(self) -> str:
        """LLVM's own form of what it has optimized."""
        return str(self._module)

    @property
    def assembly(self) -> str:
        """The instructions of the processor."""
        with LLVM:
            return _machine().emit_assembly(self._module)

    def object_code(self) -> bytes:
        with LLVM:
            return _machine().emit_object(self._module)


class Library:
    """Object code in memory. Its functions stay where they are as long as this is kept."""

    __slots__ = ("_engine",)

    def __init__(self, object_code: bytes, symbols: Mapping[str, int]) -> None:
        """With the addresses of what the code calls and the process does not have under its name."""
        with LLVM:
            machine = _new_machine()
            for name, address in symbols.items():
                llvm.add_symbol(name, address)
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
            self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Where a function begins."""
        return self._engine.get_function_address(name)
